// SPDX-License-Identifier: MIT
#include "narsese/term_queries.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "narsese/printer.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

using Terms = std::vector<Term>;

Term compound_of(TermTable& table, Connector connector, Terms parts) {
  return table.compound(connector, parts);
}

/// The variables, permuted within each kind.
Terms permuted(Random& random, const Terms& variables) {
  Terms renamed = variables;
  for (const auto kind : {VariableKind::independent, VariableKind::dependent, VariableKind::query}) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i].variable_kind() == kind) places.push_back(i);
    std::vector<std::size_t> targets = places;
    random.shuffle(targets);
    for (std::size_t i = 0; i < places.size(); ++i) renamed[places[i]] = variables[targets[i]];
  }
  return renamed;
}

/// The least term over all renamings of the variables to 1, 2, ... This is a slow but simple canonical form.
Term least_renaming(TermTable& table, Term term) {
  Terms variables, targets;
  collect_variables(term, variables);
  std::sort(variables.begin(), variables.end(),
            [](Term a, Term b) { return a.variable_kind() < b.variable_kind(); });
  std::array<std::int64_t, 3> next{1, 1, 1};
  for (const Term variable : variables)
    targets.push_back(
        table.variable(variable.variable_kind(), next[static_cast<std::size_t>(variable.variable_kind())]++));
  const auto less = [](Term a, Term b) { return compare(a, b) < 0; };
  std::sort(targets.begin(), targets.end(), less);
  Term least;
  do {
    bool same_kinds = true;
    for (std::size_t i = 0; i < variables.size(); ++i)
      same_kinds = same_kinds && variables[i].variable_kind() == targets[i].variable_kind();
    if (!same_kinds) continue;
    const Term renamed = replace(table, term, variables, targets);
    if (!least || less(renamed, least)) least = renamed;
  } while (std::next_permutation(targets.begin(), targets.end(), less));
  return least;
}

/// The conjunction (&&,<$a --> $b>,..) with a statement for each pair (a, b).
Term graph(TermTable& table, const std::vector<std::array<std::int64_t, 2>>& edges) {
  Terms statements;
  for (const auto [from, to] : edges)
    statements.push_back(table.statement(Copula::inheritance, table.variable(VariableKind::independent, from),
                                         table.variable(VariableKind::independent, to)));
  return table.compound(Connector::conjunction, statements);
}

}  // namespace

TEST_CASE("variables are numbered from one for each kind", "[narsese][variables]") {
  TermTable table;
  const auto var = [&](VariableKind kind, std::int64_t number) { return table.variable(kind, number); };
  const Term term = compound_of(table, Connector::product,
                                {var(VariableKind::dependent, 9), var(VariableKind::independent, 7),
                                 var(VariableKind::dependent, 4), var(VariableKind::dependent, 9)});
  CHECK(print(number_variables(table, term)) == "(*,#1,$1,#2,#1)");
}

TEST_CASE("a term without variables does not change", "[narsese][variables]") {
  TermTable table;
  const Term term = compound_of(table, Connector::conjunction, {table.atom("b"), table.atom("a")});
  const std::size_t size = table.size();
  CHECK(number_variables(table, term) == term);
  CHECK(table.size() == size);
}

TEST_CASE("a chain of statements is one term for any initial numbering", "[narsese][variables]") {
  TermTable table;
  std::vector<std::int64_t> names{1, 2, 3, 4};
  const Term canonical = number_variables(table, graph(table, {{1, 2}, {2, 3}, {3, 4}}));
  do {
    const Term renamed = graph(table, {{names[0], names[1]}, {names[1], names[2]}, {names[2], names[3]}});
    CAPTURE(print(renamed));
    CHECK(print(number_variables(table, renamed)) == print(canonical));
  } while (std::next_permutation(names.begin(), names.end()));
}

TEST_CASE("the order with the least numbers from the left wins", "[narsese][variables]") {
  TermTable table;
  const auto var = [&](std::int64_t number) { return table.variable(VariableKind::independent, number); };
  const auto inherits = [&](std::int64_t from, std::int64_t to) {
    return table.statement(Copula::inheritance, var(from), var(to));
  };
  const Term syllogism = table.statement(
      Copula::implication, compound_of(table, Connector::conjunction, {inherits(1, 2), inherits(3, 1)}),
      inherits(3, 2));
  CHECK(print(number_variables(table, syllogism)) == "<(&&,<$1 --> $2>,<$2 --> $3>) ==> <$1 --> $3>>");
  CHECK(print(number_variables(table, graph(table, {{3, 4}, {4, 1}, {2, 3}}))) ==
        "(&&,<$1 --> $2>,<$2 --> $3>,<$3 --> $4>)");
  const Term sides =
      table.statement(Copula::similarity, compound_of(table, Connector::product, {var(2), var(1)}),
                      compound_of(table, Connector::product, {var(2), var(2)}));
  CHECK(print(number_variables(table, sides)) == "<(*,$1,$1) <-> (*,$1,$2)>");
}

TEST_CASE("rings of statements are distinguished and recognised under every numbering",
          "[narsese][variables]") {
  // In each ring, all variables have equal neighbourhoods. The graphs are one ring of six, and two rings of three.
  const std::vector<std::array<std::int64_t, 2>> six{{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 1}};
  const std::vector<std::array<std::int64_t, 2>> threes{{1, 2}, {2, 3}, {3, 1}, {4, 5}, {5, 6}, {6, 4}};
  TermTable table;
  Terms canonical;
  for (const auto& ring : {six, threes}) {
    canonical.push_back(number_variables(table, graph(table, ring)));
    std::vector<std::int64_t> names{1, 2, 3, 4, 5, 6};
    std::size_t different = 0;
    do {
      auto edges = ring;
      for (auto& edge : edges)
        for (auto& end : edge) end = names[static_cast<std::size_t>(end - 1)];
      different += !(number_variables(table, graph(table, edges)) == canonical.back());
    } while (std::next_permutation(names.begin(), names.end()));
    CAPTURE(print(canonical.back()));
    CHECK(different == 0);
  }
  CHECK_FALSE(canonical[0] == canonical[1]);
}

TEST_CASE("similar variables that are not interchangeable are distinguished", "[narsese][variables]") {
  // One ring of six and two rings of three form one term. All twelve variables have equal neighbourhoods.
  const std::vector<std::array<std::int64_t, 2>> rings{{1, 2}, {2, 3}, {3, 4}, {4, 5},   {5, 6},   {6, 1},
                                                       {7, 8}, {8, 9}, {9, 7}, {10, 11}, {11, 12}, {12, 10}};
  Random random(20);
  TermTable table;
  const Term canonical = number_variables(table, graph(table, rings));
  std::vector<std::int64_t> names(12);
  std::iota(names.begin(), names.end(), 1);
  std::size_t different = 0;
  for (int i = 0; i < 200; ++i) {
    random.shuffle(names);
    auto edges = rings;
    for (auto& edge : edges)
      for (auto& end : edge) end = names[static_cast<std::size_t>(end - 1)];
    different += !(number_variables(table, graph(table, edges)) == canonical);
  }
  CHECK(different == 0);
}

TEST_CASE("number_variables is idempotent", "[narsese][variables]") {
  for (const TermShape& shape : shapes_with_variables()) {
    Random random(17);
    TermTable table;
    RandomTerms terms(random, table, shape);
    std::string counterexample;
    std::size_t with_variables = 0;
    for (int i = 0; i < 1000 && counterexample.empty(); ++i) {
      const Term term = terms.term(), once = number_variables(table, term);
      with_variables += term.has_variables();
      if (!(number_variables(table, once) == once)) counterexample = print(term);
    }
    CHECK(counterexample == "");
    CHECK(with_variables > 500);
  }
}

TEST_CASE("number_variables does not depend on the names of variables", "[narsese][variables]") {
  for (const TermShape& shape : shapes_with_variables(4)) {
    Random random(18);
    TermTable table;
    RandomTerms terms(random, table, shape);
    std::string counterexample;
    for (int i = 0; i < 1000 && counterexample.empty(); ++i) {
      const Term term = terms.term();
      Terms variables;
      collect_variables(term, variables);
      const Term renamed = replace(table, term, variables, permuted(random, variables));
      if (!(number_variables(table, renamed) == number_variables(table, term)))
        counterexample = print(term) + " and " + print(renamed);
    }
    CHECK(counterexample == "");
  }
}

TEST_CASE("number_variables only renames: the least renaming stays the same", "[narsese][variables]") {
  Random random(19);
  TermTable table;
  RandomTerms terms(random, table, {.components = 3, .variable_kinds = 2, .variables = 3, .leaf_rarity = 8});
  std::string counterexample;
  std::size_t tried = 0;
  for (int i = 0; i < 300 && counterexample.empty(); ++i) {
    const Term term = terms.term();
    if (!term.has_variables()) continue;
    ++tried;
    const Term numbered = number_variables(table, term);
    if (!(least_renaming(table, numbered) == least_renaming(table, term))) counterexample = print(term);
    Terms variables;
    collect_variables(numbered, variables);
    std::array<std::int64_t, 3> most{0, 0, 0}, count{0, 0, 0};
    for (const Term variable : variables) {
      const auto kind = static_cast<std::size_t>(variable.variable_kind());
      most[kind] = std::max(most[kind], variable.number());
      ++count[kind];
    }
    if (most != count) counterexample = print(term) + " has gaps in its numbers: " + print(numbered);
  }
  CHECK(counterexample == "");
  CHECK(tried > 100);
}
