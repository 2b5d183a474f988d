// SPDX-License-Identifier: MIT
#include "narsese/parser.hpp"
#include "narsese/term_queries.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/printer.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

Sentence good(std::string_view text, TermTable& table) {
  const auto sentence = parse_sentence(text, table);
  INFO(text << " : " << (sentence ? "" : sentence.error().message()));
  REQUIRE(sentence);
  return *sentence;
}

}  // namespace

// --- all spellings of every construct

TEST_CASE("all spellings of a term give one term", "[narsese][parser]") {
  // The first spelling of each row is the canonical one.
  const std::vector<std::vector<std::string>> rows{
      // Spellings of statements
      {"<a --> b>", "<a-->b>", "(a --> b)", "(a-->b)", "< a  -->\tb >", "<a -->b>", "<a--> b>"},
      {"<a <-> b>", "<b <-> a>", "<b<->a>", "(a <-> b)"},
      {"<a ==> b>", "<a==>b>", "(a ==> b)"},
      {"<a <=> b>", "<b<=>a>", "(b <=> a)"},
      {"<a =/> b>", "<a=/>b>", "(a =/> b)"},
      {"<a =|> b>", "<a=|>b>", "(a =|> b)"},
      {"<a =\\> b>", "<a=\\>b>", "(a =\\> b)"},
      {"<a </> b>", "<a</>b>", "(a </> b)"},
      {"<a <|> b>", "<b<|>a>", "(b <|> a)"},
      {"<a <\\> b>", "<a<\\>b>", "(a <\\> b)"},
      {"<{a} --> b>", "<a {-- b>", "<a{--b>", "(a {-- b)", "<{a}-->b>", "<{ a }-->b>"},
      {"<a --> [b]>", "<a --] b>", "<a--]b>", "(a --] b)", "<a-->[b]>"},
      {"<{a} --> [b]>", "<a {-] b>", "<a{-]b>", "(a {-] b)", "<{a} --] b>", "<a {-- [b]>"},
      {"<<a --> b> ==> <c --> d>>", "<(a --> b) ==> (c --> d)>", "((a --> b) ==> (c --> d))",
       "<<a-->b>==><c-->d>>"},
      // Spellings of compounds
      {"(*,a,b)", "(a * b)", "(* a b)", "(a*b)", "( * , a , b )", "(*, a b)", "(* a, b)", "(*\ta\tb)"},
      {"(*,a,b,c)", "(a * b * c)", "(* a b c)", "(a*b*c)"},
      {"(*,a)", "(* a)", "( *,a )"},
      {"(&,a,b)", "(a & b)", "(& a b)", "(b & a)", "(&,b,a)", "(&,a,b,a)", "(b&a)"},
      {"(|,a,b)", "(a | b)", "(| a b)", "(b | a)", "(|,b,a)", "(a | b | a)"},
      {"(-,a,b)", "(a - b)", "(- a b)", "(- a, b)"},
      {"(~,a,b)", "(a ~ b)", "(~ a b)"},
      {"(--,a)", "(-- a)", "(!,a)", "(! a)", "( -- a )"},
      {"(&&,a,b)", "(a && b)", "(&& a b)", "(b && a)", "(&&,b,a)", "(a&&b)", "(&&,a,a,b)"},
      {"(||,a,b)", "(a || b)", "(|| a b)", "(b || a)", "(||,b,a)", "(a||b)"},
      {"(&/,a,b)", "(a &/ b)", "(&/ a b)", "(a&/b)"},
      {"(&|,a,b)", "(a &| b)", "(&| a b)", "(b &| a)", "(b&|a)"},
      {"(&&,a,b,c)", "(a && b && c)", "(c && b && a && b)", "(&&,c,a,b)", "(&& b a c)"},
      {"(&&,b,(--,a))", "(b && (! a))", "((--,a) && b)"},
      {"a", "(&&,a,a)", "(a && a)", "(|,a,a,a)", " a ", "\ta"},
      {"{a}", "{ a }", "{a,a}", "{a a}"},
      {"{a,b}", "{a b}", "{b,a}", "{b a}", "{ a , b }", "{a\tb}", "{a,b,a}"},
      {"[a,b]", "[a b]", "[b,a]", "[ b  a ]"},
      {"{a,b,c}", "{c b a}", "{c,b a}"},
      {"[{a},[b]]", "[{a} [b]]", "[[b] {a}]", "[[b],{a}]"},
      // Spellings of images
      {"(/,R,_,B)", "(R /1 B)", "(/ R _ B)", "( / , R , _ , B )", "( R  /1  B )", "(/, R _, B)"},
      {"(/,R,A,_)", "(R /2 A)", "(/ R A _)", "(/,R,A, _ )"},
      {"(\\,R,_,B)", "(R \\1 B)", "(\\ R _ B)"},
      {"(\\,R,A,_)", "(R \\2 A)", "(\\ R A _)"},
      {"(/,R,A,_,C)", "(/ R A _ C)"},
      {"(/,R,_)", "(/ R _)"},
      // Spellings of operations
      {"<(*,{SELF},x) --> ^op>", "(^op,{SELF},x)", "<({SELF} * x) --> ^op>", "(^op, {SELF}, x)",
       "(({SELF} * x) --> ^op)", "(^op,{SELF} x)", "( ^op , {SELF} , x )"},
      {"<(*,{SELF}) --> ^op>", "(^op,{SELF})", "<(* {SELF}) --> ^op>"},
      {"^op"},
      {"(*,^op,a)", "(^op * a)"},
      {"<^op --> a>", "(^op --> a)"},
      // Spellings of intervals
      {"(&/,a,+5,b)", "(a &/ +5 &/ b)", "(&/ a +5 b)", "(a&/+5&/b)", "(&/,a,+05,b)"},
      {"+0"},
      {"+9223372036854775807"},
      // Spellings of variables
      {"<$1 --> #1>", "<$x --> #y>", "<$7 --> #x>", "<$x-->##>"},
      {"(*,?1,?2,?1)", "(?what * ?1 * ?what)", "(* ?2 ?1 ?2)"},
  };
  for (const auto& row : rows)
    for (const std::string& spelling : row) {
      CAPTURE(spelling);
      CHECK(read(spelling) == row.front());
    }
}

TEST_CASE("all spellings of a term give one object of the table", "[narsese][parser]") {
  TermTable table;
  const auto term = [&](std::string_view text) { return *parse_term(text, table); };
  CHECK(term("(*,a,b)") == term("(a * b)"));
  CHECK(term("(R /2 A)") == term("(/,R,A,_)"));
  CHECK(term("(R /1 A)") == term("(/,R,_,A)"));
  CHECK_FALSE(term("(R /1 A)") == term("(R /2 A)"));
  CHECK(term("(^op,{SELF},x)") == term("<(*,{SELF},x) --> ^op>"));
  CHECK(term("<$x --> <$y <-> $x>>") == term("<$y --> <$y <-> $x>>"));
}

TEST_CASE("the order of components matters unless they are commutative", "[narsese][parser]") {
  CHECK(read("<a --> b>") != read("<b --> a>"));
  CHECK(read("(a - b)") != read("(b - a)"));
  CHECK(read("(a ~ b)") != read("(b ~ a)"));
  CHECK(read("(a * b)") != read("(b * a)"));
  CHECK(read("(a &/ b)") != read("(b &/ a)"));
  CHECK(read("(R /1 B)") != read("(R /2 B)"));
  CHECK(read("(R /1 B)") != read("(R \\1 B)"));
  CHECK(read("(&&,a,b)") != read("(||,a,b)"));
  CHECK(read("(&,a,b)") != read("(&&,a,b)"));
  CHECK(read("{a}") != read("[a]"));
  CHECK(read("(* a)") != read("a"));
  CHECK(read("{{a}}") != read("{a}"));
  CHECK(read("((a * b) * c)") != read("(a * b * c)"));
  CHECK(read("<$x --> $y>") != read("<$x --> $x>"));
  CHECK(read("<$x --> $x>") != read("<$x --> #x>"));
}

TEST_CASE("names may have every character that does not end them", "[narsese][parser]") {
  std::vector<std::string> names = words(
      "a S_0.3 5 -5 3.14 1e5 x-y bird2 a.b.c a:b a%b a=b a|b a/b a\\b a!b a?b a@b a~b don't a$b a#b a+b a^b "
      "_x x_ __ - a- ü 鸟 🐦 né-é.1 \"a\" \"(*,a,b)\" \"--\" \"_\" ^left ^pick.up ^鸟");
  for (const char* name : {"\u00a0", "\"a b\"", "\"<a --> b>.\"", "\"鸟 🐦\""}) names.push_back(name);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(read("<" + name + " --> x>") == "<" + name + " --> x>");
    CHECK(read("<x-->" + name + ">") == "<x --> " + name + ">");
    CHECK(read("(* " + name + " x)") == "(*," + name + ",x)");
    CHECK(read_sentence(name + ".") == name + ".");
    CHECK(read_sentence(name + "?") == name + "?");
    CHECK(read_sentence(name + ". :|: %0.5;0.5%") == name + ". :|: %0.5;0.5%");
  }
}

TEST_CASE("names are equal if and only if their bytes are equal", "[narsese][parser]") {
  TermTable table;
  const auto term = [&](std::string_view text) { return *parse_term(text, table); };
  CHECK_FALSE(term("a") == term("A"));
  CHECK_FALSE(term("a") == term("\"a\""));
  CHECK_FALSE(term("1") == term("1.0"));
  CHECK_FALSE(term("a") == term("^a"));
  CHECK_FALSE(term("\u00e4") == term("a\u0308"));  // composed and decomposed forms are not normalised
  CHECK(term("5").kind() == TermKind::atom);
  CHECK(term("+5").kind() == TermKind::interval);
  CHECK(term("-5").kind() == TermKind::atom);
  CHECK(term("^left").name() == "left");
  CHECK(term("\"a b\"").name() == "\"a b\"");
}

TEST_CASE("a copula ends a name, but a part of a copula does not", "[narsese][parser]") {
  CHECK(read("<a=b-->c>") == "<a=b --> c>");
  CHECK(read("<a-b-->c-d>") == "<a-b --> c-d>");
  CHECK(read("<S_0.3-->b>") == "<S_0.3 --> b>");
  CHECK(read("<a|b=|>c>") == "<a|b =|> c>");
  CHECK(read("<-5-->-6>") == "<-5 --> -6>");
  CHECK(read("<- --> b>") == "<- --> b>");
  CHECK(read("(-5 * a)") == "(*,-5,a)");
  CHECK(read("(a - -5)") == "(-,a,-5)");
}

TEST_CASE("a lone atom is a sentence, with or without dots in its name", "[narsese][parser]") {
  TermTable table;
  for (const std::string name : {"A", "S_0.3", "A.b", "3.14", "A!", "A.?"}) {
    const Sentence sentence = good(name + ".", table);
    CHECK(sentence.term == table.atom(name));
    CHECK(sentence.punctuation == Punctuation::judgment);
  }
  CHECK(good("A.:|:", table).term == table.atom("A"));
  CHECK(good("A.%0.5%", table).term == table.atom("A"));
  CHECK(good("A.{0.5 0.9}", table).term == table.atom("A"));
  CHECK(good("A .", table).term == table.atom("A"));
  CHECK(good("<A. --> b>.", table).term.subject() == table.atom("A."));
}

// --- sentences ---

TEST_CASE("punctuation determines judgments, goals, questions and quests", "[narsese][parser]") {
  TermTable table;
  CHECK(good("<a --> b>.", table).punctuation == Punctuation::judgment);
  CHECK(good("<a --> b>!", table).punctuation == Punctuation::goal);
  CHECK(good("<a --> b>?", table).punctuation == Punctuation::question);
  CHECK(good("<a --> b>@", table).punctuation == Punctuation::quest);
  CHECK(good("<a --> b> .", table).punctuation == Punctuation::judgment);
  CHECK(good("<a --> b>?", table).asks());
  CHECK(good("<a --> b>@", table).asks());
  CHECK_FALSE(good("<a --> b>!", table).asks());
}

TEST_CASE("omitted parts of a sentence stay empty", "[narsese][parser]") {
  TermTable table;
  const Sentence sentence = good("<a --> b>.", table);
  CHECK_FALSE(sentence.truth.has_value());
  CHECK_FALSE(sentence.budget.has_value());
  CHECK(sentence.tense == Tense{});
  CHECK(sentence.truth_or_default() == TruthValue{1.0, 0.9});
}

TEST_CASE("all tenses are read", "[narsese][parser]") {
  TermTable table;
  const auto tense = [&](const std::string& text) { return good("<a --> b>. " + text, table).tense; };
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(tense("") == Tense{Tense::Kind::eternal, 0});
  CHECK(tense(":\\:") == Tense{Tense::Kind::past, 0});
  CHECK(tense(":|:") == Tense{Tense::Kind::present, 0});
  CHECK(tense(":/:") == Tense{Tense::Kind::future, 0});
  CHECK(tense(":+5:") == Tense{Tense::Kind::offset, 5});
  CHECK(tense(":-5:") == Tense{Tense::Kind::offset, -5});
  CHECK(tense(":+0:") == Tense{Tense::Kind::offset, 0});
  CHECK(tense(":!7:") == Tense{Tense::Kind::at, 7});
  CHECK(tense(":!0:") == Tense{Tense::Kind::at, 0});
  CHECK(tense(":+9223372036854775807:") == Tense{Tense::Kind::offset, most});
  CHECK(tense(":-9223372036854775808:") == Tense{Tense::Kind::offset, -most - 1});
  CHECK(good("<a --> b>!:|:", table).tense.kind == Tense::Kind::present);
  CHECK(good("<a --> b>? :\\: ", table).tense.kind == Tense::Kind::past);
  CHECK(good("<a --> b>@\t:/:", table).tense.kind == Tense::Kind::future);
}

TEST_CASE("truth values are read in both forms", "[narsese][parser]") {
  TermTable table;
  const auto truth = [&](const std::string& text) { return good("<a --> b>. " + text, table).truth; };
  CHECK(truth("%0.5;0.75%") == TruthValue{0.5, 0.75});
  CHECK(truth("%0.5%") == TruthValue{0.5, 0.9});
  CHECK(truth("% 0.5 ; 0.75 %") == TruthValue{0.5, 0.75});
  CHECK(truth("{0.5 0.75}") == TruthValue{0.5, 0.75});
  CHECK(truth("{ 0.5 , 0.75 }") == TruthValue{0.5, 0.75});
  CHECK(truth("{0.5\t0.75}") == TruthValue{0.5, 0.75});
  CHECK(truth("%0;1%") == TruthValue{0.0, 1.0});
  CHECK(truth("%1.00;0.00%") == TruthValue{1.0, 0.0});
  CHECK(truth("%1.;.5%") == TruthValue{1.0, 0.5});
  CHECK(truth("%1e-3;5E-1%") == TruthValue{0.001, 0.5});
  CHECK(truth(":|: %0.5;0.75%") == TruthValue{0.5, 0.75});
  CHECK(truth(":|:{0.5 0.75}") == TruthValue{0.5, 0.75});
  CHECK(good("<a --> b>.%0.5;0.75%", table).truth == TruthValue{0.5, 0.75});
  CHECK(good("<a --> b>! %0.5;0.75%", table).truth == TruthValue{0.5, 0.75});
}

TEST_CASE("a budget comes first and may omit numbers", "[narsese][parser]") {
  TermTable table;
  const auto budget = [&](const std::string& text) { return good(text + "<a --> b>.", table).budget; };
  CHECK(budget("$0.8;0.5;0.9$ ") == BudgetValue{0.8, 0.5, 0.9});
  CHECK(budget("$0.25;0.75$ ") == BudgetValue{0.25, 0.75, 0.95});
  CHECK(budget("$0.25$ ") == BudgetValue{0.25, 0.5, 0.95});
  CHECK(budget("$0.8;0.5;0.9$") == BudgetValue{0.8, 0.5, 0.9});
  CHECK(budget("$0.25; 0.75 ; 1 $ ") == BudgetValue{0.25, 0.75, 1});
}

TEST_CASE("a dollar sign begins a budget or a variable", "[narsese][parser]") {
  TermTable table;
  const Term variable = table.variable(VariableKind::independent, 1);
  const auto check = [&](std::string_view text, std::optional<BudgetValue> budget, Term term) {
    CAPTURE(text);
    const Sentence sentence = good(text, table);
    CHECK(sentence.budget == budget);
    CHECK(sentence.term == term);
  };
  check("$x.", std::nullopt, variable);
  check("$1.", std::nullopt, variable);
  check("$1. %0.5%", std::nullopt, variable);
  check("$0.8;0.5;0.9$ $x.", BudgetValue{0.8, 0.5, 0.9}, variable);
  check("$0.8;0.5;0.9$ $0.8.", BudgetValue{0.8, 0.5, 0.9}, variable);
  check("$1$ $1$.", BudgetValue{1, 0.5, 0.95}, variable);
  check("$.5;1e-1;1E-01$ a.", BudgetValue{0.5, 0.1, 0.1}, table.atom("a"));
}

TEST_CASE("a whole sentence is read with all its parts", "[narsese][parser]") {
  TermTable table;
  const Sentence sentence =
      good("  $0.25;0.5;0.75$ <(&&,<$x --> b>,(a * #y)) =/> (^go,{SELF},$x)>! :!12: %0.5;0.25%  ", table);
  CHECK(print(sentence) ==
        "$0.25;0.5;0.75$ <(&&,(*,a,#1),<$1 --> b>) =/> <(*,{SELF},$1) --> ^go>>! :!12: %0.5;0.25%");
  CHECK(sentence.punctuation == Punctuation::goal);
}

TEST_CASE("the variables of a sentence are numbered like those of a term", "[narsese][parser]") {
  TermTable table;
  CHECK(good("<$y --> <$x --> $y>>.", table) == good("<$a --> <$b --> $a>>.", table));
  CHECK(good("(&&,<#x --> a>,<#y --> b>)?", table) == good("(&&,<#x --> b>,<#y --> a>)?", table));
  CHECK(good("<$x <-> {$y}>!", table).term == number_variables(table, good("<$x <-> {$y}>!", table).term));
}

TEST_CASE("an error does not affect the next line", "[narsese][parser]") {
  TermTable table;
  CHECK_FALSE(parse_sentence("<(a * $x) --> b.", table));
  CHECK(print(good("<$y --> b>.", table)) == "<$1 --> b>.");
}

// --- variables ---

TEST_CASE("names of variables and order of commutative components are irrelevant",
          "[narsese][parser][variables]") {
  TermTable table;
  const auto term = [&](std::string_view text) { return *parse_term(text, table); };
  CHECK(term("<<$x --> a> ==> <$x --> b>>") == term("<<$z --> a> ==> <$z --> b>>"));
  CHECK(term("(&&,<$x --> a>,<$y --> b>)") == term("(&&,<$x --> b>,<$y --> a>)"));
  CHECK(term("<$x <-> (*,$y,a)>") == term("<(*,$q,a) <-> $p>"));
  CHECK(term("(&&,<#x --> #y>,<#y --> #x>)") == term("(&&,<#b --> #a>,<#a --> #b>)"));
  CHECK_FALSE(term("(&&,<$x --> a>,<$x --> b>)") == term("(&&,<$x --> a>,<$y --> b>)"));
  CHECK_FALSE(term("<$x --> #x>") == term("<#x --> $x>"));
}

TEST_CASE("the premises of a syllogism may be in either order", "[narsese][parser][variables]") {
  CHECK(read("<(&&,<$y --> $z>,<$x --> $y>) ==> <$x --> $z>>") ==
        read("<(&&,<$x --> $y>,<$y --> $z>) ==> <$x --> $z>>"));
}

TEST_CASE("the order within a component does not decide the order of components",
          "[narsese][parser][variables]") {
  // The table also sorts components by the numbers of variables. The new numbering must not depend on these numbers.
  CHECK(read("{[($x * b) ($y * c)] [($x * d) ($y * a)]}") ==
        read("{[($y * c) ($x * b)] [($y * a) ($x * d)]}"));
  CHECK(read("(&&,<(*,$x,b) <-> (*,$y,c)>,<(*,$x,d) <-> (*,$y,a)>)") ==
        read("(&&,<(*,$y,a) <-> (*,$x,d)>,<(*,$y,c) <-> (*,$x,b)>)"));
}

TEST_CASE("every random spelling of a random term gives that term", "[narsese][parser][law]") {
  std::vector<TermShape> shapes = shapes_with_variables();
  shapes.insert(shapes.begin(), TermShape{.variables = 0});
  constexpr std::array<std::string_view, 12> rare{"{--",   "--]",   "{-]",  "(^", " /1 ", " /2 ",
                                                  " \\1 ", " \\2 ", "<\\>", "(!", "+",    "\""};
  std::array<std::size_t, rare.size()> seen{};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    CAPTURE(i);
    Random random(21 + i);
    std::string counterexample;
    for (int block = 0; block < 10 && counterexample.empty(); ++block) {
      TermTable table;
      RandomTerms terms(random, table, shapes[i]);
      for (int k = 0; k < 100 && counterexample.empty(); ++k) {
        const Term term = number_variables(table, terms.term());
        const std::string text = Spelling(random, term).text();
        for (std::size_t n = 0; n < rare.size(); ++n) seen[n] += text.find(rare[n]) != std::string::npos;
        const auto read_back = parse_term(text, table);
        if (!read_back)
          counterexample = text + " : " + read_back.error().message();
        else if (!(*read_back == term))
          counterexample = text + " is read as " + print(*read_back) + ", not as " + print(term);
      }
    }
    CHECK(counterexample == "");
  }
  for (std::size_t n = 0; n < rare.size(); ++n) {
    CAPTURE(rare[n]);
    CHECK(seen[n] > 5);  // otherwise the law would not cover these terms
  }
}

TEST_CASE("a batch gives the same results as its lines one by one", "[narsese][parser]") {
  const std::vector<std::string_view> some{"(&&,a,a).",
                                           "<(&&,a,a) --> {b,b,c,b}>.",
                                           "<{x,x} <-> {x}>!",
                                           "<a --> b",
                                           "(||,(&&,b,a,b),(&&,a,b)).",
                                           "<(&&,<$x --> a>,<$y --> a>) ==> <$x --> $y>>.",
                                           "",
                                           "<{a_name_of_more_than_sixteen_bytes} --> [b]>?",
                                           "<(*,{(&,p,p),p},(&,p,p)) --> r>. %0.5;0.25%",
                                           "\"quoted text\".",
                                           "<a_16_bytes_name_ --> a_17_bytes_name__>."};
  Random random(44);
  TermTable table, other;
  Parser parser, one_by_one;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> lines;
    RandomTerms terms(random, other, {.depth = 3, .components = 3});
    for (std::size_t n = random.below(70); n > 0; --n)
      lines.push_back(random.one_in(3) ? std::string(random.pick(some))
                                       : Spelling(random, terms.term()).text() + ".");
    const std::vector<std::string_view> views(lines.begin(), lines.end());
    const auto batch = parser.sentences(views, table);
    REQUIRE(batch.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t before = table.size();
      const auto single = one_by_one.sentence(lines[i], table);
      CAPTURE(lines[i]);
      REQUIRE(single.result.has_value() == batch[i].result.has_value());
      CHECK(table.size() == before);  // the batch has already made all terms
      CHECK(single.constructs == batch[i].constructs);
      if (single.result)
        CHECK(*single.result == *batch[i].result);
      else
        CHECK(single.result.error().message() == batch[i].result.error().message());
    }
  }
}
