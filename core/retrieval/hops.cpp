// SPDX-License-Identifier: MIT
#include "core/retrieval/hops.hpp"

#include <algorithm>

#include "core/numbers/work_budget.hpp"
#include "core/retrieval/unification.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::sole_name;
using narsese::Term;
using narsese::TermKind;

constexpr std::size_t prefetch_distance = 16;  // statements ahead of the current one; chosen

// What happens, of an event alone or with operations: (&/, a, ^go).
Term sole_event(Term term) {
  if (!term.is(Connector::sequence) && !term.is(Connector::parallel)) return sole_name(term);
  Term event;
  for (const Term part : term.components()) {
    if (part.kind() == TermKind::op || part.kind() == TermKind::interval) continue;
    if (event) return Term();
    event = sole_name(part);
    if (!event) return Term();
  }
  return event;
}

std::optional<Relation> between(Term from, Term to, StepKind kind, Term relation = Term()) {
  if (!from || !to || from == to) return std::nullopt;
  return Relation{from, to, relation, kind};
}

// From the classes that a rule's premises name to that of its conclusion.
std::vector<Relation> of_rule(Term rule) {
  std::vector<RulePattern> patterns;
  add_rule_patterns(0, rule, patterns);
  std::vector<Relation> found;
  if (patterns.size() != 1) return found;  // of an equivalence, which has two readings, none
  const Term to = class_of_variable(patterns[0].conclusion);
  for (const Term premise : patterns[0].premises)
    if (const auto stated = between(class_of_variable(premise), to, StepKind::implication))
      found.push_back(*stated);
  return found;
}

// Of what is of no kind all pairs of names.
std::vector<Relation> relations(Term term) {
  if (term.has_variables()) return of_rule(term);
  if (const auto stated = relation_of(term)) return {*stated};
  std::vector<Term> names;
  for (const Leaf& leaf : leaves(term))
    if (leaf.term.kind() == TermKind::atom && std::ranges::find(names, leaf.term) == names.end())
      names.push_back(leaf.term);
  std::vector<Relation> found;
  if (names.size() > most_named) return found;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      found.push_back({names[i], names[j], Term(), StepKind::other});
  return found;
}

}  // namespace

std::optional<Relation> relation_of(Term term) {
  if (term.kind() != TermKind::statement) return std::nullopt;
  const Term subject = term.subject(), predicate = term.predicate();
  if (term.is(Copula::inheritance) && subject.is(Connector::product)) {
    const auto arguments = subject.components();
    const Term relation = sole_name(predicate);
    if (arguments.size() != 2 || !relation) return std::nullopt;
    return between(sole_name(arguments[0]), sole_name(arguments[1]), StepKind::relation, relation);
  }
  if (term.is(Copula::inheritance))
    return between(sole_name(subject), sole_name(predicate), StepKind::inheritance);
  if (term.is(Copula::similarity))
    return between(sole_name(subject), sole_name(predicate), StepKind::similarity);
  return between(sole_event(subject), sole_event(predicate),
                 narsese::is_implication(term) ? StepKind::implication : StepKind::similarity);
}

Term class_of_variable(Term term) {
  const bool is_one = term.is(Copula::inheritance) && term.subject().kind() == TermKind::variable;
  const Term name = is_one ? sole_name(term.predicate()) : Term();
  return name && name.kind() == TermKind::atom ? name : Term();
}

void HopIndex::catch_up(const Memory& memory) {
  by_name_.resize(memory.graph().size());
  for (; statements_ < memory.statements().size(); ++statements_) {
    const auto e = static_cast<StatementId>(statements_);
    const narsese::Term said = memory.statements().term(e);
    const auto active = memory.statements().active(e);
    if (const std::size_t next = statements_ + prefetch_distance; next < memory.statements().size())
      for (const ConceptId id : memory.statements().active(static_cast<StatementId>(next))) {
        memory.graph().prefetch(id);
        by_name_.prefetch(id);
      }
    charge(4 * said.complexity() + active.size());
    const auto id_of = [&](Term name) {
      return std::ranges::find(active, name, [&](ConceptId i) { return memory.graph().term(i); });
    };
    for (const Relation& stated : relations(said)) {
      const auto from = id_of(stated.from), to = id_of(stated.to);
      const auto relation = stated.relation ? id_of(stated.relation) : from, none = active.end();
      if (from == none || to == none || relation == none) continue;
      Hop hop{e, *to, stated.relation ? *relation : 0, stated.kind, false};
      by_name_.push(*from, hop);
      hop = hop.turned();
      hop.to = *from;
      by_name_.push(*to, hop);
    }
  }
}

}  // namespace engram::core
