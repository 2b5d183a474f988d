// SPDX-License-Identifier: MIT
#include "core/reasoner/general_rules.hpp"

#include <algorithm>

#include "core/numbers/work_budget.hpp"
#include "narsese/term.hpp"

namespace engram::core {

using narsese::Term;

namespace {

constexpr TermLimits instance_limits{};

// Work of unifying a part with a term, in multiplications.
constexpr std::uint64_t binding_work = 100;

}  // namespace

void GeneralRules::add(const TemporalRule& rule) {
  if (rules_.size() == max_rules) return;
  if (marked_) {
    table_.rollback();
    table_.unmark();
    marked_ = false;
  }
  narsese::TermCopies copies(table_);
  TemporalRule& own = rules_.emplace_back(rule);
  for (Term& condition : own.conditions) condition = copies(condition);
  if (own.operation) own.operation = copies(own.operation);
  own.postcondition = copies(own.postcondition);
}

// Unifies `part` with `fact`, and sets `bound` to the instance of the rule.
bool GeneralRules::bind(const TemporalRule& rule, Term part, Term fact, TemporalRule& bound) {
  charge(binding_work);
  unifier_.begin({true, Bindable::Dependent::own, false});
  if (!unifier_.unify(part, fact)) return false;
  bound = rule;
  const auto substitute = [&](Term& term) {
    term = unifier_.substitute(term, instance_limits);
    return bool(term);
  };
  return std::ranges::all_of(bound.conditions, substitute) && substitute(bound.postcondition) &&
         (!bound.operation || substitute(bound.operation));
}

// Adds all instances of a rule without variables to `found`.
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
  for (std::size_t i = known.size(); i-- > 0 && found.size() < max_instances;)
    if (bind(rule, *open, known[i], bound)) complete(bound, known, found);
}

// Invalidates all terms of the table that belong to no rule.
void GeneralRules::drop_temporary_terms() {
  if (marked_)
    table_.rollback();
  else
    table_.mark();
  marked_ = true;
}

bool GeneralRules::needs(Term term) {
  if (rules_.empty()) return false;
  drop_temporary_terms();
  narsese::TermCopies copies(table_);
  const Term own = copies(term);
  TemporalRule bound;
  return std::ranges::any_of(rules_, [&](const TemporalRule& rule) {
    return std::ranges::any_of(rule.conditions, [&](Term part) { return bind(rule, part, own, bound); });
  });
}

std::vector<TemporalRule> GeneralRules::instances(Term fact, std::span<const Term> known) {
  drop_temporary_terms();
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
    if (found.size() >= max_instances) break;
  }
  return found;
}

}  // namespace engram::core
