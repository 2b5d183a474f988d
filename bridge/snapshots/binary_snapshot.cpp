// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/binary_format.hpp"
#include "bridge/snapshots/snapshot_format.hpp"
#include "bridge/snapshots/term_arrays.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/shared_pieces.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {
namespace {

using core::ConceptId;
using narsese::Term;

// Calls use(i, term) for each term in order. Terms are prefetched in batches, because each is about to be looked up.
template <class TermAt, class Use>
void for_each_term(const core::ConceptGraph& graph, std::size_t count, TermAt term_at, Use use) {
  constexpr std::size_t at_once = 128;
  std::vector<Term> next;
  for (std::size_t begin = 0; begin < count; begin += at_once) {
    next.clear();
    for (std::size_t i = begin; i < std::min(count, begin + at_once); ++i) next.push_back(term_at(i));
    graph.prefetch(next);
    for (std::size_t i = 0; i < next.size(); ++i) use(begin + i, next[i]);
  }
}

// Numbers the terms of a memory: first the variables, then the concepts.
class TermNumbers {
 public:
  explicit TermNumbers(const core::Memory& memory) : graph_(memory.graph()) {
    for (ConceptId id = 0; id < graph_.size(); ++id)
      if (graph_.term(id).has_variables())
        for (const Term component : graph_.term(id).components()) add_variable(component);
    for (const core::Statement& statement : memory.statements()) add_variable(statement.sentence.term);
    for_each_term(
        graph_, graph_.size(), [&](std::size_t id) { return graph_.term(static_cast<ConceptId>(id)); },
        [&](std::size_t, Term term) {
          terms_.add(term, [this](Term component) { return (*this)[component]; });
        });
  }

  TermsWriter::Ref operator[](Term term) const {
    if (term.kind() == narsese::TermKind::variable) return variables_.at(term);
    return static_cast<TermsWriter::Ref>(variables_.size() + graph_.find(term).value());
  }
  void write(std::string& bytes) const {
    terms_.write(bytes);
    put_number(bytes, std::uint64_t{variables_.size()});
  }

 private:
  void add_variable(Term term) {
    if (term.kind() == narsese::TermKind::variable && !variables_.contains(term))
      variables_.emplace(term, terms_.add(term, [](Term) { return TermsWriter::Ref{0}; }));
  }

  const core::ConceptGraph& graph_;
  TermsWriter terms_;
  std::unordered_map<Term, TermsWriter::Ref, narsese::HashOfTerm> variables_;
};

// Upper bound on the bytes of the concepts' terms in the file.
std::size_t most_bytes_of_terms(const core::ConceptGraph& graph) {
  constexpr std::size_t of_label_and_size = 6, of_number = 8;
  std::size_t bytes = 0;
  for (ConceptId id = 0; id < graph.size(); ++id) {
    const Term term = graph.term(id);
    bytes += of_label_and_size + term.components().size() * sizeof(TermsWriter::Ref);
    bytes += is_name(term.kind()) ? term.name().size() : of_number;
  }
  return bytes;
}

// Upper bound on the bytes of a whole snapshot.
std::size_t most_bytes(const core::Session& session, const core::MemoryImage& image,
                       std::size_t bytes_of_terms) {
  constexpr std::size_t of_header = std::size_t{1} << 16, of_concept = 24, of_link = 56, of_statement = 96,
                        of_share = 12;
  const std::size_t learnt =
      image.learner ? image.learner->links.size() + 2 * image.learner->units.size() : 0;
  std::size_t bytes = of_header + bytes_of_terms + image.graph.concepts.size() * of_concept +
                      (image.graph.links.size() + learnt) * of_link + image.statements.size() * of_statement;
  for (const auto of : {core::AllocationOf::concepts, core::AllocationOf::statements})
    bytes += static_cast<std::size_t>(session.budget(of).size()) * of_share;
  return bytes;
}

void put_learner(std::string& bytes, const std::optional<core::LearnerImage>& learner) {
  put_number(bytes, std::uint64_t{learner.has_value()});
  if (!learner) return;
  put_number(bytes, learner->total);
  put_number(bytes, learner->step);
  put_number(bytes, learner->last);
  using Unit = core::LearnerImage::Unit;
  put_column(bytes, learner->units, [](const Unit& unit) { return unit.level; });
  put_column(bytes, learner->units, [](const Unit& unit) { return unit.step; });
  put_column(bytes, learner->units, [](const Unit& unit) { return unit.time; });
  using Link = core::LearnerImage::Link;
  put_column(bytes, learner->links, [](const Link& link) { return link.to; });
  put_column(bytes, learner->links, [](const Link& link) { return link.from; });
  put_column(bytes, learner->links, [](const Link& link) { return link.weight; });
  put_column(bytes, learner->links, [](const Link& link) { return link.step; });
  put_array(bytes, learner->before);
}

}  // namespace

snapshot_format::BinaryFile snapshot_format::write_binary(const core::Session& session) {
  const core::Memory& memory = session.memory();
  const core::Reservation image_claim(core::image_bytes(memory));
  const core::MemoryImage image = memory.image();
  const std::size_t bytes_of_terms = most_bytes_of_terms(memory.graph()),
                    room = most_bytes(session, image, bytes_of_terms);
  core::Reservation(room).keep();
  std::string bytes = binary_format::beginning(binary_format::snapshot_magic);
  bytes.reserve(room);
  const std::size_t place_of_size = bytes.size();
  put_number(bytes, std::uint64_t{0});
  put_text(bytes, header(session, image).dump());

  constexpr std::size_t of_sentence = 64;  // while the arrays grow
  const core::Reservation sentences_claim(image.statements.size() * of_sentence);
  SentencesWriter sentences;
  {
    const core::Reservation terms_claim(2 * bytes_of_terms);  // while the arrays grow
    const TermNumbers terms(memory);
    terms.write(bytes);
    const auto& statements = image.statements;
    for_each_term(
        memory.graph(), statements.size(), [&](std::size_t e) { return statements[e].sentence.term; },
        [&](std::size_t e, Term term) { sentences.add(statements[e].sentence, terms[term]); });
  }
  using core::Concept, core::HebbianLink, core::Statement;
  const auto& concepts = image.graph.concepts;
  put_column(bytes, concepts, [](const Concept& one) { return one.activity; });
  put_column(bytes, concepts, [](const Concept& one) { return one.judged; });
  put_column(bytes, concepts, [](const Concept& one) { return one.updated; });
  const auto& links = image.graph.links;
  put_column(bytes, links, [](const HebbianLink& link) { return link.source; });
  put_column(bytes, links, [](const HebbianLink& link) { return link.target; });
  put_column(bytes, image.graph.concepts_before,
             [](std::size_t count) { return static_cast<std::uint32_t>(count); });
  put_column(bytes, links, [](const HebbianLink& link) { return link.together; });
  put_column(bytes, links, [](const HebbianLink& link) { return link.judged.frequency; });
  put_column(bytes, links, [](const HebbianLink& link) { return link.judged.confidence; });
  put_column(bytes, links, [](const HebbianLink& link) { return link.updated; });
  put_column(bytes, links, [](const HebbianLink& link) { return link.denied; });
  sentences.write(bytes);
  put_column(bytes, image.statements, [](const Statement& one) { return one.evidence; });
  put_column(bytes, image.statements, [](const Statement& one) { return one.times; });
  put_column(bytes, image.statements, [](const Statement& one) { return one.updated; });
  put_column(bytes, image.statements, [](const Statement& one) { return one.denied; });
  put_learner(bytes, image.learner);
  for (const auto of : {core::AllocationOf::concepts, core::AllocationOf::statements})
    binary_format::put_budget(bytes, session.budget(of));

  std::string size;
  put_number(size, std::uint64_t{bytes.size() + binary_format::digest_bytes});
  bytes.replace(place_of_size, size.size(), size);
  Sha256 hasher;
  hasher.add(bytes);
  const std::string digest = hasher.digest();
  bytes += digest;
  hasher.add(digest);
  const SnapshotFacts facts{bytes.size(), hasher.digest()};
  return {std::move(bytes), facts};
}

// --- reading ----------------------------------------------------------------------------------------------

namespace {

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
    for (core::Vector* budget : {&contents_.budgets[0], &contents_.budgets[1]})
      *budget = binary_format::read_budget(
          bytes_, budget == &contents_.budgets[0] ? concepts_.times.size() : sentences_->size());
    if (!bytes_.at_end()) bytes_.refuse("the end of the memory", "more");
    core::run_both(
        [this] {
          make_terms();
          make_statements();
        },
        [this] { make_numbers(); });
  }

  void hand_over_to(core::Session& session) {
    claim(claimed_);  // the restored data has about the same size
    const core::Memory& memory = contents_.restore_memory();
    require_made_by_sentences(memory, contents_.image.statement_concepts);
    contents_.hand_over_to(session);
  }

 private:
  // Reserves bytes for restored data, which exists in addition to the current memory of the session.
  void claim(std::size_t bytes) {
    claims_.push_back(std::make_unique<core::Reservation>(bytes));
    claimed_ += bytes;
  }

  void header() {
    const std::size_t at = bytes_.offset();
    const auto read = read_json(bytes_.text("bytes of the first line", snapshot_format::max_line_bytes),
                                snapshot_format::line_limits);
    if (!read) throw ByteError(at, "is no JSON: " + read.error().message());
    try {
      ObjectReader line{JsonValue(*read)};
      line["engram_snapshot"].count(snapshot_format::version, snapshot_format::version);
      contents_.read_header(line, limits_);
      line.refuse_others();
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
    sentences_.emplace(bytes_, terms_, contents_.terms(), limits_.max_statements);
    const std::size_t count = sentences_->size();
    claim(count * (sizeof(core::Statement) + sizeof(ConceptId)));
    statements_ = {column<double>("evidence of statements", count),
                   column<std::uint64_t>("counts of statements", count),
                   column<core::Time>("times of statements", count),
                   column<double>("evidence against statements", count)};
  }

  void make_terms() {
    narsese::TermTable& table = contents_.terms();
    table.begin_bulk_load();
    terms_ = written_terms_->made_in(table);
    table.end_bulk_load();
    claim(contents_.made->bytes() + core::bytes_of(terms_) +
          written_terms_->components().size() * sizeof(ConceptId));
    for (std::size_t i = 0; i < terms_.size(); ++i)
      if ((terms_[i].kind() == narsese::TermKind::variable) != (i < variables_))
        throw ByteError(behind_variables_,
                        "expected variables before, and then none, found term " + std::to_string(i));
    auto& concepts = contents_.image.graph.concepts;
    concepts.reserve(terms_.size() - variables_);
    const auto& [activities, told, times] = concepts_;
    for (std::size_t id = 0; id < times.size(); ++id)
      concepts.push_back({terms_[variables_ + id], finite(activities, id), finite(told, id), times[id]});
  }

  // Converts term numbers to concept IDs: concepts come after the variables.
  narsese::LargeVector<ConceptId> concepts_of(const NumbersAt<TermsWriter::Ref>& terms) const {
    narsese::LargeVector<ConceptId> concepts(terms.size());
    for (std::size_t i = 0; i < concepts.size(); ++i)
      concepts[i] = terms[i] - static_cast<ConceptId>(variables_);
    return concepts;
  }

  // Builds the parts that contain no terms.
  void make_numbers() {
    auto& [concepts, links, before, components] = contents_.image.graph;
    components = concepts_of(written_terms_->components());
    contents_.image.statement_concepts = concepts_of(sentences_->terms());
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
    auto& statements = contents_.image.statements;
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
    core::LearnerImage& learner = contents_.image.learner.emplace();
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
    const auto require_plain = [&](ConceptId end) {
      for (; made < std::min(end, last); ++made)
        core::require(!has_variables(made), "a concept with variables did not come with a sentence");
    };
    for (std::size_t i = 0; i < memory.statements().size() && made < last; ++i) {
      const Term term = memory.statements().term(static_cast<core::StatementId>(i));
      if (term.kind() == narsese::TermKind::variable) continue;
      const ConceptId root = graph.find(term, roots[i]).value();
      if (root < made) continue;
      require_plain(has_variables(root) ? snapshot_format::first_created(graph, made, root) : root + 1);
      made = root + 1;
    }
    require_plain(last);
  }

  ByteReader bytes_;
  const core::MemoryLimits limits_;
  // Views of the arrays in the file.
  std::optional<TermsReader> written_terms_;
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
  std::optional<SentencesReader> sentences_;
  struct {
    NumbersAt<double> evidence;
    NumbersAt<std::uint64_t> times;
    NumbersAt<core::Time> updated;
    NumbersAt<double> denied;
  } statements_;
  // Restored data.
  snapshot_format::Contents contents_;
  std::vector<Term> terms_;
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
