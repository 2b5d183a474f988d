// SPDX-License-Identifier: MIT
// What is left of a memory when a part is forgotten.
#include <algorithm>
#include <numeric>

#include "core/graph/memory.hpp"
#include "core/graph/memory_image.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

using narsese::Term;

std::vector<ConceptGraph::ToldLink> ConceptGraph::told_links(const std::vector<bool>& links) const {
  std::vector<ToldLink> found;
  if (rare_links_.empty()) return found;
  std::vector<std::pair<std::uint32_t, ConceptId>> told;  // with the source of each
  for (ConceptId id = 0; id < size(); ++id)
    for (const std::uint32_t number : links_of(id))
      if (links[number] && links_[number].updated >= first_rare)
        if (const HebbianLink one = link(number, id); one.source == id && one.told.confidence > 0)
          told.emplace_back(number, id);
  std::ranges::sort(told);
  for (const auto& [number, source] : told) {
    const HebbianLink one = link(number, source);
    found.push_back({term(one.source), term(one.target), one.told, one.updated});
  }
  return found;
}

void LinkLearner::keep(std::span<const ConceptId> numbers) {
  LinkLearner kept(options_);
  kept.total_ = total_;
  kept.step_ = step_;
  kept.last_ = last_;
  for (std::size_t id = 0; id < units_.size(); ++id) {
    if (numbers[id] == Renumbering::gone) continue;
    kept.make_units(numbers[id] + std::size_t{1});
    kept.units_[numbers[id]] = units_[id];
  }
  for (const Link& before : links_) {
    ConceptId to = numbers[before.to], from = numbers[before.from];
    if (to == Renumbering::gone || from == Renumbering::gone) continue;
    if (symmetric_ && to > from) std::swap(to, from);
    Link& own = kept.link(to, from);
    own.weight = before.weight;
    own.step = before.step;
  }
  for (const ConceptId id : before_)
    if (numbers[id] != Renumbering::gone) kept.before_.push_back(numbers[id]);
  *this = std::move(kept);
}

std::size_t Memory::bytes_to_forget() const {
  // Statements while they are copied, and the terms and new numbers of concepts; or all terms while they move.
  const std::size_t numbers = statements_.size() * 2 * sizeof(std::uint32_t) +
                              graph_.size() * (sizeof(Term) + sizeof(std::uint32_t)) +
                              (learner_ ? 2 * learner_->bytes() : 0);
  const std::size_t handles = (graph_.size() + statements_.size()) * sizeof(Term);
  return std::max(statements_.bytes() + numbers, terms_.reserved_bytes() + handles);
}

Renumbering Memory::keep(const std::vector<bool>& kept_statements, const std::vector<bool>& kept_links,
                         ForgettingReason reason) {
  require(kept_statements.size() == statements_.size() && kept_links.size() == graph_.hebbian_links().size(),
          "of each statement and link it must be said whether it is kept");
  ++version_;
  std::vector<ConceptGraph::ToldLink> told = graph_.told_links(kept_links);
  Renumbering numbers;
  numbers.concepts.assign(graph_.size(), Renumbering::gone);
  numbers.statements.assign(statements_.size(), Renumbering::gone);
  std::vector<Term> terms;
  terms.reserve(graph_.size());
  for (ConceptId id = 0; id < graph_.size(); ++id) terms.push_back(graph_.term(id));
  graph_ = ConceptGraph(options_.decay);  // before another stands beside it
  statement_index_ = narsese::HashIndex();

  const Statements before = std::exchange(statements_, Statements());
  std::vector<ConceptId> active;
  for (StatementId e = 0; e < before.size(); ++e) {
    if (!kept_statements[e]) continue;
    Statement statement = before[e];
    const auto id = static_cast<StatementId>(statements_.size());
    numbers.statements[e] = id;
    if (statement.sentence.term.kind() != narsese::TermKind::variable) graph_.intern(statement.sentence.term);
    active.clear();
    for (const ConceptId old : statement.active) {
      ConceptId& number = numbers.concepts[old];
      if (number == Renumbering::gone) number = *graph_.find(terms[old]);
      active.push_back(number);
    }
    std::ranges::sort(active);
    statement.active = active;
    statement_index_.insert(statement_hash(statement.sentence), id);
    statements_.push_back(statement);
  }

  std::vector<StatementId> by_time(statements_.size());
  std::iota(by_time.begin(), by_time.end(), 0U);
  std::ranges::stable_sort(by_time, {}, [&](StatementId e) { return statements_.updated(e); });
  total_ = 0;
  total_updated_ = 0;
  const auto add_to_total = [&](double evidence, Time now) {
    total_ = added_evidence(total_ * graph_.kept(now - total_updated_), evidence);
    total_updated_ = now;
  };
  for (const auto& one : told)
    for (const Term end : {one.source, one.target}) graph_.intern(end);
  std::ranges::stable_sort(told, {}, &ConceptGraph::ToldLink::updated);
  auto next_told = told.begin();
  const auto tell_until = [&](Time time) {
    for (; next_told != told.end() && next_told->updated <= time; ++next_told) {
      const ConceptId a = *graph_.find(next_told->source), b = *graph_.find(next_told->target);
      add_to_total(narsese::to_evidence(next_told->truth, narsese::greatest_confidence).total,
                   next_told->updated);
      graph_.tell(std::min(a, b), std::max(a, b), next_told->truth, next_told->updated);
    }
  };
  std::vector<ConceptGraph::Episode> episodes;  // a few that follow one another
  constexpr std::size_t few = 128;
  const auto activate = [&] {
    graph_.co_activate(episodes);
    episodes.clear();
  };
  for (const StatementId e : by_time) {
    const Statement statement = statements_[e];
    const Time moment_before = statement.updated - std::min<Time>(statement.updated, 1);
    if (next_told != told.end() && next_told->updated <= moment_before) {
      activate();
      tell_until(moment_before);
    }
    add_to_total(statement.evidence, statement.updated);
    episodes.push_back({statement.active, statement.evidence, statement.updated});
    if (statement.denied != 0 || episodes.size() == few) activate();
    if (statement.denied != 0) graph_.deny(statement.active, statement.denied, statement.updated);
  }
  activate();
  tell_until(now_);
  for (std::size_t old = 0; old < terms.size(); ++old)
    if (numbers.concepts[old] == Renumbering::gone)
      numbers.concepts[old] = graph_.find(terms[old]).value_or(Renumbering::gone);
  if (learner_) learner_->keep(numbers.concepts);
  limit_terms();
  if (options_.observer != nullptr) options_.observer->kept(kept_statements, kept_links, reason);
  return numbers;
}

bool Memory::could_hold(const narsese::Sentence& sentence) const {
  const MemoryLimits& limits = options_.limits;
  return sentence.term.complexity() <= limits.max_concepts && limits.max_statements > 0 &&
         pairs_joined(active_terms(sentence.term).size()) <= limits.max_hebbian_links;
}

void Memory::give_back_forgotten_terms() {
  constexpr std::size_t few = 1024;
  if (terms_.size() <= graph_.size() + unnamed_ + graph_.size() / 4 + few) return;
  ++version_;
  std::vector<Term> kept;
  kept.reserve(graph_.size() + statements_.size());
  for (ConceptId id = 0; id < graph_.size(); ++id) kept.push_back(graph_.term(id));
  for (StatementId e = 0; e < statements_.size(); ++e) kept.push_back(statements_.term(e));
  terms_.keep_only(kept);
  const std::span all(kept);
  graph_.rename(0, all.first(graph_.size()));
  for (StatementId e = 0; e < statements_.size(); ++e) statements_.rename(e, kept[graph_.size() + e]);
  limit_terms();
  unnamed_ = terms_.size() - std::min(terms_.size(), graph_.size());
}

}  // namespace engram::core
