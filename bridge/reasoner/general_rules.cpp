// SPDX-License-Identifier: MIT
#include "bridge/reasoner/general_rules.hpp"

#include <algorithm>

#include "core/numbers/work_budget.hpp"
#include "narsese/term_copies.hpp"

namespace engram::bridge {

using narsese::Term;

namespace {

constexpr TermLimits limits_of_instances{};

// One comparison of a part with a term, in multiplications.
constexpr std::uint64_t work_of_binding = 100;

}  // namespace

void GeneralRules::add(const TemporalRule& rule) {
  if (rules_.size() == most_rules) return;
  if (marked_) {
    table_.give_back();
    table_.unmark();
    marked_ = false;
  }
  narsese::TermCopies copies(table_);
  TemporalRule& own = rules_.emplace_back(rule);
  for (Term& condition : own.conditions) condition = copies(condition);
  if (own.operation) own.operation = copies(own.operation);
  own.postcondition = copies(own.postcondition);
}

// The rule with what its variables stand for if `part` is `fact`.
bool GeneralRules::bind(const TemporalRule& rule, Term part, Term fact, TemporalRule& bound) {
  core::charge(work_of_binding);
  unifier_.begin({true, Bindable::Dependent::own, false});
  if (!unifier_.unify(part, fact)) return false;
  bound = rule;
  const auto substitute = [&](Term& term) {
    term = unifier_.substitute(term, limits_of_instances);
    return bool(term);
  };
  return std::ranges::all_of(bound.conditions, substitute) && substitute(bound.postcondition) &&
         (!bound.operation || substitute(bound.operation));
}

void GeneralRules::complete(const TemporalRule& rule, std::span<const Term> known,
                            std::vector<TemporalRule>& found) {
  const auto open = std::ranges::find_if(rule.conditions, &Term::has_variables);
  if (open == rule.conditions.end()) {
    const bool is_ground =
        !rule.postcondition.has_variables() && (!rule.operation || !rule.operation.has_variables());
    if (is_ground) found.push_back(rule);
    return;
  }
  TemporalRule bound;
  for (std::size_t i = known.size(); i-- > 0 && found.size() < most_instances;)
    if (bind(rule, *open, known[i], bound)) complete(bound, known, found);
}

// Terms that are not of rules are void from now on.
void GeneralRules::begin() {
  if (marked_)
    table_.give_back();
  else
    table_.mark();
  marked_ = true;
}

bool GeneralRules::needs(Term term) {
  if (rules_.empty()) return false;
  begin();
  narsese::TermCopies copies(table_);
  const Term own = copies(term);
  TemporalRule bound;
  return std::ranges::any_of(rules_, [&](const TemporalRule& rule) {
    return std::ranges::any_of(rule.conditions, [&](Term part) { return bind(rule, part, own, bound); });
  });
}

std::vector<TemporalRule> GeneralRules::instances(Term fact, std::span<const Term> known) {
  begin();
  narsese::TermCopies copies(table_);
  const Term own = copies(fact);
  std::vector<Term> all;
  all.reserve(known.size());
  for (const Term term : known) all.push_back(copies(term));
  std::vector<TemporalRule> found;
  TemporalRule bound;
  for (const TemporalRule& rule : rules_) {
    for (const Term condition : rule.conditions)
      if (bind(rule, condition, own, bound)) complete(bound, all, found);
    if (bind(rule, rule.postcondition, own, bound)) complete(bound, all, found);
    if (found.size() >= most_instances) break;
  }
  return found;
}

}  // namespace engram::bridge
