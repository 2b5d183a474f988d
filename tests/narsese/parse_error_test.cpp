// SPDX-License-Identifier: MIT
#include "narsese/parse_error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/parser.hpp"
#include "narsese/symbols.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

// --- errors ---

TEST_CASE("errors have the place and the cause", "[narsese][parser][error]") {
  struct Case {
    std::string text;
    std::size_t offset, column;
    std::string expected;  // part of the message
    std::string found;
  };
  const std::string nul(1, '\0');
  const std::vector<Case> cases{
      // Errors of empty texts
      {"", 0, 1, "a term", "end of line"},
      {"   ", 3, 4, "a term", "end of line"},
      {"\t", 1, 2, "a term", "end of line"},
      {".", 0, 1, "a term", "'.'"},
      // Errors of brackets
      {"<a --> b.", 9, 10, "'>'", "end of line"},
      {"<a --> b).", 8, 9, "'>'", "')'"},
      {"(a --> b>.", 8, 9, "')'", "'>'"},
      {"<a --> b>>.", 9, 10, "punctuation", "'>'"},
      {"a>.", 1, 2, "punctuation", "'>'"},
      {"<<a --> b>.", 10, 11, "a copula", "'.'"},
      {"(*,a,b.", 7, 8, "',' or ')'", "end of line"},
      {"(*,a,b", 6, 7, "',' or ')'", "end of line"},
      {"{a,b.", 5, 6, "',' or '}'", "end of line"},
      {"{a b].", 4, 5, "',' or '}'", "']'"},
      {"[a}.", 2, 3, "',' or ']'", "'}'"},
      {")", 0, 1, "a term", "')'"},
      {"<", 1, 2, "a term", "end of line"},
      // Errors of copulas
      {"<a b>.", 3, 4, "a copula", "'b'"},
      {"<a>.", 2, 3, "a copula", "'>'"},
      {"<a =| b>.", 3, 4, "a copula", "'=|'"},
      {"<a = b>.", 3, 4, "a copula", "'='"},
      {"<a => b>.", 3, 4, "a copula", "'=>'"},
      {"<a -> b>.", 3, 4, "a copula", "'->'"},
      {"<a -- b>.", 3, 4, "a copula", "'--'"},
      {"<a |> b>.", 3, 4, "a copula", "'|>'"},
      {"<a --> >.", 7, 8, "a term", "'>'"},
      {"< --> b>.", 2, 3, "(--,a)", "'-->'"},
      {"<a --> b --> c>.", 9, 10, "'>'", "'-->'"},
      {"<a b --> c>.", 3, 4, "a copula", "'b'"},
      {"<a && b>.", 3, 4, "a copula", "'&&'"},
      // Errors of sets
      {"{}.", 1, 2, "a term", "'}'"},
      {"[].", 1, 2, "a term", "']'"},
      {"{ }.", 2, 3, "a term", "'}'"},
      {"{a,}.", 3, 4, "a term", "'}'"},
      {"{a,,b}.", 3, 4, "a term", "','"},
      {"{,a}.", 1, 2, "a term", "','"},
      // Errors of compounds
      {"().", 1, 2, "a term", "')'"},
      {"(a).", 2, 3, "a connector or a copula", "')'"},
      {"(a b).", 3, 4, "a connector or a copula", "'b'"},
      {"(&&,).", 4, 5, "a term", "')'"},
      {"(*a,b).", 1, 2, "a term", "'*a'"},
      {"(a * b c).", 7, 8, "')' or a connector", "'c'"},
      {"(a * ).", 5, 6, "a term", "')'"},
      {"(a && b.", 8, 9, "')' or a connector", "end of line"},
      {"(?,a,b).", 2, 3, "the name of a variable", "','"},
      {"(-->,a,b).", 1, 2, "(--,a)", "'-->'"},
      // Errors of negations
      {"(--a).", 4, 5, "a connector or a copula", "')'"},
      {"!a.", 0, 1, "a term", "'!a.'"},
      // Errors of images
      {"_.", 0, 1, "placeholder _", "'_.'"},
      {"<_ --> b>.", 1, 2, "placeholder _", "'_'"},
      {"(*,a,_).", 5, 6, "placeholder _", "'_'"},
      {"{_}.", 1, 2, "placeholder _", "'_'"},
      {"(/,R,_,_).", 7, 8, "a single placeholder _", "'_'"},
      {"(/,_,R,B).", 3, 4, "the relation", "'_'"},
      {"(/,(/,R,_,_),_).", 10, 11, "a single placeholder _", "'_'"},
      {"(R /3 B).", 3, 4, "a connector or a copula", "'/3'"},
      {"(R /1).", 3, 4, "a connector or a copula", "'/1'"},
      {"(R /1 B C).", 8, 9, "')'", "'C'"},
      {"(R /1 _).", 6, 7, "placeholder _", "'_'"},
      // Errors of operations
      {"^.", 2, 3, "punctuation", "end of line"},
      {"^ a.", 1, 2, "the name of an operator", "' '"},
      {"(^op).", 4, 5, "a connector or a copula", "')'"},
      {"(^op,).", 5, 6, "a term", "')'"},
      // Errors of variables and intervals
      {"<$ --> b>.", 2, 3, "the name of a variable", "' '"},
      {"<a --> #>.", 8, 9, "the name of a variable", "'>'"},
      {"+.", 0, 1, "a term", "'+.'"},
      {"(&/,a,+x,b).", 6, 7, "a term", "'+x'"},
      {"(&/,a,+5x,b).", 8, 9, "',' or ')'", "'x'"},
      {"(&/,a,+9223372036854775808,b).", 6, 7, "an interval that fits 64 bits", "'+9223372036854775808'"},
      // Errors of quoted names
      {"\"a b.", 5, 6, "'\"'", "end of line"},
      {"<\"a --> b>.", 11, 12, "'\"'", "end of line"},
      // Errors of punctuation
      {"<a --> b>", 9, 10, "punctuation", "end of line"},
      {"<a --> b> %1%", 10, 11, "punctuation", "'%1%'"},
      {"<a --> b>;", 9, 10, "punctuation", "';'"},
      {"a b.", 2, 3, "punctuation", "'b.'"},
      // Errors of text after the sentence
      {"<a --> b>..", 10, 11, "end of line", "'.'"},
      {"<a --> b>. <c --> d>.", 11, 12, "end of line", "'<'"},
      {"<a --> b>. // so they say", 11, 12, "end of line", "'//'"},
      {"<a --> b>. %1% :|:", 15, 16, "end of line", "':|:'"},
      {"<a --> b>. x", 11, 12, "end of line", "'x'"},
      // Errors of tenses
      {"<a --> b>. :x:", 11, 12, "a tense", "':x:'"},
      {"<a --> b>. :", 11, 12, "a tense", "':'"},
      {"<a --> b>. :5:", 11, 12, "a tense", "':5:'"},
      {"<a --> b>. :|", 11, 12, "a tense", "':|'"},
      {"<a --> b>. :!x:", 11, 12, "a number of cycles in the tense", "':!x:'"},
      {"<a --> b>. :+:", 11, 12, "a number of cycles in the tense", "':+:'"},
      {"<a --> b>. :--5:", 11, 12, "a number of cycles in the tense", "':--5:'"},
      {"<a --> b>. :+5", 14, 15, "':'", "end of line"},
      {"<a --> b>. :!9223372036854775808:", 11, 12, "a number of cycles in the tense",
       "':!9223372036854775808:'"},
      // Errors of truth values
      {"<a --> b>. %1.5;0.9%", 12, 13, "a frequency", "'1.5;0.9%'"},
      {"<a --> b>. %0.5;1.01%", 16, 17, "a confidence", "'1.01%'"},
      {"<a --> b>. %-1;0.9%", 12, 13, "a frequency", "'-1;0.9%'"},
      {"<a --> b>. %+1;0.9%", 12, 13, "a frequency", "'+1;0.9%'"},
      {"<a --> b>. %nan;0.9%", 12, 13, "a frequency", "'nan;0.9%'"},
      {"<a --> b>. %0.5;nan%", 16, 17, "a confidence", "'nan%'"},
      {"<a --> b>. %inf;0.9%", 12, 13, "a frequency", "'inf;0.9%'"},
      {"<a --> b>. %0.5;inf%", 16, 17, "a confidence", "'inf%'"},
      {"<a --> b>. %1e400%", 12, 13, "a frequency", "'1e400%'"},
      {"<a --> b>. %.%", 12, 13, "a frequency", "'.%'"},
      {"<a --> b>. %%", 12, 13, "a frequency", "'%'"},
      {"<a --> b>. %0.5;%", 16, 17, "a confidence", "'%'"},
      {"<a --> b>. %0.5", 15, 16, "'%'", "end of line"},
      {"<a --> b>. %0.5;0.5", 19, 20, "'%'", "end of line"},
      {"<a --> b>. %0.5 0.5%", 16, 17, "'%'", "'0.5%'"},
      {"<a --> b>. {0.5}", 15, 16, "a confidence", "'}'"},
      {"<a --> b>. {1.5 0.9}", 12, 13, "a frequency", "'1.5'"},
      {"<a --> b>. {0.5 0.9", 19, 20, "'}'", "end of line"},
      {"<a --> b>. {0.5 0.9 1}", 20, 21, "'}'", "'1'"},
      {"<a --> b>? %1;0.9%", 11, 12, "end of line", "'%1;0.9%'"},
      {"<a --> b>@ %1;0.9%", 11, 12, "end of line", "'%1;0.9%'"},
      {"<a --> b>? :|: {1 0.9}", 15, 16, "end of line", "'{'"},
      // Errors of budgets
      {"$1.5;0.5;0.5$ a.", 1, 2, "a priority", "'1.5;0.5;0.5$'"},
      {"$0.5;2;0.5$ a.", 5, 6, "a durability", "'2;0.5$'"},
      {"$0.5;0.5;-1$ a.", 9, 10, "a quality", "'-1$'"},
      {"$0.5;;0.5$ a.", 5, 6, "a durability", "';0.5$'"},
      {"$0.5;0.5;0.5;0.5$ a.", 12, 13, "'$'", "';0.5$'"},
      {"$0.5;0.5;0.5$", 13, 14, "a term", "end of line"},
      {"$0.5;0.5 <a --> b>.", 4, 5, "punctuation", "';0.5'"},
      // Columns count code points, not bytes.
      {"<é --> >.", 8, 8, "a term", "'>'"},
      {"<鸟 --> 🐦.", 14, 10, "'>'", "end of line"},
      {"<\"鸟 🐦\" = b>.", 12, 8, "a copula", "'='"},
      {"<a\u0308 b>.", 5, 5, "a copula", "'b'"},
      {"鸟 🐦.", 4, 3, "punctuation", "'🐦.'"},
      // Errors of bytes that are not text
      {"<a" + nul + " --> b>.", 2, 3, "text", "a NUL byte"},
      {nul, 0, 1, "text", "a NUL byte"},
      {"\"a" + nul + "b\".", 2, 3, "text", "a NUL byte"},
      {"<a --> b>.\n", 10, 11, "text", "a control character"},
      {"<a --> b>.\r", 10, 11, "text", "a control character"},
      {"<ü\x1B --> b>.", 3, 3, "text", "a control character"},
      {"<a\x7F --> b>.", 2, 3, "text", "a control character"},
      {"<é \xC3 --> b>.", 4, 4, "UTF-8 text", "an invalid byte"},
      {"<a --> \xC0\xAE>.", 7, 8, "UTF-8 text", "an invalid byte"},          // overlong
      {"<a --> \xE0\x80\xAE>.", 7, 8, "UTF-8 text", "an invalid byte"},      // overlong
      {"<a --> \xED\xA0\x80>.", 7, 8, "UTF-8 text", "an invalid byte"},      // a surrogate
      {"<a --> \xF4\x90\x80\x80>.", 7, 8, "UTF-8 text", "an invalid byte"},  // above U+10FFFF
      {"<a --> b>. \xF0\x9F\x90", 11, 12, "UTF-8 text", "an invalid byte"},  // truncated
      {"\"\xFF\".", 1, 2, "UTF-8 text", "an invalid byte"},
  };
  for (const auto& [text, offset, column, expected, found] : cases) {
    CAPTURE(text);
    TermTable table;
    const auto sentence = parse_sentence(text, table);
    REQUIRE_FALSE(sentence);
    const ParseError& error = sentence.error();
    CAPTURE(error.message(), expected);
    CHECK(error.offset == offset);
    CHECK(error.column == column);
    CHECK(error.expected.find(expected) != std::string::npos);
    CHECK(error.found == found);
    CHECK(flaw(text, error) == "");
  }
}

TEST_CASE("the message of an error has the expected and the found text", "[narsese][parser][error]") {
  CHECK(ParseError{3, 1, 4, "a copula", "'=|'"}.message() == "expected a copula, found '=|'");
  CHECK(read("<a b>") == "error: expected a copula, found 'b'");
}

TEST_CASE("an unclosed bracket is reported with its column", "[narsese][parser][error]") {
  CHECK(read("<a --> (b, c") == "error: expected ',' or ')' for the '(' in column 8, found end of line");
  CHECK(read("<鸟 --> {[a, b}>") == "error: expected ',' or ']' for the '[' in column 9, found '}'");
  CHECK(read("<(*,{a},b> --> c>") == "error: expected ',' or ')' for the '(' in column 2, found '>'");
  CHECK(read("<<a --> b> ==> <c --> d>") == "error: expected '>' for the '<' in column 1, found end of line");
  CHECK(read("((a && b) && c") ==
        "error: expected ')' or a connector for the '(' in column 1, found end of line");
  CHECK(read("<a --> M1[x]>") == "error: expected a number, ',' or ']' in the brackets of a name, found 'x'");
}

TEST_CASE("a wrong copula is reported with a suggestion", "[narsese][parser][error]") {
  TermTable table;
  for (const char* text : {"<a -> b>.", "<a->b>.", "(a -> b).", "<ä  -> b>."}) {
    CAPTURE(text);
    const auto sentence = parse_sentence(text, table);
    REQUIRE_FALSE(sentence);
    CHECK(sentence.error().message() == "unknown copula '->': did you mean '-->'?");
    CHECK(text[sentence.error().offset] == '-');
    CHECK(flaw(text, sentence.error()) == "");
  }
  CHECK(read("<a => b>") == "error: unknown copula '=>': did you mean '==>'?");
  CHECK(read("<a <-- b>") == "error: expected a copula, found '<'");
}

TEST_CASE("the found text is shortened between code points", "[narsese][parser][error]") {
  TermTable table;
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const std::string text = "<a " + std::string(shift, 'x') + repeat("🐦", 50) + " --> b>.";
    const auto sentence = parse_sentence(text, table);
    REQUIRE_FALSE(sentence);
    CHECK(flaw(text, sentence.error()) == "");
    // At most 24 bytes, the rest of a code point, and two quotes.
    CHECK(sentence.error().found.size() <= 24 + 3 + 2);
  }
}

TEST_CASE("a wrong number of components is reported with the connector", "[narsese][parser][error]") {
  struct Case {
    std::string text, connector, count;
  };
  for (const auto& [text, connector, count] : std::vector<Case>{{"(-,a,b,c).", "'-'", "2"},
                                                                {"(-,a).", "'-'", "2"},
                                                                {"(~ a b c).", "'~'", "2"},
                                                                {"(--,a,b).", "'--'", "1"},
                                                                {"(! a b).", "'--'", "1"},
                                                                {"(&&,a).", "'&&'", "at least 2"},
                                                                {"(&/ a).", "'&/'", "at least 2"},
                                                                {"(a - b - c).", "'-'", "2"},
                                                                {"(a ~ b ~ c).", "'~'", "2"}}) {
    CAPTURE(text);
    TermTable table;
    const auto sentence = parse_sentence(text, table);
    REQUIRE_FALSE(sentence);
    CAPTURE(sentence.error().message());
    CHECK(flaw(text, sentence.error()) == "");
    CHECK(sentence.error().expected.find(connector) != std::string::npos);
    CHECK(sentence.error().expected.find(count) != std::string::npos);
    CHECK((sentence.error().found == "1" || sentence.error().found == "2" || sentence.error().found == "3"));
  }
}

TEST_CASE("an image without a placeholder is refused", "[narsese][parser][error]") {
  // ONA reads (/,R,B) as (R /1 B), OpenNARS as (/,R,B,_).
  TermTable table;
  for (const std::string text : {"(/,R,B).", "(\\,R,B).", "(/,R).", "(/ R B)."}) {
    const auto sentence = parse_sentence(text, table);
    REQUIRE_FALSE(sentence);
    CHECK(sentence.error().expected.find("placeholder _") != std::string::npos);
    CHECK(flaw(text, sentence.error()) == "");
  }
}

TEST_CASE("a merged component remains alone, but a single written component is an error",
          "[narsese][parser][error]") {
  CHECK(read("(&&,a,a)") == "a");
  CHECK(read("(&&,a)") == "error: expected at least 2 components of '&&', found 1");
  CHECK(read("(&&,$x,$x)") == "$1");
}

TEST_CASE("the numbers of a truth value in braces need a separator", "[narsese][parser][error]") {
  CHECK(read_sentence("<a --> b>. {0.5.9}").find("error") == 0);
  CHECK(read_sentence("<a --> b>. {.5.9}").find("error") == 0);
}

TEST_CASE("a numbered tense has one sign", "[narsese][parser][error]") {
  CHECK(read_sentence("<a --> b>. :+-5:").find("error") == 0);
  CHECK(read_sentence("<a --> b>. :++5:").find("error") == 0);
  CHECK(read_sentence("<a --> b>. :-+5:").find("error") == 0);
}

TEST_CASE("only the closing sign may follow a confidence", "[narsese][parser][error]") {
  CHECK(read_sentence("<a --> b>. %1;0.9;1;5%") == "error: expected '%', found ';5%'");
  CHECK(read_sentence("<a --> b>. {1 0.9;1}") == "error: expected '}', found ';1'");
}

TEST_CASE("a term must end the text", "[narsese][parser][error]") {
  CHECK(read("<a --> b>.") == "error: expected end of line, found '.'");
  CHECK(read("a b") == "error: expected end of line, found 'b'");
  CHECK(read("") == "error: expected a term, found end of line");
  CHECK(read("$0.5;0.5;0.5$ a") == "error: expected end of line, found ';0.5;0.5$'");
}

// --- limits ---

TEST_CASE("at most max_depth nested brackets are read", "[narsese][parser][limits]") {
  struct Form {
    std::string open, close;
  };
  const std::vector<Form> forms{
      {"(--,", ")"},  {"{", "}"},       {"[", "]"},     {"<", " --> b>"},
      {"(b * ", ")"}, {"<b {-- ", ">"}, {"(^op,", ")"},
  };
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{256}})
    for (const Form& form : forms) {
      CAPTURE(most, form.open);
      ParseLimits limits;
      limits.max_depth = most;
      const auto nested = [&](std::size_t depth) {
        return repeat(form.open, depth) + "a" + repeat(form.close, depth);
      };
      CHECK(read(nested(most), limits).find("error") != 0);
      const std::string refusal = "error: expected at most " + std::to_string(most) + " levels of brackets";
      CHECK(read(nested(most + 1), limits).find(refusal) == 0);
    }
}

TEST_CASE("adjacent brackets do not add depth", "[narsese][parser][limits]") {
  ParseLimits limits;
  limits.max_depth = 2;
  CHECK(read("(*" + repeat(",{a}", 1000) + ")", limits).find("error") != 0);
  CHECK(read("<(a * b) --> {(a)}>", limits).find("error: expected at most 2 levels of brackets") == 0);
}

TEST_CASE("a compound has at most max_components components", "[narsese][parser][limits]") {
  ParseLimits limits;
  limits.max_components = 3;
  for (const std::string most :
       {"(*,a,b,c)", "(a * b * c)", "{a b c}", "[a,b,c]", "(&/ a b c)", "(^op,a,b,c)", "(&&,a,b,a)"}) {
    CAPTURE(most);
    CHECK(read(most, limits).find("error") != 0);
  }
  for (const std::string more : {"(*,a,b,c,d)", "(a * b * c * d)", "{a b c d}", "[a,b,c,d]", "(&/ a b c d)",
                                 "(^op,a,b,c,d)", "(&&,a,b,a,b)", "(/,R,a,b,c,_)"}) {
    CAPTURE(more);
    CHECK(read(more, limits).find("error: expected at most 3 components") == 0);
  }
  const std::size_t usual = ParseLimits{}.max_components;
  CHECK(read("(*" + repeat(",a", usual) + ")").find("error") != 0);
  CHECK(read("(*" + repeat(",a", usual + 1) + ")").find("error: expected at most 4096 components") == 0);
}

TEST_CASE("a name has at most max_name_bytes bytes", "[narsese][parser][limits]") {
  ParseLimits limits;
  limits.max_name_bytes = 6;
  for (const std::string most : {"abcdef", "鸟鸟", "$abcdef", "#abcdef", "?abcdef", "\"a b \"", "-abcde"}) {
    CAPTURE(most);
    CHECK(read("<" + most + " --> x>", limits).find("error") != 0);
  }
  for (const std::string more :
       {"abcdefg", "鸟鸟a", "$abcdefg", "#abcdefg", "?abcdefg", "\"a b c\"", "-abcdef"}) {
    CAPTURE(more);
    CHECK(read("<" + more + " --> x>", limits).find("error: expected a name of at most 6 bytes, found 7") ==
          0);
  }
  CHECK(read(std::string(1024, 'x')).find("error") != 0);
  CHECK(read(std::string(1025, 'x')) == "error: expected a name of at most 1024 bytes, found 1025");
}

TEST_CASE("an operator's name has at most max_name_bytes bytes", "[narsese][parser][limits]") {
  ParseLimits limits;
  limits.max_name_bytes = 6;
  CHECK(read("^abcdef", limits) == "^abcdef");
  CHECK(read("^abcdefg", limits) == "error: expected a name of at most 6 bytes, found 7");
  CHECK(read('^' + std::string(1025, 'x')) == "error: expected a name of at most 1024 bytes, found 1025");
}

TEST_CASE("a sentence has at most max_variables distinct variables", "[narsese][parser][limits]") {
  ParseLimits limits;
  limits.max_variables = 3;
  CHECK(read("(*,$a,$b,$c,$a,$c)", limits) == "(*,$1,$2,$3,$1,$3)");
  CHECK(read("(*,$a,$b,$c,$d)", limits) == "error: expected at most 3 different variables, found '$d'");
  const auto variables = [](std::size_t count) {
    std::string text = "(*";
    for (std::size_t i = 0; i < count; ++i) text += ",$v" + std::to_string(i);
    return text + ")";
  };
  CHECK(read(variables(256)).find("error") != 0);
  CHECK(read(variables(257)).find("error: expected at most 256 different variables") == 0);
}

TEST_CASE("max_variables counts variables of all kinds together", "[narsese][parser][limits]") {
  ParseLimits limits;
  limits.max_variables = 3;
  CHECK(read("(*,$a,#a,?a,$a)", limits) == "(*,$1,#1,?1,$1)");
  CHECK(read("(*,$a,#a,?a,?b)", limits) == "error: expected at most 3 different variables, found '?b'");
}

TEST_CASE("a line has at most max_line_bytes bytes", "[narsese][parser][limits]") {
  ParseLimits limits;
  limits.max_line_bytes = 10;
  CHECK(read_sentence("<a --> b>.", limits) == "<a --> b>.");
  CHECK(read_sentence("<a --> b>. ", limits) == "error: expected at most 10 bytes in a line, found 11");
  CHECK(read_sentence(std::string(64 * 1024, ' ') + 'a').find("error: expected at most 65536 bytes") == 0);
  CHECK(read_sentence(std::string(64 * 1024 - 2, ' ') + "a.") == "a.");
  TermTable table;
  const auto sentence = parse_sentence("<a --> b>. ", table, limits);
  CHECK(sentence.error().offset == 0);
  CHECK(sentence.error().column == 1);
}

TEST_CASE("limits beyond those of the table give errors, not exceptions", "[narsese][parser][limits]") {
  const ParseLimits none{SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
  TermTable table;
  CHECK_NOTHROW(parse_term(std::string(TermTable::max_name_bytes + 1, 'x'), table, none));
  CHECK_NOTHROW(parse_term('^' + std::string(TermTable::max_name_bytes + 1, 'x'), table, none));
  CHECK_NOTHROW(parse_term("(*" + repeat(",a", TermTable::max_components + 1) + ")", table, none));
  CHECK_NOTHROW(parse_term("(/,_" + repeat(",a", TermTable::max_components + 1) + ")", table, none));
  CHECK_NOTHROW(parse_term(repeat("(--,", 1100) + "a" + repeat(")", 1100), table, none));
  CHECK_NOTHROW(parse_term(repeat("(^op,", 600) + "a" + repeat(")", 600), table, none));
}

TEST_CASE("ten thousand brackets of any kind are an error", "[narsese][parser][limits]") {
  for (const std::string open :
       {"<", "(", "{", "[", "(*,", "(a * ", "(^op,", "<a --> ", "(/,", "{a ", "((-- "}) {
    CAPTURE(open);
    const std::string text = repeat(open, 10000);
    TermTable table;
    const ParseLimits wide{.max_line_bytes = text.size()};
    const auto sentence = parse_sentence(text, table, wide);
    REQUIRE_FALSE(sentence);
    CHECK(flaw(text, sentence.error()) == "");
  }
}

TEST_CASE("a line of the maximal length is read in any shape", "[narsese][parser][limits]") {
  // These would need much time or memory if a step of the parser or of the numbering were quadratic.
  std::vector<std::string> lines;
  std::string text = "(&&";
  for (std::size_t i = 0; i < 4000; ++i)
    text += ",<$" + std::to_string(i * 7919 % 256) + " --> $" + std::to_string((i * 31 + 1) % 256) + ">";
  lines.push_back(text.substr(0, 60000).substr(0, text.substr(0, 60000).rfind(",<")) + ").");
  text = "(&&";
  for (std::size_t i = 0; i < 256; ++i) text += ",$v" + std::to_string(i);
  lines.push_back(text + ").");
  text.clear();
  for (std::size_t level = 0; level < 200; ++level) {
    text += "(&&";
    for (std::size_t i = 0; i < 40; ++i) text += ",$" + std::to_string((level * 31 + i * 17) % 256);
    text += ',';
  }
  lines.push_back(text + "a" + repeat(")", 200) + ".");
  text = "(&&";
  for (std::size_t i = 0; i < 255; ++i)
    text += ",<$" + std::to_string(i) + " --> $" + std::to_string(i + 1) + ">";
  lines.push_back(text + ").");
  for (const std::string& line : lines) {
    REQUIRE(line.size() <= 64 * 1024);
    CHECK(read_sentence(line).find("error") == std::string::npos);
  }
}

TEST_CASE("a copula outside of brackets is reported", "[narsese][error]") {
  TermTable table;
  const auto message = [&](const std::string& text, Dialect dialect = Dialect::any) {
    Parser parser(dialect);
    const auto read = parser.sentence(text, table).result;
    REQUIRE_FALSE(read);
    return std::to_string(read.error().column) + ": " + read.error().message();
  };
  const auto outside = [](const std::string& found, const std::string& meant, int column) {
    return std::to_string(column) + ": '" + found + "' outside of brackets: did you mean '<... " + meant +
           " ...>'?";
  };
  for (const Dialect dialect : dialects)
    CHECK(message("<a --> b> ==> <c --> d>.", dialect) == outside("==>", "==>", 11));
  CHECK(message("a --> b.") == outside("-->", "-->", 3));
  CHECK(message("<a --> b> <=> <c --> d>. :|: %1;0.9%") == outside("<=>", "<=>", 11));
  CHECK(message("<a --> b> =/> <c --> d>?") == outside("=/>", "=/>", 11));
  CHECK(message("<a --> b> => <c --> d>.") == outside("=>", "==>", 11));
  const std::string expected = "expected punctuation ('.', '!', '?' or '@'), found ";
  CHECK(message("<a --> b>> ==> <c --> d>>.") == "10: " + expected + "'>'");
  CHECK(message("<a --> b> c.") == "11: " + expected + "'c.'");
  CHECK(message("<a --> b> ==> .") == "11: " + expected + "'==>'");
  CHECK(message("<a --> b> ==>") == "11: " + expected + "'==>'");
}

TEST_CASE("nearest_copula finds the intended copula", "[narsese][nearest_copula]") {
  for (const auto& [meant, slips] : std::vector<std::pair<std::string, std::string>>{
           {"-->", "-> ---> ----> -->> -- → '->' '→'"},
           {"==>", "=> ===> == ⇒"},
           {"<=>", "<= <==>"},
           {"<->", "<--> <<->> <- <>"},
           {"=/>", "=/ =//>"},
           {"=|>", "=|"},
           {"=\\>", "=\\"},
           {"</>", "</"},
           {"|->", "|-"},
           // Either no copula is similar to these words, or several copulas are.
           {"", "-=> '' is - = > <-- <--- <== < /> |> ----------------------------- =-=-=-=> $ :- ~>"}})
    for (const std::string& slip : words(slips)) {
      CAPTURE(slip);
      CHECK(nearest_copula(slip).value_or("") == meant);
    }
  for (const char* none : {"", "end of line"}) CHECK_FALSE(nearest_copula(none));
}

TEST_CASE("nearest_copula corrects a doubled character", "[narsese][nearest_copula]") {
  for (const CopulaFacts& copula : copulas)
    for (std::size_t i = 0; i < copula.text.size(); ++i) {
      std::string slip(copula.text);
      slip.insert(i, 1, slip[i]);
      CAPTURE(slip);
      CHECK(nearest_copula(slip) == copula.text);
    }
}
