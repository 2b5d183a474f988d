// SPDX-License-Identifier: MIT
#include "core/retrieval/name_places.hpp"

#include <algorithm>
#include <map>

#include "core/numbers/work_budget.hpp"
#include "core/retrieval/unification.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Term;

// A name and where it stands.
using Placed = std::vector<std::pair<Term, NamePlace>>;

void add_names(Term of, NamePlace place, Placed& found) {
  for (const Leaf& leaf : leaves(of))
    if (leaf.term.kind() != narsese::TermKind::variable) found.emplace_back(leaf.term, place);
}

Placed places_in(Term term) {
  Placed found;
  if (narsese::is_higher_order(term) && term.has_variables()) {
    std::vector<RulePattern> patterns;
    add_rule_patterns(0, term, patterns);
    for (const RulePattern& pattern : patterns) {
      add_names(pattern.conclusion, NamePlace::conclusion, found);
      for (const Term premise : pattern.premises) add_names(premise, NamePlace::other, found);
    }
  } else if (const auto stated = relation_of(term)) {
    found = {{stated->from, NamePlace::first}, {stated->to, NamePlace::second}};
    if (stated->relation) found.emplace_back(stated->relation, NamePlace::relation);
  }
  return found;
}

}  // namespace

PlacedKeys placed_keys(const SparseRows& keys, std::span<const Term> terms,
                       std::span<const Term> statement_terms) {
  const auto n = static_cast<std::uint32_t>(keys.columns());
  PlacedKeys made{SparseRows(static_cast<Index>(name_places) * keys.columns()), {}};
  made.keys.reserve(keys.rows(), keys.entries() + keys.entries() / 8);
  made.kinds.reserve(statement_terms.size());
  std::map<std::uint32_t, double> row;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index e = 0; e < keys.rows(); ++e) {
    const Term statement = statement_terms[static_cast<std::size_t>(e)];
    charge(4 * statement.complexity());
    const auto stated = relation_of(statement);
    made.kinds.push_back(stated && !statement.has_variables() ? stated->kind : StepKind::other);
    const Placed placed = places_in(statement);
    row.clear();
    const auto ids = keys.columns_of(e);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      bool stands = false;
      for (const auto& [name, place] : placed)
        if (name == terms[ids[i]]) {
          row[static_cast<std::uint32_t>(place) * n + ids[i]] = keys.values_of(e)[i];
          stands = true;
        }
      if (!stands) row[static_cast<std::uint32_t>(NamePlace::other) * n + ids[i]] = keys.values_of(e)[i];
    }
    columns.clear();
    values.clear();
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    made.keys.push_row(columns, values);
  }
  return made;
}

}  // namespace engram::core
