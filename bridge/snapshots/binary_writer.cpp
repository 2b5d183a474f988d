// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bridge/files/sha256.hpp"
#include "bridge/snapshots/binary_format.hpp"
#include "bridge/snapshots/snapshot_format.hpp"
#include "bridge/snapshots/term_arrays.hpp"
#include "core/numbers/work_budget.hpp"
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

  TermsOut::Ref operator[](Term term) const {
    if (term.kind() == narsese::TermKind::variable) return variables_.at(term);
    return static_cast<TermsOut::Ref>(variables_.size() + graph_.find(term).value());
  }
  void write(std::string& bytes) const {
    terms_.write(bytes);
    put_number(bytes, std::uint64_t{variables_.size()});
  }

 private:
  void add_variable(Term term) {
    if (term.kind() == narsese::TermKind::variable && !variables_.contains(term))
      variables_.emplace(term, terms_.add(term, [](Term) { return TermsOut::Ref{0}; }));
  }

  const core::ConceptGraph& graph_;
  TermsOut terms_;
  std::unordered_map<Term, TermsOut::Ref, narsese::HashOfTerm> variables_;
};

// Upper bound on the bytes of all terms of concepts in the file.
std::size_t most_bytes_of_terms(const core::ConceptGraph& graph) {
  constexpr std::size_t of_label_and_size = 6, of_number = 8;
  std::size_t bytes = 0;
  for (ConceptId id = 0; id < graph.size(); ++id) {
    const Term term = graph.term(id);
    bytes += of_label_and_size + term.components().size() * sizeof(TermsOut::Ref);
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

void binary_format::put_budget(std::string& bytes, const core::Vector& budget) {
  std::vector<std::uint32_t> ids;
  std::vector<double> shares;
  for (core::Index i = 0; i < budget.size(); ++i) {
    if (budget[i] == 0) continue;
    ids.push_back(static_cast<std::uint32_t>(i));
    shares.push_back(budget[i]);
  }
  put_number(bytes, static_cast<std::uint64_t>(budget.size()));
  put_array(bytes, ids);
  put_array(bytes, shares);
}

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
  SentencesOut sentences;
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

}  // namespace engram::bridge
