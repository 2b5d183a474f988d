// SPDX-License-Identifier: MIT
#include "core/index/proof_rules.hpp"

#include "core/numbers/work_budget.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Connector;
using narsese::Term;
using narsese::TermKind;

void add_conjuncts(Term term, std::vector<Term>& premises) {
  if (!term.is(Connector::conjunction) && !term.is(Connector::sequence) && !term.is(Connector::parallel)) {
    if (term.kind() != TermKind::interval) premises.push_back(term);
    return;
  }
  for (const Term part : term.components()) add_conjuncts(part, premises);
}

void add_rule(std::uint32_t statement, Term condition, Term consequence, std::vector<RulePattern>& rules) {
  constexpr std::size_t most_premises = 8;
  RulePattern rule{statement, {}, consequence};
  add_conjuncts(condition, rule.premises);
  while (is_implication(rule.conclusion)) {
    add_conjuncts(rule.conclusion.subject(), rule.premises);
    rule.conclusion = rule.conclusion.predicate();
  }
  if (!rule.premises.empty() && rule.premises.size() <= most_premises) rules.push_back(std::move(rule));
}

}  // namespace

void add_rule_patterns(std::uint32_t statement, Term term, std::vector<RulePattern>& rules) {
  if (!narsese::is_higher_order(term)) return;
  const Term left = term.subject(), right = term.predicate();
  add_rule(statement, left, right, rules);
  if (!is_implication(term)) add_rule(statement, right, left, rules);
}

std::pair<Term, bool> without_negation(Term term) {
  bool is_negated = false;
  while (term.is(Connector::negation)) {
    term = term.components()[0];
    is_negated = !is_negated;
  }
  return {term, is_negated};
}

void ProofRules::catch_up(const Memory& memory, std::span<const StatementId> rules) {
  constexpr std::size_t bytes_of_one = 256;  // a few premises, and the entries of the index
  for (; known_ < rules.size(); ++known_) {
    const Term term = memory.statements().term(rules[known_]);
    charge(4 * term.complexity());
    const std::size_t before = rules_.size();
    add_rule_patterns(rules[known_], term, rules_);
    bytes_ += bytes_of_one * (rules_.size() - before);
    for (std::size_t rule = before; rule < rules_.size(); ++rule) index(static_cast<std::uint32_t>(rule));
  }
}

void ProofRules::index(std::uint32_t rule) {
  const Term conclusion = without_negation(rules_[rule].conclusion).first;
  Term predicate;
  if (conclusion.kind() == TermKind::statement && !conclusion.predicate().has_variables() &&
      !conclusion.subject().is(Connector::intensional_image))
    predicate = conclusion.predicate();
  // <$1 --> (/, r, _, b)> says <(*, $1, b) --> r>.
  if (predicate && predicate.is(Connector::extensional_image)) predicate = predicate.components()[0];
  if (predicate)
    by_predicate_[predicate].push_back(rule);
  else
    of_any_predicate_.push_back(rule);
}

}  // namespace engram::core
