// SPDX-License-Identifier: MIT
#include <algorithm>
#include <list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/binary_format.hpp"
#include "bridge/snapshots/row_arrays.hpp"
#include "bridge/snapshots/snapshot_format.hpp"
#include "bridge/snapshots/term_arrays.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {
namespace {

using core::ConceptId, core::LearnerImage, narsese::Term;

// The table of links.
struct LinkRows {
  const core::GraphImage& graph;

  std::size_t size() const { return graph.links.size(); }
  LinkRow operator[](std::size_t k) const {
    return {graph.links[k], static_cast<std::uint32_t>(graph.concepts_before[k])};
  }
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

// Upper bound on the bytes of the other parts of a snapshot.
std::size_t most_bytes_of_numbers(const core::Session& session, const core::MemoryImage& image) {
  constexpr std::size_t of_header = std::size_t{1} << 16, of_concept = 24, of_link = 56, of_statement = 96,
                        of_share = 12;
  std::size_t links = image.graph.links.size(), shares = 0;
  if (image.learner) links += image.learner->links.size() + 2 * image.learner->units.size();
  for (const auto of : {core::AllocationOf::concepts, core::AllocationOf::statements})
    shares += static_cast<std::size_t>(session.budget(of).size());
  return of_header + image.graph.concepts.size() * of_concept + links * of_link +
         image.statements.size() * of_statement + shares * of_share;
}

// Writes terms and statements. The variables are numbered first, then the concepts, by ID.
void put_terms(std::string& bytes, const core::ConceptGraph& graph,
               const narsese::LargeVector<core::Statement>& statements, SentencesWriter& sentences) {
  TermsWriter terms;
  const auto add_variable = [&](Term term) {
    if (term.kind() == narsese::TermKind::variable) terms.add(term);
  };
  for (ConceptId id = 0; id < graph.size(); ++id)
    if (graph.term(id).has_variables()) std::ranges::for_each(graph.term(id).components(), add_variable);
  for (const core::Statement& statement : statements) add_variable(statement.sentence.term);
  const std::uint64_t variables = terms.size();
  for (ConceptId id = 0; id < graph.size(); ++id) terms.add(graph.term(id));
  for (const core::Statement& statement : statements)
    sentences.add(statement.sentence, terms.add(statement.sentence.term));
  terms.write(bytes);
  put_number(bytes, variables);
}

void put_learner(std::string& bytes, const std::optional<LearnerImage>& learner) {
  put_number(bytes, std::uint64_t{learner.has_value()});
  if (!learner) return;
  for_each_number(*learner, [&](const char*, const auto& number) { put_number(bytes, number); });
  put_rows(bytes, learner->units);
  put_rows(bytes, learner->links);
  put_rows(bytes, learner->before);
}

}  // namespace

snapshot_format::BinaryFile snapshot_format::write_binary(const core::Session& session) {
  const core::Memory& memory = session.memory();
  const core::Reservation image_claim(core::image_bytes(memory));
  const core::MemoryImage image = memory.image();
  const std::size_t bytes_of_terms = most_bytes_of_terms(memory.graph()),
                    room = bytes_of_terms + most_bytes_of_numbers(session, image);
  core::Reservation(room).keep();
  std::string bytes = binary_format::beginning(binary_format::snapshot_magic);
  bytes.reserve(room);
  const std::size_t place_of_size = bytes.size();
  put_number(bytes, std::uint64_t{0});
  put_array(bytes, header(session, image).dump());

  constexpr std::size_t of_sentence = 64, of_index = 40;  // bytes of the arrays and the index while they grow
  const core::Reservation sentences_claim(image.statements.size() * of_sentence);
  SentencesWriter sentences;
  {
    const core::Reservation terms_claim(2 * bytes_of_terms + memory.graph().size() * of_index);
    put_terms(bytes, memory.graph(), image.statements, sentences);
  }
  put_rows(bytes, image.graph.concepts);
  put_rows(bytes, LinkRows{image.graph});
  sentences.write(bytes);
  put_rows(bytes, image.statements);
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
    read_header();
    read_terms_and_concepts();
    read_links();
    read_statements();
    read_learner();
    contents_.budgets[0] = binary_format::read_budget(bytes_, contents_.image.graph.concepts.size());
    contents_.budgets[1] = binary_format::read_budget(bytes_, contents_.image.statements.size());
    if (!bytes_.at_end()) bytes_.refuse("the end of the memory", "more");
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
    claims_.emplace_back(bytes);
    claimed_ += bytes;
  }

  void read_header() {
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

  void read_terms_and_concepts() {
    constexpr std::size_t most_variables = 3 * narsese::ParseLimits{}.max_variables;  // of three kinds
    narsese::TermTable& table = contents_.terms();
    table.begin_bulk_load();
    WrittenTerms written = read_terms(bytes_, limits_.max_concepts + most_variables, table);
    table.end_bulk_load();
    terms_ = std::move(written.terms);
    claim(contents_.made->bytes() + core::bytes_of(terms_) + written.components.size() * sizeof(ConceptId));
    variables_ = bytes_.number<std::uint64_t>("the number of variables");
    if (variables_ > terms_.size())
      bytes_.refuse("variables among " + std::to_string(terms_.size()) + " terms before",
                    std::to_string(variables_));
    for (std::size_t i = 0; i < terms_.size(); ++i)
      if ((terms_[i].kind() == narsese::TermKind::variable) != (i < variables_))
        bytes_.refuse("variables before, and then none", "term " + std::to_string(i));
    auto& graph = contents_.image.graph;
    graph.components = concepts_of(written.components);
    read_rows(graph.concepts, "concept", terms_.size() - variables_, terms_.size() - variables_);
    for (std::size_t id = 0; id < graph.concepts.size(); ++id)
      graph.concepts[id].term = terms_[variables_ + id];
  }

  void read_links() {
    const RowsAt<LinkRow> rows(bytes_, "link", 0, limits_.max_hebbian_links);
    claim(rows.size() * (sizeof(core::HebbianLink) + sizeof(std::size_t)));
    auto& graph = contents_.image.graph;
    graph.links.reserve(rows.size());
    graph.concepts_before.reserve(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const LinkRow row = rows[k];
      graph.links.push_back(row.link);
      graph.concepts_before.push_back(row.before);
    }
  }

  void read_statements() {
    SentencesReader sentences(bytes_, terms_, contents_.terms(), limits_.max_statements);
    claim(sentences.size() * sizeof(ConceptId));
    contents_.image.statement_concepts = concepts_of(sentences.terms());
    auto& statements = contents_.image.statements;
    read_rows(statements, "statement", sentences.size(), sentences.size());
    for (core::Statement& statement : statements) statement.sentence = sentences.next();
    sentences.require_end();
    terms_ = {};
  }

  void read_learner() {
    const auto is_there = bytes_.number<std::uint64_t>("whether there is a learner");
    if (is_there > 1) bytes_.refuse("a learner (1) or none (0) before", std::to_string(is_there));
    if (is_there == 0) return;
    LearnerImage& learner = contents_.image.learner.emplace();
    for_each_number(learner, [&]<class T>(const char* name, T& number) { number = bytes_.number<T>(name); });
    read_rows(learner.units, "learner.unit", 0, contents_.image.graph.concepts.size());
    read_rows(learner.links, "learner.link", 0, limits_.max_hebbian_links);
    read_rows(learner.before, "learner", 0, learner.units.size());
  }

  // Reads a table of `least` to `most` rows.
  template <class Rows>
  void read_rows(Rows& rows, const char* table, std::size_t least, std::size_t most) {
    const RowsAt<typename Rows::value_type> written(bytes_, table, least, most);
    claim(written.size() * sizeof(rows[0]));
    rows.resize(written.size());
    for (std::size_t i = 0; i < rows.size(); ++i) written.read(i, rows[i]);
  }

  // Converts term numbers to concept IDs: concepts come after the variables.
  narsese::LargeVector<ConceptId> concepts_of(const NumbersAt<TermsWriter::Ref>& terms) const {
    narsese::LargeVector<ConceptId> concepts(terms.size());
    for (std::size_t i = 0; i < concepts.size(); ++i)
      concepts[i] = terms[i] - static_cast<ConceptId>(variables_);
    return concepts;
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
  snapshot_format::Contents contents_;
  std::size_t variables_ = 0;
  std::vector<Term> terms_;  // variables, then concepts
  std::size_t claimed_ = 0;
  std::list<core::Reservation> claims_;
};

}  // namespace

bool snapshot_format::is_binary(char first) { return first == binary_format::snapshot_magic[0]; }

SnapshotFacts snapshot_format::read_binary(core::Session& session, std::string_view file) {
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
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  Sha256 hasher;
  // The digest is checked in parallel with reading, and before the session is replaced. If both fail, the digest error
  // is reported.
  core::run_both(
      [&] {
        core::charge((all.size() / mebibyte + 1) * core::WorkBudget::quantum);
        hasher.add(all);
        if (const std::string found = hasher.digest(); found != digest)
          throw ByteError(all.size(),
                          "the file has been changed: expected SHA-256 " + found + ", found another");
      },
      [&] { reader.read(); });
  hasher.add(digest);
  reader.hand_over_to(session);
  return {file.size(), hasher.digest()};
}

}  // namespace engram::bridge
