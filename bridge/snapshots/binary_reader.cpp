// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/binary_format.hpp"
#include "bridge/snapshots/snapshot_format.hpp"
#include "bridge/snapshots/term_arrays.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/shared_pieces.hpp"

namespace engram::bridge {
namespace {

using core::ConceptId;
using narsese::Term;

class BinaryReader {
 public:
  BinaryReader(std::string_view bytes, std::size_t offset, const core::MemoryLimits& limits)
      : bytes_(bytes, offset), limits_(limits) {}

  void read() {
    header();
    find_terms();
    find_concepts();
    find_links();
    find_statements();
    learner();
    for (core::Vector* budget : {&budgets_[0], &budgets_[1]})
      *budget = binary_format::read_budget(
          bytes_, budget == &budgets_[0] ? concepts_.times.size() : sentences_->size());
    if (!bytes_.at_end()) bytes_.refuse("the end of the memory", "more");
    core::run_both(
        [this] {
          make_terms();
          make_statements();
        },
        [this] { make_numbers(); });
  }

  void hand_over_to(core::Session& session) {
    core::Memory& memory = made_->mutable_memory();
    claim(claimed_);  // the restored data has about the same size
    memory.restore(image_);
    require_made_by_sentences(memory, image_.statement_concepts);
    session.restore(std::move(memory), std::move(budgets_[0]), std::move(budgets_[1]), std::move(forgotten_));
  }

 private:
  // Reserves bytes for restored data, which exists in addition to the current memory of the session.
  void claim(std::size_t bytes) {
    claims_.push_back(std::make_unique<core::Reservation>(bytes));
    claimed_ += bytes;
  }

  void header() {
    const std::size_t at = bytes_.offset();
    const auto read =
        read_json(bytes_.text("bytes of the first line", snapshot_format::max_line_bytes),
                  {.max_bytes = snapshot_format::max_line_bytes, .max_depth = snapshot_format::header_depth});
    if (!read) throw ByteError(at, "is no JSON: " + read.error().message());
    try {
      ObjectReader line{JsonValue(*read)};
      line["engram_snapshot"].count(snapshot_format::version, snapshot_format::version);
      core::MemoryOptions options = snapshot_format::read_header(line, image_, forgotten_);
      line.refuse_others();
      options.limits = limits_;
      made_.emplace(options);
    } catch (const JsonError& error) {
      throw ByteError(at, error.message());
    }
  }

  // The find_*() functions locate the arrays and check their sizes before anything is built.
  void find_terms() {
    constexpr std::size_t most_variables = 3 * narsese::ParseLimits{}.max_variables;  // of three kinds
    written_terms_.emplace(bytes_, limits_.max_concepts + most_variables);
    variables_ = bytes_.number<std::uint64_t>("the number of variables");
    if (variables_ > written_terms_->size())
      bytes_.refuse("variables among " + std::to_string(written_terms_->size()) + " terms before",
                    std::to_string(variables_));
    behind_variables_ = bytes_.offset();
  }

  void find_concepts() {
    const std::size_t count = written_terms_->size() - variables_;
    claim(count * sizeof(core::Concept));
    concepts_ = {column<double>("activities", count), column<double>("told activities", count),
                 column<core::Time>("times of concepts", count)};
  }

  void find_links() {
    links_.sources = bytes_.array<ConceptId>("links", 0, limits_.max_hebbian_links);
    const std::size_t count = links_.sources.size();
    claim(count * (sizeof(core::HebbianLink) + sizeof(std::size_t)));
    links_.targets = column<ConceptId>("targets", count);
    links_.before = column<std::uint32_t>("concepts before links", count);
    links_.together = column<double>("evidence of links", count);
    links_.frequencies = column<double>("told frequencies", count);
    links_.confidences = column<double>("told confidences", count);
    links_.times = column<core::Time>("times of links", count);
    links_.apart = column<double>("evidence against links", count);
  }

  void find_statements() {
    sentences_.emplace(bytes_, terms_, made_->mutable_memory().terms(), limits_.max_statements);
    const std::size_t count = sentences_->size();
    claim(count * (sizeof(core::Statement) + sizeof(ConceptId)));
    statements_ = {column<double>("evidence of statements", count),
                   column<std::uint64_t>("counts of statements", count),
                   column<core::Time>("times of statements", count),
                   column<double>("evidence against statements", count)};
  }

  void make_terms() {
    narsese::TermTable& table = made_->mutable_memory().terms();
    table.begin_bulk_load();
    terms_ = written_terms_->made_in(table);
    table.end_bulk_load();
    claim(made_->bytes() + core::bytes_of(terms_) + written_terms_->components().size() * sizeof(ConceptId));
    for (std::size_t i = 0; i < terms_.size(); ++i)
      if ((terms_[i].kind() == narsese::TermKind::variable) != (i < variables_))
        throw ByteError(behind_variables_,
                        "expected variables before, and then none, found term " + std::to_string(i));
    auto& concepts = image_.graph.concepts;
    concepts.reserve(terms_.size() - variables_);
    const auto& [activities, told, times] = concepts_;
    for (std::size_t id = 0; id < times.size(); ++id)
      concepts.push_back({terms_[variables_ + id], finite(activities, id), finite(told, id), times[id]});
  }

  // Converts term numbers to concept IDs: concepts come after the variables.
  narsese::LargeVector<ConceptId> concepts_of(const NumbersAt<TermsOut::Ref>& terms) const {
    narsese::LargeVector<ConceptId> concepts(terms.size());
    for (std::size_t i = 0; i < concepts.size(); ++i)
      concepts[i] = terms[i] - static_cast<ConceptId>(variables_);
    return concepts;
  }

  // Builds the parts that contain no terms.
  void make_numbers() {
    auto& [concepts, links, before, components] = image_.graph;
    components = concepts_of(written_terms_->components());
    image_.statement_concepts = concepts_of(sentences_->terms());
    const std::size_t count = links_.sources.size();
    links.reserve(count);
    before.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      before.push_back(links_.before[k]);
      links.push_back({links_.sources[k],
                       links_.targets[k],
                       finite(links_.together, k),
                       {links_.frequencies[k], links_.confidences[k]},
                       links_.times[k],
                       finite(links_.apart, k)});
    }
  }

  void make_statements() {
    auto& statements = image_.statements;
    statements.reserve(sentences_->size());
    const auto& [evidence, times, updated, denied] = statements_;
    for (std::size_t e = 0; e < sentences_->size(); ++e)
      statements.push_back(
          {sentences_->next(), {}, finite(evidence, e), times[e], updated[e], finite(denied, e)});
    sentences_->end();
    terms_ = {};
  }

  void learner() {
    const auto is_there = bytes_.number<std::uint64_t>("whether there is a learner");
    if (is_there > 1) bytes_.refuse("a learner (1) or none (0) before", std::to_string(is_there));
    if (is_there == 0) return;
    core::LearnerImage& learner = image_.learner.emplace();
    learner.total = bytes_.number<double>("evidence");
    learner.step = bytes_.number<std::uint64_t>("a step");
    learner.last = bytes_.number<std::uint64_t>("a time");
    using Unit = core::LearnerImage::Unit;
    const auto levels = bytes_.array<double>("units", 0, concepts_.times.size());
    claim(levels.size() * sizeof(Unit));
    learner.units.resize(levels.size());
    const auto steps = column<std::uint64_t>("steps of units", levels.size());
    const auto times = column<core::Time>("times of units", levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) learner.units[i] = {levels[i], steps[i], times[i]};
    using Link = core::LearnerImage::Link;
    const auto ends = bytes_.array<ConceptId>("learnt links", 0, limits_.max_hebbian_links);
    claim(ends.size() * sizeof(Link));
    learner.links.resize(ends.size());
    const auto sources = column<ConceptId>("sources of learnt links", ends.size());
    const auto weights = column<double>("weights", ends.size());
    const auto learnt = column<std::uint64_t>("steps of learnt links", ends.size());
    for (std::size_t k = 0; k < ends.size(); ++k)
      learner.links[k] = {ends[k], sources[k], finite(weights, k), learnt[k]};
    const auto before = bytes_.array<ConceptId>("units that were active", 0, levels.size());
    for (std::size_t i = 0; i < before.size(); ++i) learner.before.push_back(before[i]);
  }

  // An array with one number for each row.
  template <Number T>
  NumbersAt<T> column(std::string_view what, std::size_t rows) {
    return bytes_.array<T>(what, rows, rows);
  }
  static double finite(const NumbersAt<double>& numbers, std::size_t i) {
    if (!std::isfinite(numbers[i])) numbers.refuse(i, "a finite number");
    return numbers[i];
  }

  // Checks that each concept with variables was created by a sentence, in the order of its components. Otherwise its
  // variables could have numbers that no sentence gives them, and it could not be written as text.
  static void require_made_by_sentences(const core::Memory& memory, std::span<const ConceptId> roots) {
    const core::ConceptGraph& graph = memory.graph();
    const auto has_variables = [&](ConceptId id) { return graph.term(id).has_variables(); };
    ConceptId made = 0, last = 0;  // last: one after the last concept with variables
    for (ConceptId id = 0; id < graph.size(); ++id)
      if (has_variables(id)) last = id + 1;
    std::vector<bool> met(last, false);
    const auto require_plain = [&](ConceptId end) {
      for (; made < std::min(end, last); ++made)
        core::require(!has_variables(made), "a concept with variables did not come with a sentence");
    };
    for (std::size_t i = 0; i < memory.statements().size() && made < last; ++i) {
      const Term term = memory.statements().term(static_cast<core::StatementId>(i));
      if (term.kind() == narsese::TermKind::variable) continue;
      const ConceptId root = graph.find(term, roots[i]).value();
      if (root < made) continue;
      std::vector<ConceptId> order;
      if (has_variables(root)) collect_new(graph, made, term, met, order);
      ConceptId first = root + 1;
      for (auto id = order.rbegin(); id != order.rend(); ++id)
        if (*id + 1 == first) first = *id;
      require_plain(first);
      made = root + 1;
    }
    require_plain(last);
  }

  // Collects the concepts of a term with IDs of at least `from`, in the order in which the term creates them.
  static void collect_new(const core::ConceptGraph& graph, ConceptId from, Term term, std::vector<bool>& met,
                          std::vector<ConceptId>& order) {
    if (term.kind() == narsese::TermKind::variable) return;
    const ConceptId id = graph.find(term).value();
    if (id < from || met[id]) return;
    met[id] = true;
    for (const Term component : term.components()) collect_new(graph, from, component, met, order);
    order.push_back(id);
  }

  ByteReader bytes_;
  const core::MemoryLimits limits_;
  // Views of the arrays in the file.
  std::optional<TermsIn> written_terms_;
  std::size_t variables_ = 0, behind_variables_ = 0;
  struct {
    NumbersAt<double> activities, told;
    NumbersAt<core::Time> times;
  } concepts_;
  struct {
    NumbersAt<ConceptId> sources, targets;
    NumbersAt<std::uint32_t> before;
    NumbersAt<double> together, frequencies, confidences;
    NumbersAt<core::Time> times;
    NumbersAt<double> apart;
  } links_;
  std::optional<SentencesIn> sentences_;
  struct {
    NumbersAt<double> evidence;
    NumbersAt<std::uint64_t> times;
    NumbersAt<core::Time> updated;
    NumbersAt<double> denied;
  } statements_;
  // Restored data.
  std::optional<core::Session> made_;
  std::vector<Term> terms_;
  core::MemoryImage image_;
  std::array<core::Vector, 2> budgets_;
  core::Forgetting::State forgotten_;
  std::size_t claimed_ = 0;
  std::vector<std::unique_ptr<core::Reservation>> claims_;
};

std::string digest_of(std::string_view bytes, Sha256& hasher) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    core::charge(core::WorkBudget::quantum);
    hasher.add(bytes.substr(at, piece));
  }
  return hasher.digest();
}

}  // namespace

std::string binary_format::beginning(std::string_view magic) {
  std::string bytes(magic);
  put_number(bytes, version);
  put_number(bytes, byte_order);
  return bytes;
}

void binary_format::read_beginning(ByteReader& bytes, std::string_view magic, std::string_view what) {
  for (const char expected : magic)
    if (const auto found = bytes.number<char>("a magic number"); found != expected)
      throw ByteError(bytes.offset() - 1, "this is no " + std::string(what) + " of Engram");
  const auto found = bytes.number<std::uint32_t>("a version");
  if (found != version)
    throw ByteError(bytes.offset() - 4, "a " + std::string(what) + " of another version (" +
                                            std::to_string(found) + "), known is " + std::to_string(version));
  if (bytes.number<std::uint32_t>("a byte order") != byte_order)
    throw ByteError(bytes.offset() - 4,
                    "expected the least significant byte of numbers first, found another order");
}

core::Vector binary_format::read_budget(ByteReader& bytes, std::size_t most) {
  const auto size = bytes.number<std::uint64_t>("the size of a budget");
  if (size > most)
    bytes.refuse("a budget of at most " + std::to_string(most) + " before", std::to_string(size));
  const auto ids = bytes.array<std::uint32_t>("ids of a budget", 0, size);
  const auto shares = bytes.array<double>("shares of a budget", ids.size(), ids.size());
  const core::Reservation claim(size * sizeof(double));
  core::Vector budget = core::Vector::Zero(static_cast<core::Index>(size));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= size || (i > 0 && ids[i] <= ids[i - 1])) ids.refuse(i, "ascending ids");
    if (!(shares[i] > 0 && shares[i] <= 1)) shares.refuse(i, "a share in (0, 1]");
    budget[ids[i]] = shares[i];
  }
  return budget;
}

bool snapshot_format::is_binary(std::string_view first_bytes) {
  return !first_bytes.empty() && first_bytes[0] == binary_format::snapshot_magic[0];
}

SnapshotFacts snapshot_format::read_binary(core::Session& session, std::string_view file) try {
  ByteReader begin(file);
  binary_format::read_beginning(begin, binary_format::snapshot_magic, "snapshot");
  if (const auto size = begin.number<std::uint64_t>("the file's size");
      size != file.size() || size < begin.offset() + binary_format::digest_bytes)
    throw ByteError(begin.offset() - 8, "the file has been cut or lengthened: expected " +
                                            std::to_string(size) + " bytes, found " +
                                            std::to_string(file.size()));
  const std::string_view all = file.substr(0, file.size() - binary_format::digest_bytes);
  const std::string_view digest = file.substr(all.size());
  BinaryReader reader(all.substr(begin.offset()), begin.offset(), session.memory().options().limits);
  Sha256 hasher;
  // The digest is checked in parallel with reading, and before the session is replaced. If both fail, the digest error
  // is reported.
  core::run_both(
      [&] {
        if (const std::string found = digest_of(all, hasher); found != digest)
          throw ByteError(all.size(),
                          "the file has been changed: expected SHA-256 " + found + ", found another");
      },
      [&] { reader.read(); });
  hasher.add(digest);
  reader.hand_over_to(session);
  return {file.size(), hasher.digest()};
} catch (const ByteError& error) {
  throw SnapshotError(0, error.what());
} catch (const narsese::TermTableFull& error) {
  throw SnapshotError(0, error.what());
} catch (const std::invalid_argument& error) {
  throw SnapshotError(0, error.what());
}

}  // namespace engram::bridge
