// SPDX-License-Identifier: MIT
#include "core/retrieval/question_match.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/retrieval/unification.hpp"
#include "narsese/term_queries.hpp"
#include "narsese/variables.hpp"

namespace engram::core {

using narsese::Term;

namespace {

Term substituted(Term term, const Bindings& bindings, narsese::TermTable& table) {
  if (!term.has_variables()) return term;
  if (term.kind() == narsese::TermKind::variable) {
    const auto found = std::ranges::find(bindings, term, &std::pair<Term, Term>::first);
    return found == bindings.end() ? term : found->second;
  }
  std::vector<Term> parts;
  for (const Term part : term.components()) parts.push_back(substituted(part, bindings, table));
  return table.with_components(term, parts);
}

}  // namespace

bool fits(Term question, Term statement, narsese::TermTable& table) try {
  if (question == statement) return true;
  if (!narsese::has_variable(question, narsese::VariableKind::query)) return false;
  Bindings bindings;
  if (!match(question, statement, bindings)) return false;
  for (const auto& [variable, value] : bindings)
    if (variable.variable_kind() != narsese::VariableKind::query && variable != value) return false;
  return narsese::number_variables(table, substituted(question, bindings, table)) == statement;
} catch (const narsese::TermTableFull&) {  // so it is none that the table has
  return false;
}

}  // namespace engram::core
