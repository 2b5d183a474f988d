// SPDX-License-Identifier: MIT
#include "core/retrieval/proof_rules.hpp"

#include "core/numbers/work_budget.hpp"

namespace engram::core {

using narsese::Connector;
using narsese::Term;
using narsese::TermKind;

std::pair<Term, bool> without_negation(Term term) {
  bool is_negated = false;
  while (term.is(Connector::negation)) {
    term = term.components()[0];
    is_negated = !is_negated;
  }
  return {term, is_negated};
}

void ProofRules::catch_up(const Memory& memory, std::span<const StatementId> rules) {
  constexpr std::size_t bytes_of_one = 256;  // a few premises, and its places in the index
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
