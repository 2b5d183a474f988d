// SPDX-License-Identifier: MIT
#include "core/index/hops.hpp"

#include <algorithm>
#include <map>

#include "core/index/proof_rules.hpp"
#include "core/index/unification.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::sole_name;
using narsese::Term;
using narsese::TermKind;

// The name of the only event of a term such as a or (&/, a, ^go).
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

// The class b of <$1 --> b>, <$1 --> [b]> or <$1 --> {b}>; no term for any other term.
Term class_of_variable(Term term) {
  const bool is_one = term.is(Copula::inheritance) && term.subject().kind() == TermKind::variable;
  const Term name = is_one ? sole_name(term.predicate()) : Term();
  return name && name.kind() == TermKind::atom ? name : Term();
}

// Relations from the classes in a rule's premises to the class in its conclusion.
std::vector<Relation> relations_of_rule(Term rule) {
  std::vector<RulePattern> patterns;
  add_rule_patterns(0, rule, patterns);
  std::vector<Relation> found;
  if (patterns.size() != 1) return found;  // an equivalence has two directions
  const Term to = class_of_variable(patterns[0].conclusion);
  for (const Term premise : patterns[0].premises)
    if (const auto stated = between(class_of_variable(premise), to, StepKind::implication))
      found.push_back(*stated);
  return found;
}

// All relations of a statement. For the kind `other`, these are all pairs of its names.
std::vector<Relation> relations(Term term) {
  if (term.has_variables()) return relations_of_rule(term);
  if (const auto stated = relation_of(term)) return {*stated};
  constexpr std::size_t most_names = 8;  // chosen: the number of pairs grows with the square
  std::vector<Term> names;
  for (const Leaf& leaf : leaves(term))
    if (leaf.term.kind() == TermKind::atom && std::ranges::find(names, leaf.term) == names.end())
      names.push_back(leaf.term);
  std::vector<Relation> found;
  if (names.size() > most_names) return found;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      found.push_back({names[i], names[j], Term(), StepKind::other});
  return found;
}

// Names with their roles.
using NamesInRoles = std::vector<std::pair<Term, NameRole>>;

void add_names(Term term, NameRole role, NamesInRoles& found) {
  for (const Leaf& leaf : leaves(term))
    if (leaf.term.kind() != TermKind::variable) found.emplace_back(leaf.term, role);
}

NamesInRoles names_in_roles(Term term) {
  NamesInRoles found;
  if (narsese::is_higher_order(term) && term.has_variables()) {
    std::vector<RulePattern> patterns;
    add_rule_patterns(0, term, patterns);
    for (const RulePattern& pattern : patterns) {
      add_names(pattern.conclusion, NameRole::conclusion, found);
      for (const Term premise : pattern.premises) add_names(premise, NameRole::other, found);
    }
  } else if (const auto stated = relation_of(term)) {
    found = {{stated->from, NameRole::first}, {stated->to, NameRole::second}};
    if (stated->relation) found.emplace_back(stated->relation, NameRole::relation);
  }
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

void HopIndex::catch_up(const Memory& memory) {
  constexpr std::size_t prefetched = 16;  // statements ahead of the current one; chosen
  by_name_.resize(memory.graph().size());
  for (; statements_ < memory.statements().size(); ++statements_) {
    const auto e = static_cast<StatementId>(statements_);
    const Term term = memory.statements().term(e);
    const auto active = memory.statements().active(e);
    if (const std::size_t next = statements_ + prefetched; next < memory.statements().size())
      for (const ConceptId id : memory.statements().active(static_cast<StatementId>(next))) {
        memory.graph().prefetch(id);
        by_name_.prefetch(id);
      }
    charge(4 * term.complexity() + active.size());
    const auto id_of = [&](Term name) {
      return std::ranges::find(active, name, [&](ConceptId i) { return memory.graph().term(i); });
    };
    for (const Relation& stated : relations(term)) {
      const auto from = id_of(stated.from), to = id_of(stated.to);
      const auto relation = stated.relation ? id_of(stated.relation) : from, none = active.end();
      if (from == none || to == none || relation == none) continue;
      const Hop hop{e, *to, stated.relation ? *relation : 0, stated.kind, false};
      by_name_.push(*from, hop);
      by_name_.push(*to, hop.reversed(*from));
    }
  }
}

RoleKeys split_by_role(const SparseRows& keys, std::span<const Term> terms,
                       std::span<const Term> statement_terms) {
  const auto n = static_cast<std::uint32_t>(keys.columns());
  RoleKeys split{SparseRows(static_cast<Index>(name_roles) * keys.columns()), {}};
  split.keys.reserve(keys.rows(), keys.entries() + keys.entries() / 8);
  split.kinds.reserve(statement_terms.size());
  std::map<std::uint32_t, double> row;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index e = 0; e < keys.rows(); ++e) {
    const Term statement = statement_terms[static_cast<std::size_t>(e)];
    charge(4 * statement.complexity());
    const auto stated = relation_of(statement);
    split.kinds.push_back(stated && !statement.has_variables() ? stated->kind : StepKind::other);
    const NamesInRoles names = names_in_roles(statement);
    row.clear();
    const auto ids = keys.columns_of(e);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      bool has_role = false;
      for (const auto& [name, role] : names)
        if (name == terms[ids[i]]) {
          row[static_cast<std::uint32_t>(role) * n + ids[i]] = keys.values_of(e)[i];
          has_role = true;
        }
      if (!has_role) row[static_cast<std::uint32_t>(NameRole::other) * n + ids[i]] = keys.values_of(e)[i];
    }
    columns.clear();
    values.clear();
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    split.keys.push_row(columns, values);
  }
  return split;
}

}  // namespace engram::core
