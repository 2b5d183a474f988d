// SPDX-License-Identifier: MIT
#include "narsese/printer.hpp"
#include "narsese/term_queries.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "narsese/parser.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

TEST_CASE("terms are printed in the canonical spelling", "[narsese][printer]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b"), op = table.op("go");
  const auto compound = [&](Connector connector, std::vector<Term> parts) {
    return print(table.compound(connector, parts));
  };
  const auto image = [&](Connector connector, std::vector<Term> parts, std::size_t position) {
    return print(table.image(connector, parts, position));
  };
  CHECK(print(a) == "a");
  CHECK(print(op) == "^go");
  CHECK(print(table.variable(VariableKind::independent, 1)) == "$1");
  CHECK(print(table.variable(VariableKind::dependent, 2)) == "#2");
  CHECK(print(table.variable(VariableKind::query, 30)) == "?30");
  CHECK(print(table.interval(5)) == "+5");
  CHECK(print(table.statement(Copula::retrospective_implication, a, b)) == "<a =\\> b>");
  CHECK(compound(Connector::product, {b, a, op}) == "(*,b,a,^go)");
  CHECK(compound(Connector::negation, {a}) == "(--,a)");
  CHECK(compound(Connector::extensional_set, {b, a}) == "{a,b}");
  CHECK(compound(Connector::intensional_set, {a}) == "[a]");
  CHECK(image(Connector::extensional_image, {a}, 1) == "(/,a,_)");
  CHECK(image(Connector::extensional_image, {a, b}, 1) == "(/,a,_,b)");
  CHECK(image(Connector::extensional_image, {a, b}, 2) == "(/,a,b,_)");
  CHECK(image(Connector::intensional_image, {a, b, a}, 2) == "(\\,a,b,_,a)");
}

TEST_CASE("every connector and copula prints its own symbol", "[narsese][printer]") {
  TermTable table;
  const Term a = table.atom("a"), b = table.atom("b");
  for (const CopulaFacts& rule : copulas)
    CHECK(print(table.statement(rule.copula, a, b)) == "<a " + std::string(rule.text) + " b>");
  for (const ConnectorFacts& rule : connectors) {
    if (is_set(rule.connector) || is_image(rule.connector)) continue;
    const std::vector<Term> parts = rule.max_arity == 1 ? std::vector{a} : std::vector{a, b};
    CHECK(print(table.compound(rule.connector, parts)) ==
          "(" + std::string(rule.text) + (rule.max_arity == 1 ? ",a)" : ",a,b)"));
  }
}

TEST_CASE("values print in their written forms", "[narsese][printer]") {
  CHECK(print(TruthValue{}) == "%1;0.9%");
  CHECK(print(TruthValue{0.25, 0.0}) == "%0.25;0%");
  CHECK(print(BudgetValue{}) == "$0.8;0.5;0.95$");
  CHECK(print(Tense{}) == "");
  CHECK(print(Tense{Tense::Kind::past, 0}) == ":\\:");
  CHECK(print(Tense{Tense::Kind::present, 0}) == ":|:");
  CHECK(print(Tense{Tense::Kind::future, 0}) == ":/:");
  CHECK(print(Tense{Tense::Kind::offset, 5}) == ":+5:");
  CHECK(print(Tense{Tense::Kind::offset, 0}) == ":+0:");
  CHECK(print(Tense{Tense::Kind::offset, -5}) == ":-5:");
  CHECK(print(Tense{Tense::Kind::offset, INT64_MIN}) == ":-9223372036854775808:");
  CHECK(print(Tense{Tense::Kind::at, 12}) == ":!12:");
}

TEST_CASE("a sentence prints only the parts that it has", "[narsese][printer]") {
  TermTable table;
  Sentence sentence{table.atom("a"), Punctuation::goal, {}, std::nullopt, std::nullopt};
  CHECK(print(sentence) == "a!");
  sentence.tense = {Tense::Kind::present, 0};
  CHECK(print(sentence) == "a! :|:");
  sentence.truth = TruthValue{1, 0.5};
  CHECK(print(sentence) == "a! :|: %1;0.5%");
  sentence.budget = BudgetValue{0.5, 0.25, 1};
  CHECK(print(sentence) == "$0.5;0.25;1$ a! :|: %1;0.5%");
  sentence.tense = {};
  CHECK(print(sentence) == "$0.5;0.25;1$ a! %1;0.5%");
}

TEST_CASE("numbers print with the fewest digits that read back exactly", "[narsese][printer]") {
  CHECK(print_number(0) == "0");
  CHECK(print_number(1) == "1");
  CHECK(print_number(0.1) == "0.1");
  CHECK(print_number(1.0 / 3.0) == "0.3333333333333333");
  CHECK(print_number(0.1 + 0.2) == "0.30000000000000004");
  CHECK(print_number(1e-7) == "0.0000001");  // no exponent, because not every system reads exponents
  Random random(41);
  std::vector<double> numbers{0.0, -0.0, std::numeric_limits<double>::min(),
                              std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()};
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random.next();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) numbers.push_back(number);
    numbers.push_back(random.unit());
  }
  std::size_t different = 0;
  for (const double number : numbers) {
    const double back = std::strtod(print_number(number).c_str(), nullptr);
    different += std::memcmp(&back, &number, sizeof number) != 0;
  }
  CHECK(different == 0);
}

TEST_CASE("a blank separates a name that ends like a copula from the next bracket", "[narsese][printer]") {
  // Without a blank, <x --> a--> would be read as <x --> a --> and an incomplete rest.
  TermTable table;
  for (const std::string name : {"a--", "a==", "a=/", "a=|", "a=\\", "a-", "a=", "a|", "a/", "a~", "a:"})
    for (const std::string before : {"", "^"}) {
      const auto written = parse_term("(" + before + name + " * b)", table);
      CAPTURE(before + name);
      REQUIRE(written);
      const Term term = written->components()[0];
      for (const Term around : {table.statement(Copula::inheritance, table.atom("x"), term),
                                table.statement(Copula::inheritance, term, table.atom("x")),
                                table.compound(Connector::intensional_set, std::array{term}),
                                table.compound(Connector::extensional_set, std::array{term}),
                                table.image(Connector::extensional_image, std::array{term}, 1),
                                table.compound(Connector::product, std::array{term})}) {
        CAPTURE(print(around));
        const auto back = parse_term(print(around), table);
        REQUIRE(back);
        CHECK(*back == around);
      }
    }
}

TEST_CASE("a printed term reads back as the same term", "[narsese][printer][law]") {
  Random random(42);
  std::string counterexample;
  for (int block = 0; block < 10 && counterexample.empty(); ++block) {
    TermTable table;
    RandomTerms terms(random, table, {.depth = 5});
    for (int i = 0; i < 200 && counterexample.empty(); ++i) {
      const Term term = number_variables(table, terms.term());
      const auto back = parse_term(print(term), table);
      if (!back || !(*back == term)) counterexample = print(term);
    }
  }
  CHECK(counterexample == "");
}

TEST_CASE("a printed sentence reads back as the same sentence and prints the same text",
          "[narsese][printer][law]") {
  Random random(43);
  std::string counterexample;
  for (int block = 0; block < 20 && counterexample.empty(); ++block) {
    TermTable table, other;
    RandomTerms terms(random, table);
    for (int i = 0; i < 500 && counterexample.empty(); ++i) {
      const Sentence sentence = terms.sentence();
      const std::string text = print(sentence);
      const auto back = parse_sentence(text, table);
      if (!back)
        counterexample = text + " : " + back.error().message();
      else if (!(*back == sentence))
        counterexample = text + " is read as " + print(*back);
      const auto elsewhere = parse_sentence(text, other);
      if (!elsewhere || print(*elsewhere) != text) counterexample = text + " in another table";
    }
  }
  CHECK(counterexample == "");
}
