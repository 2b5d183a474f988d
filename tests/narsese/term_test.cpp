// SPDX-License-Identifier: MIT
#include "narsese/term.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "narsese/printer.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

using Terms = std::vector<Term>;

Term image(TermTable& table, Connector connector, Terms parts, std::size_t position) {
  return table.image(connector, parts, position);
}

Term compound(TermTable& table, Connector connector, Terms parts) { return table.compound(connector, parts); }

/// Copies a term into another table, part by part.
Term copy(TermTable& table, Term term) {
  switch (term.kind()) {
    case TermKind::atom:
      return table.atom(term.name());
    case TermKind::op:
      return table.op(term.name());
    case TermKind::variable:
      return table.variable(term.variable_kind(), term.number());
    case TermKind::interval:
      return table.interval(term.number());
    default:
      break;
  }
  Terms parts;
  for (const Term component : term.components()) parts.push_back(copy(table, component));
  if (term.kind() == TermKind::statement) return table.statement(term.copula(), parts[0], parts[1]);
  return is_image(term.connector()) ? table.image(term.connector(), parts, term.image_position())
                                    : table.compound(term.connector(), parts);
}

}  // namespace

// --- accessors

TEST_CASE("a default term is empty", "[narsese][term]") {
  TermTable table;
  CHECK_FALSE(Term());
  CHECK(Term() == Term());
  CHECK(table.atom("a"));
  CHECK_FALSE(table.atom("a") == Term());
}

TEST_CASE("accessors return the parts of a term", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b");

  CHECK(a.kind() == TermKind::atom);
  CHECK(a.name() == "a");
  CHECK(a.components().empty());
  CHECK(a.depth() == 1);
  CHECK(a.complexity() == 1);

  const Term op = table.op("go");
  CHECK(op.kind() == TermKind::op);
  CHECK(op.name() == "go");
  CHECK_FALSE(op == table.atom("go"));

  const Term variable = table.variable(VariableKind::query, 3);
  CHECK(variable.kind() == TermKind::variable);
  CHECK(variable.variable_kind() == VariableKind::query);
  CHECK(variable.number() == 3);
  CHECK(variable.has_variables());
  CHECK_FALSE(a.has_variables());

  const Term interval = table.interval(5);
  CHECK(interval.kind() == TermKind::interval);
  CHECK(interval.number() == 5);

  const Term statement = table.statement(Copula::implication, b, a);
  CHECK(statement.kind() == TermKind::statement);
  CHECK(statement.copula() == Copula::implication);
  CHECK(statement.is(Copula::implication));
  CHECK_FALSE(statement.is(Copula::inheritance));
  CHECK_FALSE(statement.is(Connector::product));
  CHECK(statement.subject() == b);
  CHECK(statement.predicate() == a);

  const Term product = compound(table, Connector::product, {statement, variable, a});
  CHECK(product.is(Connector::product));
  CHECK_FALSE(product.is(Connector::conjunction));
  CHECK_FALSE(product.is(Copula::inheritance));
  CHECK(product.components().size() == 3);
  CHECK(product.components()[0] == statement);
  CHECK(product.components()[2] == a);
  CHECK(product.depth() == 3);
  CHECK(product.complexity() == 6);
  CHECK(product.has_variables());
}

TEST_CASE("an image keeps its relation first and its placeholder as a position", "[narsese][term]") {
  TermTable table;
  const Term r = table.atom("R"), b = table.atom("B");
  const Term first = image(table, Connector::extensional_image, {r, b}, 1);
  const Term second = image(table, Connector::extensional_image, {r, b}, 2);
  CHECK(first.image_position() == 1);
  CHECK(second.image_position() == 2);
  CHECK(first.components().size() == 2);
  CHECK(first.components()[0] == r);
  CHECK_FALSE(first == second);
  CHECK(first.hash() != second.hash());
  CHECK_FALSE(first == image(table, Connector::intensional_image, {r, b}, 1));
  CHECK_FALSE(first == image(table, Connector::extensional_image, {b, r}, 1));
}

TEST_CASE("the tables of facts are in the order of their enumerations", "[narsese][symbols]") {
  for (std::size_t i = 0; i < copulas.size(); ++i) CHECK(static_cast<std::size_t>(copulas[i].copula) == i);
  for (std::size_t i = 0; i < connectors.size(); ++i)
    CHECK(static_cast<std::size_t>(connectors[i].connector) == i);
  CHECK(facts(Copula::retrospective_equivalence).text == "<\\>");
  CHECK(facts(Connector::parallel).text == "&|");
  CHECK(symbol(VariableKind::dependent) == '#');
  CHECK(symbol(Punctuation::quest) == '@');
  CHECK(is_set(Connector::intensional_set));
  CHECK_FALSE(is_set(Connector::product));
  CHECK(is_image(Connector::intensional_image));
  CHECK_FALSE(is_image(Connector::negation));
}

// --- one object for each meaning

TEST_CASE("equal terms of a table are one object", "[narsese][term]") {
  Random random(11);
  TermTable table;
  Terms first;
  RandomTerms terms(random, table);
  for (int i = 0; i < 2000; ++i) first.push_back(terms.term());
  const std::size_t size = table.size();
  std::size_t different = 0;
  for (const Term term : first) different += !(copy(table, term) == term);
  CHECK(different == 0);
  CHECK(table.size() == size);
}

TEST_CASE("terms of a bulk load are found afterwards, and equal ones are refused", "[narsese][term]") {
  TermTable whole;
  whole.atom("known before");
  whole.begin_bulk_load();
  const Term fresh = whole.atom("fresh");
  std::vector<Term> made;
  for (int i = 0; i < 3000; ++i) {
    const Term atom = whole.atom("a" + std::to_string(i));
    made.push_back(atom);
    made.push_back(whole.statement(Copula::inheritance, atom, fresh));
    made.push_back(whole.interval(i));
    made.push_back(whole.variable(VariableKind::independent, i + 1));
    made.push_back(whole.compound(Connector::product, std::array{atom, made[made.size() - 3], fresh}));
  }
  const std::size_t before = whole.size();
  whole.end_bulk_load();
  CHECK(before == 1);
  CHECK(whole.size() == made.size() + 2);
  std::size_t different = 0;
  for (const Term term : made) different += !(copy(whole, term) == term);
  CHECK(different == 0);
  CHECK(whole.atom("fresh") == fresh);
  CHECK(whole.size() == made.size() + 2);

  whole.begin_bulk_load();
  whole.atom("another");
  whole.atom("known before");
  CHECK_THROWS_AS(whole.end_bulk_load(), std::invalid_argument);
}

TEST_CASE("a term has the same hash, text, depth and complexity in two tables", "[narsese][term]") {
  Random random(12);
  TermTable table, other;
  for (int i = 0; i < 50; ++i) other.atom("filler" + std::to_string(i));
  RandomTerms terms(random, table);
  std::size_t different = 0;
  for (int i = 0; i < 2000; ++i) {
    const Term term = terms.term(), twin = copy(other, term);
    different += term == twin;  // terms of different tables are never equal
    different += compare(term, twin) != 0;
    different += term.hash() != twin.hash() || print(term) != print(twin) || term.depth() != twin.depth() ||
                 term.complexity() != twin.complexity() || term.has_variables() != twin.has_variables();
  }
  CHECK(different == 0);
}

TEST_CASE("different terms have different hashes", "[narsese][term]") {
  Random random(13);
  TermTable table;
  RandomTerms terms(random, table);
  Terms made;
  for (int i = 0; i < 5000; ++i) made.push_back(terms.term());
  std::sort(made.begin(), made.end(), [](Term a, Term b) { return compare(a, b) < 0; });
  made.erase(std::unique(made.begin(), made.end()), made.end());
  std::vector<std::uint64_t> hashes;
  for (const Term term : made) hashes.push_back(term.hash());
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
  CHECK(made.size() > 2000);
}

TEST_CASE("terms stay valid when their table grows or moves", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a");
  for (int i = 0; i < 10000; ++i) table.atom("x" + std::to_string(i));
  TermTable moved(std::move(table));
  CHECK(a.name() == "a");
  CHECK(moved.atom("a") == a);
  CHECK(moved.size() == 10001);
}

TEST_CASE("an atom copies its name", "[narsese][term]") {
  TermTable table;
  std::string name = "temporary";
  const Term term = table.atom(name);
  name = "overwrites";
  CHECK(term.name() == "temporary");
  const std::string binary("a\0b", 3);
  CHECK(table.atom(binary).name() == binary);
  CHECK_FALSE(table.atom(binary) == table.atom("a"));
}

TEST_CASE("variables of different kinds and intervals are different terms", "[narsese][term]") {
  TermTable table;
  const Terms all{table.variable(VariableKind::independent, 1),
                  table.variable(VariableKind::dependent, 1),
                  table.variable(VariableKind::query, 1),
                  table.variable(VariableKind::independent, 2),
                  table.interval(1),
                  table.interval(2),
                  table.atom("1"),
                  table.op("1")};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all.size(); ++k) CHECK((all[i] == all[k]) == (i == k));
}

// --- commutative compounds, symmetric copulas ---

TEST_CASE("components of a commutative compound are sorted and unique", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b"), c = table.atom("c");
  for (const ConnectorFacts& rule : connectors) {
    if (is_image(rule.connector) || rule.max_arity < 3) continue;
    CAPTURE(rule.text);
    const Term sorted = compound(table, rule.connector, {a, b, c});
    CHECK((compound(table, rule.connector, {c, a, b}) == sorted) == rule.commutative);
    CHECK((compound(table, rule.connector, {a, b, b, c, a}) == sorted) == rule.commutative);
  }
}

TEST_CASE("exactly these connectors and copulas are commutative", "[narsese][term]") {
  std::string commutative;
  for (const ConnectorFacts& rule : connectors)
    if (rule.commutative) commutative += std::string(rule.text) + ' ';
  CHECK(commutative == "{ [ & | && || &| ");
  std::string symmetric;
  for (const CopulaFacts& rule : copulas)
    if (rule.symmetric) symmetric += std::string(rule.text) + ' ';
  CHECK(symmetric == "<-> <=> <|> ");
}

TEST_CASE("a connector with one remaining component vanishes, but a set stays", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a");
  for (const auto connector : {Connector::conjunction, Connector::disjunction, Connector::parallel,
                               Connector::extensional_intersection, Connector::intensional_intersection})
    CHECK(compound(table, connector, {a, a, a}) == a);
  for (const auto connector : {Connector::extensional_set, Connector::intensional_set}) {
    const Term set = compound(table, connector, {a, a});
    CHECK(set.is(connector));
    CHECK(set.components().size() == 1);
  }
  CHECK(compound(table, Connector::sequence, {a, a}).components().size() == 2);
  CHECK(compound(table, Connector::product, {a}).components().size() == 1);
}

TEST_CASE("only symmetric copulas allow exchanging the sides", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a"), b = compound(table, Connector::product, {a, table.atom("b")});
  for (const CopulaFacts& rule : copulas) {
    CAPTURE(rule.text);
    CHECK((table.statement(rule.copula, a, b) == table.statement(rule.copula, b, a)) == rule.symmetric);
  }
}

TEST_CASE("shuffling components changes exactly the non-commutative terms", "[narsese][term]") {
  Random random(14);
  TermTable table;
  RandomTerms terms(random, table);
  std::size_t wrong = 0, shuffled = 0;
  for (int i = 0; i < 3000; ++i) {
    const Term term = terms.term();
    if (term.components().size() < 2) continue;
    Terms parts(term.components().begin(), term.components().end());
    random.shuffle(parts);
    const bool moved = !std::equal(parts.begin(), parts.end(), term.components().begin());
    const bool commutative = term.kind() == TermKind::statement ? facts(term.copula()).symmetric
                                                                : facts(term.connector()).commutative;
    wrong += (table.with_components(term, parts) == term) != (commutative || !moved);
    shuffled += moved;
  }
  CHECK(wrong == 0);
  CHECK(shuffled > 500);
}

// --- the order ---

TEST_CASE("compare is a total order, equal only for the same text", "[narsese][term]") {
  Random random(15);
  TermTable table, other;
  // Few and small terms, so equal terms and long common prefixes are frequent.
  RandomTerms terms(random, table, {.depth = 3, .components = 2, .variables = 1, .leaf_rarity = 3});
  const auto sign = [](Term a, Term b) {
    const auto order = compare(a, b);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  };
  std::size_t wrong = 0, equal = 0;
  for (int i = 0; i < 10000; ++i) {
    const Term a = terms.term(), b = terms.term(), c = terms.term(), foreign_b = copy(other, b);
    wrong += sign(a, a) != 0 || sign(b, foreign_b) != 0;
    wrong += sign(a, b) != -sign(b, a);
    wrong += sign(a, b) != sign(a, foreign_b);
    wrong += (sign(a, b) == 0) != (print(a) == print(b)) || (sign(a, b) == 0) != (a == b);
    Terms three{a, b, c};
    std::sort(three.begin(), three.end(), [&](Term x, Term y) { return sign(x, y) < 0; });
    wrong += sign(three[0], three[1]) > 0 || sign(three[1], three[2]) > 0 || sign(three[0], three[2]) > 0;
    if (sign(a, b) <= 0 && sign(b, c) <= 0) wrong += sign(a, c) > 0;
    equal += a == b;
  }
  CHECK(wrong == 0);
  CHECK(equal > 100);
}

TEST_CASE("compare orders by kind, symbol, number of components, then components", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b"), z = table.atom("z");
  const Terms rising{a,
                     b,
                     z,
                     table.op("a"),
                     table.variable(VariableKind::independent, 1),
                     table.variable(VariableKind::independent, 2),
                     table.variable(VariableKind::independent, 10),
                     table.variable(VariableKind::dependent, 1),
                     table.variable(VariableKind::query, 1),
                     table.interval(2),
                     table.interval(10),
                     compound(table, Connector::product, {z}),
                     compound(table, Connector::product, {a, b}),
                     compound(table, Connector::product, {a, z}),
                     compound(table, Connector::product, {b, a}),
                     compound(table, Connector::extensional_set, {a}),
                     compound(table, Connector::parallel, {a, b}),
                     table.statement(Copula::inheritance, a, b),
                     table.statement(Copula::inheritance, a, z),
                     table.statement(Copula::inheritance, b, a),
                     table.statement(Copula::similarity, a, b)};
  for (std::size_t i = 0; i + 1 < rising.size(); ++i) {
    CAPTURE(print(rising[i]), print(rising[i + 1]));
    CHECK((compare(rising[i], rising[i + 1]) < 0));
  }
}

// --- with_components ---

TEST_CASE("with_components keeps the symbol and takes the components", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b"), c = table.atom("c");
  const auto with = [&](Term term, Terms parts) { return table.with_components(term, parts); };
  CHECK(with(table.statement(Copula::similarity, a, b), {c, a}) == table.statement(Copula::similarity, a, c));
  CHECK(with(image(table, Connector::intensional_image, {a, b}, 2), {b, c}) ==
        image(table, Connector::intensional_image, {b, c}, 2));
  CHECK(with(compound(table, Connector::conjunction, {a, b}), {c, b, a}) ==
        compound(table, Connector::conjunction, {a, b, c}));
  CHECK(with(compound(table, Connector::conjunction, {a, b}), {c, c}) == c);
  CHECK(with(a, {}) == a);
  CHECK_THROWS_AS(with(table.statement(Copula::similarity, a, b), {a}), std::invalid_argument);
  CHECK_THROWS_AS(with(table.statement(Copula::similarity, a, b), {a, b, c}), std::invalid_argument);
  CHECK_THROWS_AS(with(compound(table, Connector::extensional_difference, {a, b}), {a}),
                  std::invalid_argument);
  CHECK_THROWS_AS(with(image(table, Connector::intensional_image, {a, b}, 2), {a}), std::invalid_argument);
}

TEST_CASE("with_components returns the same term for its own components", "[narsese][term]") {
  Random random(16);
  TermTable table;
  RandomTerms terms(random, table);
  std::size_t different = 0;
  for (int i = 0; i < 2000; ++i) {
    const Term term = terms.term();
    different += !(table.with_components(term, term.components()) == term);
  }
  CHECK(different == 0);
}

// --- invalid terms

TEST_CASE("each connector limits its number of components", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b"), c = table.atom("c");
  const std::array<Terms, 4> lists{Terms{}, Terms{a}, Terms{a, b}, Terms{a, b, c}};
  for (const ConnectorFacts& rule : connectors) {
    if (is_image(rule.connector)) continue;
    for (const Terms& parts : lists) {
      CAPTURE(rule.text, parts.size());
      if (parts.size() < rule.min_arity || parts.size() > rule.max_arity)
        CHECK_THROWS_AS(table.compound(rule.connector, parts), std::invalid_argument);
      else
        CHECK(table.compound(rule.connector, parts).components().size() == parts.size());
    }
  }
}

TEST_CASE("an image needs an image connector, a relation and a valid position", "[narsese][term]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b");
  CHECK_THROWS_AS(compound(table, Connector::extensional_image, {a, b}), std::invalid_argument);
  CHECK_THROWS_AS(image(table, Connector::product, {a, b}, 1), std::invalid_argument);
  CHECK_THROWS_AS(image(table, Connector::extensional_image, {}, 1), std::invalid_argument);
  CHECK_THROWS_AS(image(table, Connector::extensional_image, {a, b}, 0), std::invalid_argument);
  CHECK_THROWS_AS(image(table, Connector::extensional_image, {a, b}, 3), std::invalid_argument);
  CHECK(image(table, Connector::extensional_image, {a}, 1).components().size() == 1);
}

TEST_CASE("a name must not be empty or beyond the limit", "[narsese][term]") {
  TermTable table;
  const std::string longest(TermTable::max_name_bytes, 'x');
  CHECK(table.atom(longest).name().size() == longest.size());
  CHECK(table.op(longest).name().size() == longest.size());
  CHECK_THROWS_AS(table.atom(""), std::invalid_argument);
  CHECK_THROWS_AS(table.op(""), std::invalid_argument);
  CHECK_THROWS_AS(table.atom(longest + 'x'), std::invalid_argument);
  CHECK_THROWS_AS(table.op(longest + 'x'), std::invalid_argument);
}

TEST_CASE("variables start at one, intervals at zero", "[narsese][term]") {
  TermTable table;
  CHECK(table.variable(VariableKind::independent, 1).number() == 1);
  CHECK_THROWS_AS(table.variable(VariableKind::independent, 0), std::invalid_argument);
  CHECK_THROWS_AS(table.variable(VariableKind::query, -1), std::invalid_argument);
  CHECK(table.interval(0).number() == 0);
  CHECK(table.interval(INT64_MAX).number() == INT64_MAX);
  CHECK_THROWS_AS(table.interval(-1), std::invalid_argument);
}

TEST_CASE("a term has at most max_components components", "[narsese][term]") {
  TermTable table;
  Terms parts;
  for (std::size_t i = 0; i < TermTable::max_components; ++i)
    parts.push_back(table.interval(static_cast<std::int64_t>(i)));
  CHECK(table.compound(Connector::extensional_set, parts).components().size() == parts.size());
  parts.push_back(table.atom("one too many"));
  CHECK_THROWS_AS(table.compound(Connector::extensional_set, parts), std::invalid_argument);
  CHECK_THROWS_AS(table.compound(Connector::product, parts), std::invalid_argument);
}

TEST_CASE("a term has at most max_depth levels", "[narsese][term]") {
  TermTable table;
  Term term = table.atom("a");
  while (term.depth() < TermTable::max_depth) term = compound(table, Connector::negation, {term});
  CHECK(term.complexity() == TermTable::max_depth);
  CHECK(print(term).size() == 1 + 5 * (TermTable::max_depth - 1));
  CHECK_THROWS_AS(compound(table, Connector::negation, {term}), std::invalid_argument);
  CHECK_THROWS_AS(table.statement(Copula::inheritance, table.atom("a"), term), std::invalid_argument);
}

TEST_CASE("names with equal hashes are different terms", "[narsese][term]") {
  // The index keeps only 32 bits of each hash. Whatever the key is, about ten pairs of this many names have the same
  // bits.
  constexpr int names = 300'000;
  TermTable table;
  std::vector<Term> terms;
  for (int i = 0; i < names; ++i) terms.push_back(table.atom("n" + std::to_string(i)));
  CHECK(table.size() == names);
  int different = 0;
  for (int i = 0; i < names; ++i) {
    const std::string name = "n" + std::to_string(i);
    different += terms[static_cast<std::size_t>(i)].name() != name;
    different += !(table.atom(name) == terms[static_cast<std::size_t>(i)]);
  }
  CHECK(different == 0);
}

TEST_CASE("names that collide under one key do not collide under another", "[narsese][term_hash]") {
  // An attacker who does not know the key of a process cannot write a file whose names all share one slot.
  const TermHash known({0x0123456789abcdefULL, 0xfedcba9876543211ULL, 0x9e3779b97f4a7c15ULL}), secret;
  constexpr std::uint64_t slots = 1024;
  std::set<std::uint64_t> slots_of_secret;
  int crafted = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string name = "n" + std::to_string(i);
    const TermLabel label{TermKind::atom, 0, 0, static_cast<std::uint32_t>(name.size())};
    name.resize(name.size() + scan_bytes);
    if (known.name(label, name.data()) % slots != 7) continue;
    ++crafted;
    slots_of_secret.insert(secret.name(label, name.data()) % slots);
  }
  CHECK(crafted > 100);
  CHECK(slots_of_secret.size() > 100);  // 178 of 195 are expected
}

TEST_CASE("the hash of a name does not depend on the bytes after it", "[narsese][term_hash]") {
  const TermHash hash;
  std::set<std::uint64_t> hashes;
  for (std::uint32_t size = 1; size <= 70; ++size) {
    const TermLabel label{TermKind::atom, 0, 0, size};
    const std::string name(size, 'a');
    const std::uint64_t with_zeros = hash.name(label, (name + std::string(16, '\0')).data());
    CHECK(with_zeros == hash.name(label, (name + "bcdefghijklmnopqr").data()));
    hashes.insert(with_zeros);
    for (std::uint32_t i = 0; i < size; ++i) {  // a change of any byte changes the hash
      std::string other = name + std::string(16, '\0');
      other[i] = 'b';
      hashes.insert(hash.name(label, other.data()));
    }
  }
  CHECK(hashes.size() == 70 + 70 * 71 / 2);
}
