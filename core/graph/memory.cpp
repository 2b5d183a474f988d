// SPDX-License-Identifier: MIT
#include "core/graph/memory.hpp"

#include <algorithm>

#include "core/graph/memory_image.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/link_judgement.hpp"
#include "narsese/printer.hpp"

namespace engram::core {

using narsese::Sentence;
using narsese::Term;
using narsese::TermKind;

void Memory::advance(Time cycles) {
  ++version_;
  now_ += std::min(cycles, last_moment - now_);
  if (options_.observer != nullptr) options_.observer->advanced(cycles);
}

Memory::Memory(MemoryOptions options) : options_(options), graph_(options.decay) {
  if (options.learning) learner_.emplace(*options.learning);
  limit_terms();
  if (options_.observer != nullptr) options_.observer->begun();
}

std::size_t Memory::bytes() const {
  return terms_.reserved_bytes() + graph_.bytes() + (learner_ ? learner_->bytes() : 0) + statements_.bytes() +
         statement_index_.bytes();
}

// What is left for terms, which are made before it is known what they are for.
void Memory::limit_terms() {
  const std::size_t others = bytes() - terms_.reserved_bytes() + others_;
  const std::size_t most = options_.limits.max_bytes;
  // Half of what is left where they must have room to move.
  terms_.limit((most - std::min(most, others)) / (options_.keeps_room_to_forget ? 2 : 1));
}

void Memory::share_with(std::size_t others_bytes) {
  others_ = others_bytes;
  limit_terms();
}

void Memory::keep_terms_since(std::size_t concepts, std::size_t statements) {
  if (terms_.new_since_mark() > 0) {
    ++version_;
    std::vector<Term> kept;
    for (std::size_t id = concepts; id < graph_.size(); ++id)
      kept.push_back(graph_.term(static_cast<ConceptId>(id)));
    const std::size_t named = kept.size();
    for (std::size_t id = statements; id < statements_.size(); ++id)
      kept.push_back(statements_.term(static_cast<StatementId>(id)));
    terms_.give_back(kept);
    graph_.rename(static_cast<ConceptId>(concepts), std::span(kept).first(named));
    for (std::size_t id = statements; id < statements_.size(); ++id)
      statements_.rename(static_cast<StatementId>(id), kept[named + id - statements]);
  }
  give_back_forgotten_terms();
  terms_.mark();
  limit_terms();
}

// Why something is refused.
std::string Memory::full(ForgettingReason limit, const char* of) {
  shortage_ = limit;
  const MemoryLimits& limits = options_.limits;
  if (limit == ForgettingReason::bytes)
    return "the memory is full: with this it would take more than " + std::to_string(limits.max_bytes) +
           " bytes, the limit; it takes " + std::to_string(bytes());
  const std::size_t most = limit == ForgettingReason::concepts ? limits.max_concepts
                           : limit == ForgettingReason::links  ? limits.max_hebbian_links
                                                               : limits.max_statements;
  return "the memory is full: the limit is " + std::to_string(most) + " " + of;
}

// Whether an episode of these concepts has room, and what is new with it: a statement of the term, or none.
bool Memory::has_room(Term fresh, std::span<const Term> active) const {
  // Nothing is looked up as long as there is room for the worst.
  Growth growth;
  growth.add(terms_.reserved_bytes() + beside());
  if (fresh) {
    graph_.add_growth(growth, fresh.complexity(), pairs_joined(active.size()));
    growth.add(statements_.bytes_with_one_more(active.size()));
    growth.add(statement_index_, 1);
  } else {
    growth.add(bytes() - terms_.reserved_bytes() - (learner_ ? learner_->bytes() : 0));
  }
  if (learner_) learner_->add_growth(growth, active.size(), graph_.size() + (fresh ? fresh.complexity() : 0));
  return growth.bytes() <= options_.limits.max_bytes || has_room_near_the_limit(fresh, active);
}

bool Memory::has_room_near_the_limit(Term fresh, std::span<const Term> active) const {
  const std::vector<ConceptId> known = ids_of(active);
  Growth growth;
  growth.add(terms_.reserved_bytes() + beside());
  if (fresh) {
    graph_.add_growth(growth, fresh, known, pairs_joined(active.size()));
    growth.add(statements_.bytes_with_one_more(active.size()));
    growth.add(statement_index_, 1);
  } else {
    growth.add(bytes() - terms_.reserved_bytes() - (learner_ ? learner_->bytes() : 0));
  }
  if (learner_)
    learner_->add_growth(growth, known, active.size() - known.size(),
                         graph_.size() + (fresh ? fresh.complexity() : 0));
  return growth.bytes() <= options_.limits.max_bytes;
}

// Whether a term holds activation, of which something within does, or nothing.
bool Memory::holds(Term term, bool inner_holds) const {
  switch (term.kind()) {
    case TermKind::atom:
      return options_.activation.self || term.name() != "SELF";
    case TermKind::op:
      return true;
    case TermKind::compound:
      return options_.activation.compounds && inner_holds && !term.has_variables();
    case TermKind::statement:
      return options_.activation.statements && inner_holds && !term.has_variables();
    case TermKind::variable:
    case TermKind::interval:
      break;
  }
  return false;
}

void Memory::collect(Term term, std::vector<Term>& found) const {
  const std::size_t before = found.size();
  for (const Term component : term.components()) collect(component, found);
  if (holds(term, found.size() > before)) found.push_back(term);
}

bool Memory::holds_activation(Term term) const {
  std::vector<Term> found;
  collect(term, found);
  return !found.empty() && found.back() == term;  // what is within comes before
}

std::vector<Term> Memory::active_terms(Term term) const {
  constexpr std::size_t few = 16;  // chosen: to look through these costs less than an index
  std::vector<Term> found;
  found.reserve(few);
  collect(term, found);
  if (found.size() <= few) {
    auto end = found.begin();
    for (const Term t : found)
      if (std::find(found.begin(), end, t) == end) *end++ = t;
    found.erase(end, found.end());
    return found;
  }
  std::vector<Term> unique;
  narsese::HashIndex seen;
  for (const Term t : found) {
    if (seen.find(t.hash(), [&](std::uint32_t i) { return unique[i] == t; }) != narsese::HashIndex::none)
      continue;
    seen.insert(t.hash(), static_cast<std::uint32_t>(unique.size()));
    unique.push_back(t);
  }
  return unique;
}

std::vector<ConceptId> Memory::ids_of(std::span<const Term> terms) const {
  std::vector<ConceptId> ids;
  ids.reserve(terms.size());
  for (const Term term : terms)
    if (const auto id = graph_.find(term)) ids.push_back(*id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<ConceptId> Memory::known_concepts(Term term) const { return ids_of(active_terms(term)); }

double Memory::evidence(const Statement& statement) const {
  return statement.evidence * graph_.kept(now_ - statement.updated);
}

std::uint64_t Memory::statement_hash(const Sentence& sentence) {
  return narsese::hash_combine(sentence.term.hash(), static_cast<std::uint64_t>(sentence.punctuation));
}

StatementId Memory::find_statement(const Sentence& sentence) const {
  return statement_index_.find(statement_hash(sentence), [&](StatementId e) { return says(e, sentence); });
}

bool Memory::says(StatementId e, const Sentence& sentence) const {
  return statements_.term(e) == sentence.term && statements_.punctuation(e) == sentence.punctuation;
}

std::optional<StatementId> Memory::find(const Sentence& sentence) const {
  const StatementId e = find_statement(sentence);
  return e == narsese::HashIndex::none ? std::nullopt : std::optional(e);
}

std::string Memory::too_many_active(std::size_t active) const {
  const std::size_t most = std::min(options_.limits.max_active, Statements::most_active);
  if (active <= most) return {};
  return "the sentence mentions " + std::to_string(active) + " concepts, the limit is " +
         std::to_string(most);
}

narsese::Result<std::optional<StatementId>, std::string> Memory::accept(const Sentence& sentence) {
  const MemoryLimits& limits = options_.limits;
  shortage_.reset();
  const std::vector<Term> active = active_terms(sentence.term);
  if (std::string refusal = too_many_active(active.size()); !refusal.empty()) return refusal;
  if (now_ >= last_moment) return std::string("the memory's time is over: it is the last cycle");
  if (sentence.asks()) {
    ++version_;
    ++now_;
    if (options_.observer != nullptr) options_.observer->accepted(sentence, false);
    return std::optional<StatementId>();
  }
  if (learner_ && learner_->links() + learner_->new_links_at_most(active.size()) > limits.max_hebbian_links)
    return full(ForgettingReason::links, "learnt links");
  auto id = find_statement(sentence);
  const bool is_new = id == narsese::HashIndex::none;
  if (is_new) {  // a known sentence takes no room; a new one at most this much
    if (graph_.size() + sentence.term.complexity() > limits.max_concepts)
      return full(ForgettingReason::concepts, "concepts");
    if (graph_.hebbian_links().size() + pairs_joined(active.size()) > limits.max_hebbian_links)
      return full(ForgettingReason::links, "Hebbian links");
    if (statements_.size() >= limits.max_statements) return full(ForgettingReason::statements, "statements");
  }
  if ((is_new || learner_) && !has_room(is_new ? sentence.term : Term(), active))
    return full(ForgettingReason::bytes);
  if (learner_) charge(4 * learner_->links_passed(ids_of(active)));  // a hub's may be many

  ++version_;
  ++now_;
  if (is_new) {
    id = static_cast<StatementId>(statements_.size());
    statement_index_.insert(statement_hash(sentence), id);
    if (sentence.term.kind() != TermKind::variable) graph_.intern(sentence.term);
    const std::vector<ConceptId> ids = ids_of(active);
    statements_.push_back({sentence, ids, 0, 0, now_});
  }
  Statement statement = statements_[id];
  bool eternal = false;
  if (!is_new) {
    eternal = sentence.tense.kind == narsese::Tense::Kind::eternal &&
              statement.sentence.tense.kind == narsese::Tense::Kind::eternal;
    const auto revised = narsese::revise(statement.sentence.truth_or_default(), sentence.truth_or_default());
    statement.sentence = sentence;
    if (eternal) statement.sentence.truth = revised;
  }
  const auto [frequency, weight] = sentence.truth_or_default();
  const double denied_before = statement.denied * graph_.kept(now_ - statement.updated);
  statement.evidence = added_evidence(evidence(statement), weight);
  statement.denied = eternal ? (1 - statement.sentence.truth->frequency) * statement.evidence
                             : added_evidence(denied_before, (1 - frequency) * weight);
  statement.updated = now_;
  ++statement.times;
  statements_.set(id, statement);
  total_ = added_evidence(total_evidence(), weight);
  total_updated_ = now_;
  graph_.co_activate(statement.active, weight, now_);
  if (statement.denied != denied_before)
    graph_.deny(statement.active, statement.denied - denied_before, now_);
  if (learner_) learner_->learn(statement.active, frequency * weight, now_);
  limit_terms();
  if (options_.observer != nullptr) options_.observer->accepted(sentence, false);
  return std::optional<StatementId>(id);
}

narsese::Result<std::array<Term, 2>, std::string> Memory::ends_of_link(const Sentence& judgement) const {
  using narsese::print;
  const Term term = judgement.term;
  const auto ends = narsese::link_ends(term);
  if (!ends || !judgement.truth || judgement.asks())
    return std::string("a link is told as a judgement <(*,a,b) --> associated>. %f;c%");
  for (const Term end : *ends)
    if (!holds_activation(end)) return "a link needs two concepts: " + print(end) + " holds no activation";
  const auto [source, target] = *ends;
  if (source == target) return std::string("a concept has no link with itself");
  const auto truth = *judgement.truth;
  if (!(truth.confidence > 0 && truth.confidence < 1))
    return std::string("a link's confidence must be above 0 and below 1");
  if (!(truth.frequency >= 0 && truth.frequency <= 1))
    return std::string("a link's frequency must be in [0, 1]");
  return *ends;
}

narsese::Result<std::uint32_t, std::string> Memory::accept_link(const Sentence& judgement) {
  const MemoryLimits& limits = options_.limits;
  shortage_.reset();
  const auto ends = ends_of_link(judgement);
  if (!ends) return ends.error();
  const Term term = judgement.term;
  const auto [source, target] = *ends;
  const auto truth = *judgement.truth;
  if (graph_.size() + source.complexity() + target.complexity() > limits.max_concepts)
    return full(ForgettingReason::concepts, "concepts");
  if (graph_.hebbian_links().size() >= limits.max_hebbian_links)
    return full(ForgettingReason::links, "Hebbian links");

  Growth growth;
  growth.add(bytes() - graph_.bytes() + beside());
  graph_.add_growth(growth, term, known_concepts(term), 1);
  if (growth.bytes() > limits.max_bytes) return full(ForgettingReason::bytes);

  ++version_;
  const ConceptId a = graph_.intern(source), b = graph_.intern(target);
  total_ = added_evidence(total_evidence(), narsese::to_evidence(truth, narsese::greatest_confidence).total);
  total_updated_ = now_;
  const std::uint32_t link = graph_.tell(std::min(a, b), std::max(a, b), truth, now_);
  limit_terms();
  if (options_.observer != nullptr) options_.observer->accepted(judgement, true);
  return link;
}

}  // namespace engram::core
