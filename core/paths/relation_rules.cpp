// SPDX-License-Identifier: MIT
#include "core/paths/relation_rules.hpp"

#include <algorithm>

#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::Term;
using narsese::TermKind;

constexpr std::size_t most_premises = 4;  // chosen

// <(*, $x, $y) --> r>
struct Part {
  Term from, to;
  ConceptId relation = 0;
};

std::optional<Part> part_of(const Readings& memory, std::span<const std::uint32_t> ids, Term term) {
  if (!term.is(Copula::inheritance) || !term.subject().is(Connector::product)) return std::nullopt;
  const auto arguments = term.subject().components();
  const auto id = std::ranges::find(ids, term.predicate(), [&](ConceptId i) { return memory.terms[i]; });
  if (arguments.size() != 2 || term.predicate().kind() != TermKind::atom || id == ids.end())
    return std::nullopt;
  for (const Term argument : arguments)
    if (argument.kind() != TermKind::variable) return std::nullopt;
  return Part{arguments[0], arguments[1], *id};
}

// The premises in a row from `at` to `to`, each once.
bool find_row(const std::vector<Part>& premises, Term at, Term to, std::vector<bool>& used,
              std::vector<StepSymbol>& row) {
  if (row.size() == premises.size()) return at == to;
  for (std::size_t i = 0; i < premises.size(); ++i) {
    if (used[i]) continue;
    used[i] = true;
    for (const bool back : {false, true}) {
      if ((back ? premises[i].to : premises[i].from) != at) continue;
      row.push_back({StepKind::relation, premises[i].relation, back});
      if (find_row(premises, back ? premises[i].from : premises[i].to, to, used, row)) return true;
      row.pop_back();
    }
    used[i] = false;
  }
  return false;
}

std::optional<RelationRule> read_rule(const Readings& memory, const RulePattern& pattern) {
  const auto ids = memory.episodes.columns_of(static_cast<Index>(pattern.statement));
  const auto conclusion = part_of(memory, ids, pattern.conclusion);
  if (!conclusion || pattern.premises.size() > most_premises) return std::nullopt;
  std::vector<Part> premises;
  for (const Term premise : pattern.premises) {
    const auto part = part_of(memory, ids, premise);
    if (!part) return std::nullopt;
    premises.push_back(*part);
  }
  RelationRule rule{pattern.statement, {StepKind::relation, conclusion->relation, false}, {}};
  std::vector<bool> used(premises.size());
  if (!find_row(premises, conclusion->from, conclusion->to, used, rule.premises)) return std::nullopt;
  return rule;
}

}  // namespace

RelationRules::RelationRules(const Readings& memory) {
  std::vector<RulePattern> patterns;
  for (const StatementId e : memory.rules) {
    spend(4 * memory.statement_terms[e].complexity());
    if (memory.evidence[static_cast<Index>(e)] > 0) add_rule_patterns(e, memory.statement_terms[e], patterns);
  }
  for (const RulePattern& pattern : patterns) {
    const auto rule = read_rule(memory, pattern);
    if (!rule) continue;
    RelationRule turned{rule->statement, rule->conclusion.turned(), {}};
    for (auto step = rule->premises.rbegin(); step != rule->premises.rend(); ++step)
      turned.premises.push_back(step->turned());
    rules_.push_back(*rule);
    rules_.push_back(std::move(turned));
    statements_.push_back(rule->statement);
  }
  statements_.erase(std::unique(statements_.begin(), statements_.end()), statements_.end());
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const auto& premises = rules_[r].premises;
    if (premises.size() == 1) by_one_[premises[0]].push_back(r);
    if (premises.size() > 1) by_two_[{premises[0], premises[1]}].push_back(r);
    for (std::size_t i = 1; i < premises.size(); ++i)
      conclusions_[{premises[i - 1], premises[i]}].insert(rules_[r].conclusion);
  }
}

std::vector<const RelationRule*> RelationRules::of_one(const StepSymbol& premise) const {
  std::vector<const RelationRule*> found;
  if (const auto at = by_one_.find(premise); at != by_one_.end())
    for (const std::size_t r : at->second) found.push_back(&rules_[r]);
  return found;
}

std::vector<const RelationRule*> RelationRules::of_two(const StepSymbol& first,
                                                       const StepSymbol& second) const {
  std::vector<const RelationRule*> found;
  if (const auto at = by_two_.find({first, second}); at != by_two_.end())
    for (const std::size_t r : at->second) found.push_back(&rules_[r]);
  return found;
}

RelationRules::Joined RelationRules::joined(const StepSymbol& first, const StepSymbol& second,
                                            const StepSymbol& asked) const {
  const auto found = conclusions_.find({first, second});
  if (found == conclusions_.end()) return {};
  return {true, found->second.contains(asked)};
}

std::set<StepSymbol> RelationRules::corners(const StepSymbol& asked, bool first) const {
  std::set<StepSymbol> known{asked};
  for (std::vector<StepSymbol> open{asked}; !open.empty();) {
    const StepSymbol symbol = open.back();
    open.pop_back();
    for (const RelationRule& rule : rules_) {
      spend(1);
      if (rule.conclusion != symbol) continue;
      const StepSymbol& corner = first ? rule.premises.front() : rule.premises.back();
      if (known.insert(corner).second) open.push_back(corner);
    }
  }
  return known;
}

}  // namespace engram::core
