// SPDX-License-Identifier: MIT
#include "narsese/dialect.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/fidelity.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/text.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

// --- how each system treats each construct, as measured

/// `fate` has a letter for each of common, ona, opennars, pynars and any: r if it reads the text, w if it reads the
/// text with a warning, x if it refuses the text.
struct Example {
  Construct construct;
  std::string_view text, fate;
};
using C = Construct;
constexpr std::array<Example, construct_count> examples{{
    {C::budget, "$0.5;0.5;0.5$ a.", "rxrrr"},
    {C::delay, "dt=5 <a =/> b>.", "xrxxr"},
    {C::idle_delay, "dt=5 <a --> b>.", "xwxxr"},
    {C::quest, "a@", "rxrrr"},
    {C::eternal_goal, "a!", "rxrrr"},
    {C::tensed_judgment, "a. :/:", "rxrrr"},
    {C::tensed_goal, "a! :\\:", "rwrrr"},
    {C::present_prediction, "<a =/> b>. :|:", "rxrrr"},
    {C::absolute_tense, "a. :!5:", "rxxrr"},
    {C::offset_tense, "a. :+5:", "xxwxr"},
    {C::truth_in_braces, "a. {1.0 0.9}", "xrxxr"},
    {C::comma_in_braces, "a. {1.0,0.9}", "xxxxx"},
    {C::uneven_blanks, "a.  %1.0;0.9%", "rxrrr"},
    {C::blank_in_truth, "a. % 0.5 ; 0.9 %", "rxrrr"},
    {C::horizon_in_truth, "a. %1;0.9;1%", "xxxrr"},
    {C::no_confidence, "a. %0.5;0%", "rxrxr"},
    {C::full_confidence, "a. %0.5;1.0%", "rrwxr"},
    {C::extreme_durability, "$0.5;0;0.5$ a.", "rxrxr"},
    {C::round_statement, "(a --> b).", "xrxrr"},
    {C::tight_copula, "<a-->b>.", "rxrrr"},
    {C::concurrent_implication, "<a =|> b>.", "rxrrr"},
    {C::retrospective_implication, "<a =\\> b>.", "rxrrr"},
    {C::predictive_equivalence, "<a </> b>.", "rxrrr"},
    {C::concurrent_equivalence, "<a <|> b>.", "rxrrr"},
    {C::retrospective_equivalence, "<a <\\> b>.", "rxxxr"},
    {C::instance_copula, "<a {-- b>.", "rxrrr"},
    {C::continuous_property, "<a |-> b>.", "xrxxr"},
    {C::infix, "(a && b).", "xrxrr"},
    {C::infix_chain, "(a && b && c).", "xxxrr"},
    {C::mixed_infix, "(a && b || c).", "xxxrr"},
    {C::blank_separated, "{a b}.", "xrxxr"},
    {C::many_components, "(&&,a,b,c).", "rxrrr"},
    {C::missing_separator, "{{a}{b}}.", "xrxxx"},
    {C::exclamation_negation, "(! a).", "xrxxr"},
    {C::bare_negation, "<--a --> b>.", "xxxrr"},
    {C::implicit_product, "(a,b).", "xxxrr"},
    {C::unary_product, "(*,a).", "rrrwr"},
    {C::parallel, "(&|,a,b).", "rxrrr"},
    {C::spatial, "(#,a,b).", "xxrxr"},
    {C::comparison, "(= a).", "xrxxr"},
    {C::placeholder_image, "(/,R,_,B).", "rxrrr"},
    {C::numbered_image, "(R /1 B).", "xrxxr"},
    {C::bare_image, "(/,R,B).", "xrxxx"},
    {C::operation, "(^say,a,b).", "rxrrr"},
    {C::function_operation, "say(a,b).", "xxrrr"},
    {C::caret_function, "^say(a,b).", "xxrxr"},
    {C::unregistered_operation, "(^foo,a,b).", "rxwrr"},
    {C::interval, "{+5}.", "rwrrr"},
    {C::quoted_name, "\"ab\".", "xxrrr"},
    {C::quoted_text, "\"a b\".", "xxxrr"},
    {C::bracketed_name, "M1[-1.0,0.5].", "xxrxr"},
    {C::hyphen_in_name, "a-b.", "rrrxr"},
    {C::dot_in_name, "a.b.", "xrrxr"},
    {C::colon_in_name, "a:b.", "xrxxr"},
    {C::symbol_in_name, "a'b.", "xrrrr"},
    {C::apostrophe_line, "'a remark", "rxrrr"},
    {C::indented_comment, " // a remark", "rxrrr"},
}};

constexpr bool covers_all_constructs() {
  for (std::size_t i = 0; i < examples.size(); ++i)
    if (examples[i].construct != static_cast<Construct>(i) || examples[i].text.empty()) return false;
  return true;
}
static_assert(covers_all_constructs());

/// The treatment of a text: one letter for each dialect, as in Example::fate.
std::string fates(std::string_view text) {
  std::string out;
  for (const Dialect dialect : dialects) {
    TermTable table;
    const NalLine line = read_lines(std::string(text), table, dialect)[0];
    out += line.kind == NalLine::Kind::error ? 'x' : line.warnings.empty() ? 'r' : 'w';
  }
  return out;
}

}  // namespace

TEST_CASE("each dialect treats each construct as its system does", "[narsese][dialect]") {
  for (const Example& example : examples) {
    CAPTURE(example.text);
    CHECK(fates(example.text) == example.fate);
  }
}

TEST_CASE("each example uses its construct and a refusal names it", "[narsese][dialect]") {
  for (const Example& example : examples) {
    CAPTURE(example.text);
    TermTable table;
    // A construct that only ONA reads is parsed as ONA. A construct that all dialects refuse is still recorded.
    const NalLine line = read_lines(std::string(example.text), table,
                                    example.fate == "xrxxx" ? Dialect::ona : Dialect::any)[0];
    CHECK((line.constructs & bit(example.construct)) != 0);
    for (const Dialect dialect : dialects) {
      const NalLine read = read_lines(std::string(example.text), table, dialect)[0];
      const std::string system(facts(dialect).system);
      CAPTURE(system, read.error.message());
      if (!read.error.refusal.empty())
        CHECK(read.error.refusal.starts_with(system +
                                             (dialect == Dialect::any ? " reads " : " does not read ")));
      for (const ParseWarning& warning : read.warnings)
        CHECK(warning.message == explain(example.construct, dialect));
    }
  }
}

TEST_CASE("the facts agree with the parser", "[narsese][dialect]") {
  for (const Example& example : examples)
    for (std::size_t i = 0; i < 4; ++i) {
      CAPTURE(example.text, i);
      const ConstructSet refused = handled(dialects[i], Handling::Kind::refuses);
      if (example.fate[i] != 'x') CHECK((refused & bit(example.construct)) == 0);
    }
}

TEST_CASE("the construct sets of a dialect partition all constructs", "[narsese][dialect]") {
  for (const Dialect dialect : systems) {
    ConstructSet all = 0;
    for (const auto kind :
         {Handling::Kind::reads, Handling::Kind::rounds, Handling::Kind::misreads, Handling::Kind::refuses}) {
      CHECK((all & handled(dialect, kind)) == 0);
      all |= handled(dialect, kind);
    }
    CHECK(all == (ConstructSet{1} << construct_count) - 1);
  }
  CHECK(handled(Dialect::any, Handling::Kind::refuses) == bit(Construct::comma_in_braces));
}

TEST_CASE("a refusal has a column and a reason", "[narsese][dialect]") {
  struct Refused {
    Dialect dialect;
    std::string_view text;
    std::size_t column;
    std::string_view message;
  };
  const std::vector<Refused> refusals{
      {Dialect::ona, "$0.8;0.5;0.9$ <a --> b>.", 1,
       "ONA does not read a budget $p;d;q$: it takes the budget for the term $1"},
      {Dialect::ona, "<a --> b>@", 10, "ONA does not read a quest (@): it stops the program"},
      {Dialect::ona, "<ü --> b>!", 11,
       "ONA does not read an eternal goal: it stops the program; goals carry :|:"},
      {Dialect::ona, "<a-->b>.", 3,
       "ONA does not read a copula or connector without blanks around it: it silently makes another term of "
       "it"},
      {Dialect::ona, "<a =|> b>.", 4, "ONA does not read =|>: it silently makes another term of it"},
      {Dialect::ona, "<a {-- b>.", 4,
       "ONA does not read {--, --] or {-]: it silently makes another term of it"},
      {Dialect::ona, "(&|,a,b).", 2, "ONA does not read &|: it silently makes an atom of it"},
      {Dialect::ona, "a. {1,0.9}", 6,
       "ONA does not read a truth value in braces with a comma: it silently drops the line"},
      {Dialect::opennars, "(a && b).", 4,
       "OpenNARS does not read a connector between terms: it looks for commas"},
      {Dialect::opennars, "<a |-> b>.", 4, "OpenNARS does not read |->"},
      {Dialect::opennars, "a:b.", 1,
       "OpenNARS does not read a name with a colon: it takes the colon for a tense"},
      {Dialect::opennars, "<a <\\> b>.", 4, "OpenNARS does not read <\\>"},
      {Dialect::pynars, "a. %1.0;1.0%", 9,
       "PyNARS does not read a confidence of 1: confidence lies between 0 and 1"},
      {Dialect::pynars, "{a b}.", 4,
       "PyNARS does not read components separated by blanks: it looks for commas"},
      {Dialect::common, "(a --> b).", 2, "CommonNarsese does not read a statement in round brackets"},
      {Dialect::common, "(a * b).", 4, "CommonNarsese does not read a connector between terms"},
      {Dialect::any, "a. {1,0.9}", 6, "no system reads a truth value in braces with a comma"},
  };
  for (const Refused& refused : refusals) {
    CAPTURE(refused.text);
    TermTable table;
    const auto sentence = parse_sentence(refused.text, table, {}, refused.dialect);
    REQUIRE_FALSE(sentence);
    CHECK(sentence.error().message() == refused.message);
    CHECK(sentence.error().column == refused.column);
  }
}

TEST_CASE("a warning has a column and a reason", "[narsese][dialect]") {
  TermTable table;
  const auto warning = [&](std::string_view text, Dialect dialect) {
    const ParsedSentence parsed = Parser(dialect).sentence(text, table);
    REQUIRE(parsed.result);
    REQUIRE(parsed.warnings.size() == 1);
    return std::to_string(parsed.warnings[0].column) + ": " + parsed.warnings[0].message;
  };
  CHECK(warning("a! :/:", Dialect::ona) == "4: ONA reads a past or future goal: it takes it for present");
  CHECK(warning("{ü,+5}.", Dialect::ona) == "4: ONA reads an interval: it makes an atom of it");
  CHECK(warning("a. %1;1%", Dialect::opennars) == "7: OpenNARS reads a confidence of 1: it makes 0.99 of it");
  CHECK(warning("<(*,a) --> b>.", Dialect::pynars) ==
        "5: PyNARS reads a product of one component: it puts SELF before the component");
  CHECK(warning("(&&,(&&,a,b),c).", Dialect::opennars) ==
        "1: OpenNARS makes '(&&,a,b,c)' of '(&&,c,(&&,a,b))'");
}

// --- which systems can read a text

TEST_CASE("the constructs of a text determine which systems can read it", "[narsese][dialect]") {
  const auto whom = [](std::string_view text) {
    TermTable table;
    const ConstructSet used = read_lines(std::string(text), table, Dialect::any)[0].constructs;
    std::string out;
    for (const Dialect dialect : systems)
      if ((used & handled(dialect, Handling::Kind::refuses)) == 0)
        out += std::string(facts(dialect).name) + ' ';
    return out;
  };
  CHECK(whom("<a --> b>.") == "common ona opennars pynars ");
  CHECK(whom("<a --> b>. :|: %1;0.9%") == "common ona opennars pynars ");
  CHECK(whom("$0.5;0.5;0.5$ <a --> b>.") == "common opennars pynars ");
  CHECK(whom("<(a * b) --> c>.") == "ona pynars ");
  CHECK(whom("<(a * b) --> c>. {1.0 0.9}") == "ona ");
  CHECK(whom("<(R /1 b) --> c>.") == "ona ");
  CHECK(whom("dt=2 <a =/> b>.") == "ona ");
  CHECK(whom("say(a,b)@") == "opennars pynars ");
  CHECK(whom("^say(a,b)@") == "opennars ");
  CHECK(whom("(a,b)@") == "pynars ");
  CHECK(whom("<\"a b\" --> c>.") == "pynars ");
  CHECK(whom("<a <\\> b>.") == "common ");
  CHECK(whom("a.  %1;0.9%") == "common opennars pynars ");
  CHECK(whom("<(a * b) <\\> b>.") == "");
  CHECK(whom("'remark") == "common opennars pynars ");
}

TEST_CASE("find_dialect finds every dialect by name", "[narsese][dialect]") {
  CHECK(find_dialect("common") == Dialect::common);
  CHECK(find_dialect("ona") == Dialect::ona);
  CHECK(find_dialect("opennars") == Dialect::opennars);
  CHECK(find_dialect("pynars") == Dialect::pynars);
  CHECK(find_dialect("auto") == Dialect::any);
  for (const std::string_view name : {"", "ONA", "any", "nars"}) CHECK_FALSE(find_dialect(name));
  for (const Dialect dialect : dialects) CHECK(facts(dialect).dialect == dialect);
}

// --- the grammar of each dialect

TEST_CASE("infix connectors have PyNARS's precedence", "[narsese][dialect]") {
  // The connectors from the tightest to the loosest. The last two have equal precedence and do not chain.
  constexpr std::array<std::string_view, 9> order{"&", "|", "&|", "&/", "&&", "||", "*", "-", "~"};
  const auto looseness = [](std::size_t i) { return i == 8 ? 7 : i; };
  for (const Dialect dialect : {Dialect::pynars, Dialect::any})
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = 0; j < order.size(); ++j) {
        const std::string x(order[i]), y(order[j]), text = "(a " + x + " b " + y + " c)";
        CAPTURE(text);
        if (looseness(i) == 7 && looseness(j) == 7) {
          CHECK(read(text, dialect).starts_with("error: "));
          continue;
        }
        const std::string grouped = i == j                        ? "(" + x + ",a,b,c)"
                                    : looseness(i) < looseness(j) ? "(" + y + ",(" + x + ",a,b),c)"
                                                                  : "(" + x + ",a,(" + y + ",b,c))";
        CHECK(read(text, dialect) == read(grouped, Dialect::any));
        CHECK_FALSE(read(text, dialect).starts_with("error: "));
      }
  CHECK(read("(a & b - c & d)", Dialect::pynars) == "(-,(&,a,b),(&,c,d))");
  CHECK(read("(a * b || c && d &/ e &| f | g & h)", Dialect::pynars) ==
        read("(*,a,(||,b,(&&,c,(&/,d,(&|,e,(|,f,(&,g,h)))))))", Dialect::any));
  CHECK(read("(a-b)", Dialect::pynars) == "(-,a,b)");
  CHECK(read("(--a && b)", Dialect::pynars) == read("(&&,(--,a),b)", Dialect::any));
}

TEST_CASE("both notations of images make the same term", "[narsese][dialect]") {
  for (const auto& [numbered, placed] :
       std::vector<std::array<std::string, 2>>{{"(R /1 B)", "(/,R,_,B)"},
                                               {"(R /2 A)", "(/,R,A,_)"},
                                               {"(R \\1 B)", "(\\,R,_,B)"},
                                               {"(R \\2 A)", "(\\,R,A,_)"},
                                               {"(/1,R,B)", "(/,R,_,B)"},
                                               {"(\\2 R A)", "(\\,R,A,_)"}}) {
    CAPTURE(numbered);
    CHECK(read(numbered, Dialect::ona) == placed);
    for (const Dialect dialect : {Dialect::common, Dialect::opennars, Dialect::pynars})
      CHECK(read(placed, dialect) == placed);
  }
  CHECK(read("(/,R,B)", Dialect::ona) == "(/,R,_,B)");  // ONA puts a missing placeholder first
  CHECK(read("(\\,R,B)", Dialect::ona) == "(\\,R,_,B)");
  CHECK(read("(/,R,A,_,C)", Dialect::pynars) == "(/,R,A,_,C)");
}

TEST_CASE("abbreviations expand to inheritance statements", "[narsese][dialect]") {
  for (const Dialect dialect : {Dialect::common, Dialect::opennars, Dialect::pynars}) {
    CHECK(read("<a {-- b>", dialect) == "<{a} --> b>");
    CHECK(read("<a --] b>", dialect) == "<a --> [b]>");
    CHECK(read("<a {-] b>", dialect) == "<{a} --> [b]>");
  }
  const std::string operation = "<(*,{SELF},x) --> ^say>";
  CHECK(read("(^say,{SELF},x)", Dialect::opennars) == operation);
  CHECK(read("say({SELF},x)", Dialect::opennars) == operation);
  CHECK(read("^say({SELF},x)", Dialect::opennars) == operation);
  CHECK(read("(^say,{SELF},x)", Dialect::pynars) == operation);
  CHECK(read("say({SELF},x)", Dialect::pynars) == operation);
  CHECK(read("<({SELF} * x) --> ^say>", Dialect::ona) == operation);
  CHECK(read("<(*,{SELF},x) --> ^say>", Dialect::common) == operation);
  CHECK(read("(a,b,c)", Dialect::pynars) == "(*,a,b,c)");
  CHECK(read("((a,b),c)", Dialect::pynars) == "(*,(*,a,b),c)");
}

TEST_CASE("variables are numbered by kind, independently of irrelevant order", "[narsese][dialect]") {
  for (const Dialect dialect : dialects) {
    CHECK(read("<#foo --> $bar>", dialect) == "<#1 --> $1>");
    CHECK(read("<$y --> (&&,<$y --> z>,<?x --> y>)>", dialect) ==
          read("<$1 --> (&&,<?2 --> y>,<$1 --> z>)>", dialect));
    CHECK(read("<b <-> a>", dialect) == "<a <-> b>");
    CHECK(read("{b,a}", dialect) == "{a,b}");
  }
}

TEST_CASE("dt= is read before a predictive implication", "[narsese][dialect]") {
  for (const auto& [text, delay] :
       std::vector<std::pair<std::string, double>>{{"dt=5 <a =/> b>.", 5},
                                                   {"dt=5.0 <a =/> b>.", 5},
                                                   {"dt=-1.5 <a =/> b>.", -1.5},
                                                   {"dt=1e1 <a =/> b>.", 10},
                                                   {"dt=0.000001 <a =/> b>. %1.0;0.5%", 0.000001}}) {
    CAPTURE(text);
    TermTable table;
    const auto sentence = parse_sentence(text, table, {}, Dialect::ona);
    REQUIRE(sentence);
    CHECK(sentence->delay == delay);
  }
  CHECK(read_sentence("dt=5 <a =/> b>! :|:", Dialect::ona) == "dt=5 <a =/> b>! :|:");
  CHECK(read_sentence("dt=abc <a =/> b>.", Dialect::ona).starts_with("error: "));
  CHECK(read_sentence("dt=5<a =/> b>.", Dialect::ona).starts_with("error: "));
}

TEST_CASE("each dialect reads its own form of truth values", "[narsese][dialect]") {
  const auto truth = [](std::string_view text, Dialect dialect) {
    TermTable table;
    const auto sentence = parse_sentence(text, table, {}, dialect);
    if (!sentence) return std::string("error");
    return sentence->truth ? print(*sentence->truth) : std::string("none");
  };
  for (const Dialect dialect : dialects) {
    CHECK(truth("a. %0.5;0.4%", dialect) == "%0.5;0.4%");
    CHECK(truth("a. %0.5%", dialect) == "%0.5;0.9%");
    CHECK(truth("a. %.5;.25%", dialect) == "%0.5;0.25%");
    CHECK(truth("a. :|: %0.5;0.4%", dialect) == "%0.5;0.4%");
    CHECK(truth("a. %0.5;0.4% :|:", dialect) == "error");
    CHECK(truth("a? %0.5;0.4%", dialect) == "error");
    CHECK(truth("a. %1.5;0.4%", dialect) == "error");
  }
  CHECK(truth("a. {0.5 0.4}", Dialect::ona) == "%0.5;0.4%");
  CHECK(truth("a. { 0.5  0.4 }", Dialect::ona) == "%0.5;0.4%");
  CHECK(truth("a. {0.5}", Dialect::ona) == "error");
  CHECK(truth("a. {0.5;0.4}", Dialect::ona) == "error");
  CHECK(truth("a.%0.5;0.4%", Dialect::ona) == "error");
  CHECK(truth("a.%0.5;0.4%", Dialect::opennars) == "%0.5;0.4%");
  CHECK(truth("a.:|:%0.5;0.4%", Dialect::opennars) == "%0.5;0.4%");
  CHECK(truth("a.:|:%0.5;0.4%", Dialect::pynars) == "%0.5;0.4%");
}

TEST_CASE("PyNARS's evidential horizon converts to a confidence with k = 1", "[narsese][dialect]") {
  // With the horizon k, the evidence w gives the confidence c = w/(w+k). The same evidence with k = 1 gives k c / (k c
  // + 1 - c).
  TermTable table;
  const auto confidence = [&](std::string_view text) {
    const auto sentence = parse_sentence(text, table, {}, Dialect::pynars);
    REQUIRE(sentence);
    return sentence->truth->confidence;
  };
  CHECK(confidence("a. %1;0.9;1%") == 0.9);      // the horizon 1 needs no conversion
  CHECK(confidence("a. %1;0.5;2%") == 2.0 / 3);  // the evidence w is 2
  CHECK(confidence("a. %1;0.5;3%") == 0.75);     // the evidence w is 3
  CHECK(confidence("a. %1;0.25;3%") == 0.5);     // the evidence w is 1
  CHECK(confidence("a. %1;0.75;1%") == 0.75);
  CHECK(read_sentence("a. %1;0.9;0%", Dialect::pynars).starts_with("error: "));
}

TEST_CASE("each dialect reads its system's tenses", "[narsese][dialect]") {
  CHECK(fates("a. :|:") == "rrrrr");
  CHECK(fates("a? :|:") == "rrrrr");
  CHECK(fates("a? :/:") == "rrrrr");
  CHECK(fates("a? :\\:") == "rrrrr");
  CHECK(fates("a! :|:") == "rrrrr");
  CHECK(fates("a@ :|:") == "rxrrr");
  CHECK(fates("a. :\\:") == "rxrrr");
  CHECK(fates("a? :!-5:") == "rxxrr");
  CHECK(fates("a? :-5:") == "xxwxr");
  CHECK(fates("a? :soon:") == "xxxxx");
  CHECK(read_sentence("a. :!-5:", Dialect::pynars) == "a. :!-5:");
}

TEST_CASE("only ONA requires certain blanks", "[narsese][dialect]") {
  const std::string term = "<(*,a,b) --> {c}>.";
  for (const Dialect dialect : {Dialect::common, Dialect::opennars, Dialect::pynars}) {
    CHECK(read_sentence("< ( * , a , b ) --> { c } > .", dialect) == term);
    CHECK(read_sentence("<(*,a,b)-->{c}>.", dialect) == term);
    CHECK(read_sentence("<(*,a,b) --> {c}>.   :|:", dialect) == term + " :|:");
    CHECK(read_sentence("<(*,a,b) --> {c}>.:|:", dialect) == term + " :|:");
  }
  CHECK(read_sentence("< ( a * b ) --> { c } > .", Dialect::ona) == term);
  // The brackets separate the copula from the names.
  CHECK(read_sentence("<(*,a,b)-->{c}>.", Dialect::ona) == term);
  CHECK(read_sentence("<a -->{c}>.", Dialect::ona) == "<a --> {c}>.");
  CHECK(read_sentence("<a--> {c}>.", Dialect::ona).starts_with("error: ONA does not read a copula"));
  CHECK(
      read_sentence("a.   :|:", Dialect::ona).starts_with("error: ONA does not read anything but one blank"));
  CHECK(read_sentence("a.:|:", Dialect::ona).starts_with("error: ONA does not read anything but one blank"));
}

TEST_CASE("special characters in names depend on the dialect", "[narsese][dialect]") {
  // Whether each character X can be part of a name in <aXb --> zz>: y or n for common, ona, opennars and pynars.
  const std::vector<std::pair<std::string, std::string>> characters{
      {"_", "yyyy"}, {"-", "yyyn"}, {".", "nyyn"},  {":", "nynn"}, {"'", "nyyy"}, {"`", "nyyy"},
      {"!", "nyyn"}, {"%", "nynn"}, {"/", "nyyn"},  {"=", "nyyn"}, {"@", "nyyn"}, {"\\", "nyyn"},
      {"^", "nyyn"}, {"|", "nyyn"}, {"~", "nyyn"},  {"+", "nyyn"}, {"#", "nynn"}, {"$", "nynn"},
      {"?", "nynn"}, {"ü", "yyyy"}, {"鸟", "yyyy"}, {"5", "yyyy"}, {",", "nnnn"}, {"(", "nnnn"},
      {")", "nnnn"}, {"<", "nnnn"}, {">", "nnnn"},  {"[", "nnnn"}, {"{", "nnnn"}, {"}", "nnnn"},
  };
  for (const auto& [character, expected] : characters) {
    std::string found;
    for (const Dialect dialect : systems) {
      const std::string text = "<a" + character + "b --> zz>.";
      found += read_sentence(text, dialect) == text ? 'y' : 'n';
    }
    CAPTURE(character);
    CHECK(found == expected);
  }
}

TEST_CASE("names that a system garbles are refused", "[narsese][dialect]") {
  TermTable table;
  const auto error = [&](std::string_view text, Dialect dialect) {
    const auto sentence = parse_sentence(text, table, {}, dialect);
    return sentence ? std::string("read") : sentence.error().message();
  };
  for (const std::string part : {"--", "||", "/1", "/2", "\\1", "\\2"}) {
    CAPTURE(part);
    CHECK(error("<x" + part + "y --> z>.", Dialect::ona) != "read");
    CHECK(error("<x" + part + "y --> z>.", Dialect::any) ==
          (part == "||" ? error("<x||y --> z>.", Dialect::any) : "read"));
  }
  const std::string longest(31, 'x');
  CHECK(error("<" + longest + " --> z>.", Dialect::ona) == "read");
  CHECK(error("<x" + longest + " --> z>.", Dialect::ona) ==
        "the name 'x" + longest + "' has 32 bytes, but ONA keeps only 31");
  CHECK(error("<x" + longest + " --> z>.", Dialect::opennars) == "read");
  CHECK(error("<z --> ^" + longest + ">.", Dialect::ona) ==
        // ONA counts the ^ of an operator.
        "the name '^" + longest + "' has 32 bytes, but ONA keeps only 31");
  CHECK(error("<-b --> z>.", Dialect::ona) == "ONA garbles '<-' at the start of '<-b --> z>'");
  CHECK(error("<z --> -b>.", Dialect::ona) == "read");
  CHECK(error("{-b}.", Dialect::ona) == "read");
  // A name that consists of one of these characters is a symbol of ONA.
  for (const char c : std::string_view("!%'*.:@/=\\^|~")) {
    const std::string name(1, c);
    TermTable own;
    const Sentence sentence{own.atom(name), Punctuation::judgment, {}, {}, {}};
    CHECK(unsupported_reason(sentence, Dialect::ona).starts_with("ONA garbles the name '"));
    CHECK(unsupported_reason({own.atom("a" + name + "b"), Punctuation::judgment, {}, {}, {}}, Dialect::ona) ==
          "");
  }
  CHECK(error("_x.", Dialect::ona) == "read");
  CHECK(error("<a%b --> z>.", Dialect::opennars) == "OpenNARS garbles '%' in the name 'a%b'");
}

// --- constructs with a meaning in one system only

namespace {

/// The column and message of an error, or the sentence that the dialect reads.
std::string outcome(std::string_view text, Dialect dialect) {
  TermTable table;
  const auto sentence = parse_sentence(text, table, {}, dialect);
  if (sentence) return print(*sentence);
  return std::to_string(sentence.error().column) + ": " + sentence.error().message();
}

}  // namespace

TEST_CASE("an empty line is a cycle only for ONA", "[narsese][dialect]") {
  for (const std::string blank : {"", " ", "\t  ", "\r"})
    for (const Dialect dialect : dialects) {
      TermTable table;
      const auto lines = read_lines("a. :|:\n" + blank + "\n" + blank + "\nb. :|:\n", table, dialect);
      CAPTURE(blank, facts(dialect).name);
      REQUIRE(lines.size() == 4);
      for (const NalLine* line : {&lines[1], &lines[2]}) {
        CHECK(line->kind == (dialect == Dialect::ona ? NalLine::Kind::cycles : NalLine::Kind::blank));
        CHECK(line->cycles == (dialect == Dialect::ona ? 1 : 0));
      }
    }
}

TEST_CASE("only OpenNARS reads _ as a name", "[narsese][dialect]") {
  for (const std::string text : {"<(*,hi,_,_,_) --> sentence>. :|: %1;0.9%", "<_ --> thing>.", "{_}.",
                                 "(&&,_,b).", "<thing --> _>!", "_."}) {
    CAPTURE(text);
    CHECK_FALSE(read_sentence(text, Dialect::opennars).starts_with("error"));
    for (const Dialect dialect : {Dialect::common, Dialect::ona, Dialect::pynars, Dialect::any})
      CHECK(read_sentence(text, dialect).find("placeholder") != std::string::npos);
  }
  CHECK(read_sentence("<_ --> thing>.", Dialect::opennars) == "<_ --> thing>.");
  // In an image, _ remains a placeholder.
  CHECK(read_sentence("<a --> (/,likes,_,b)>.", Dialect::opennars) == "<a --> (/,likes,_,b)>.");
  CHECK(read_sentence("<a --> (/,likes,_,_)>.", Dialect::opennars).starts_with("error"));
}

TEST_CASE("CommonNarsese may omit numbers of budgets and truth values", "[narsese][dialect]") {
  for (const auto& [text, plain] :
       {std::pair("$$ <a --> b>.", "<a --> b>."), std::pair("$ $<a --> b>.", "<a --> b>."),
        std::pair("$0.5;$ <a --> c>.", "$0.5;0.5;0.95$ <a --> c>."),
        std::pair("$0.5;0.25;$ <a --> c>.", "$0.5;0.25;0.95$ <a --> c>."),
        std::pair("$0.5; ; $ <a --> c>.", "$0.5;0.5;0.95$ <a --> c>."),
        std::pair("$0.5;0.25;0.75;$ <a --> c>.", "$0.5;0.25;0.75$ <a --> c>."),
        std::pair("<a --> d>. %0.5;%", "<a --> d>. %0.5%"),
        std::pair("<a --> d>. %0.5;0.25;%", "<a --> d>. %0.5;0.25%"),
        std::pair("<a --> d>. %%", "<a --> d>."), std::pair("<a --> d>? % %", "<a --> d>?")}) {
    CAPTURE(text);
    TermTable table;
    const auto read = parse_sentence(text, table, {}, Dialect::common), wanted = parse_sentence(plain, table);
    REQUIRE(wanted);
    REQUIRE(read);
    CHECK(*read == *wanted);
  }
  for (const Dialect dialect : {Dialect::ona, Dialect::opennars, Dialect::pynars, Dialect::any})
    for (const char* text : {"$$ <a --> b>.", "$0.5;$ <a --> c>.", "<a --> d>. %0.5;%", "<a --> d>. %%"}) {
      CAPTURE(text, facts(dialect).name);
      CHECK(read_sentence(text, dialect).starts_with("error"));
    }
  // The numbers may be omitted, but not the marks around them.
  for (const char* text : {"$; <a --> b>.", "$0.5;;0.9$ <a --> b>.", "<a --> b>. %;0.9%", "<a --> b>. %0.5;"})
    CHECK(read_sentence(text, Dialect::common).starts_with("error"));
}

TEST_CASE("CommonNarsese skips all white space of Unicode", "[narsese][dialect]") {
  for (const std::string blank : {"\u3000", "\u00A0", "\u2003", "\u2028", "\u202F", "\u205F", "\u1680"}) {
    CAPTURE(blank);
    CHECK(read_sentence("<tim" + blank + " --> cat>.", Dialect::common) == "<tim --> cat>.");
    CHECK(read_sentence(blank + "$0.5" + blank + ";0.5$" + blank + "<tim" + blank + "-->" + blank + blank +
                            "cat>." + blank + ":|:" + blank + "%0.5" + blank + ";0.9%" + blank,
                        Dialect::common) == "$0.5;0.5;0.95$ <tim --> cat>. :|: %0.5;0.9%");
    TermTable table;
    const auto lines =
        read_lines(blank + "\n" + blank + "7" + blank + "\n" + blank + "' said\n", table, Dialect::common);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].kind == NalLine::Kind::blank);
    CHECK(lines[1].cycles == 7);
    CHECK(lines[2].kind == NalLine::Kind::comment);
    // A blank of several bytes counts as one column.
    CHECK(
        outcome("<" + blank + blank + "tim =-> cat>.", Dialect::common).starts_with("8: expected a copula"));
    CHECK(read_sentence("<tim" + blank + " --> cat>.", Dialect::any) == "<tim" + blank + " --> cat>.");
  }
  CHECK(read_sentence("<\u200Btim --> cat>.", Dialect::common) !=
        "<tim --> cat>.");  // a zero-width space is not white space
  CHECK(read_sentence("<\u732B --> cat>.", Dialect::common) == "<\u732B --> cat>.");
}

TEST_CASE("a truth value in braces with a comma is refused for ONA", "[narsese][dialect]") {
  constexpr std::string_view refused =
      "ONA does not read a truth value in braces with a comma: it silently drops the line";
  for (const auto& [text, column] :
       {std::pair("d. {0.5,0.9}", 8), std::pair("d. {0.5, 0.9}", 8), std::pair("d. {0.5 ,0.9}", 9),
        std::pair("d. {0.5 , 0.9}", 9), std::pair("d. {0.5\t ,0.9}", 10), std::pair("d. :|: {1 , 0.9}", 11)})
    CHECK(outcome(text, Dialect::ona) == std::to_string(column) + ": " + std::string(refused));
  CHECK(outcome("d. {0.5 0.9}", Dialect::ona) == "d. %0.5;0.9%");
  CHECK(outcome("d. {0.5  0.9 }", Dialect::ona) == "d. %0.5;0.9%");
  CHECK(outcome("d. {0.5}", Dialect::ona).starts_with("8: expected a blank or ','"));
}

TEST_CASE("errors identify output of a NARS", "[narsese][dialect]") {
  const std::string behind = ", which a NARS prints after a sentence";
  const auto heading = [](const std::string& column, const std::string& word) {
    return column + ": expected a sentence alone, found '" + word + "', which begins a line of NARS output";
  };
  CHECK(outcome("IN: <a --> b>. %1.00;0.90%", Dialect::any) == heading("1", "IN:"));
  CHECK(outcome("OUT: <a --> b>. %1.00;0.90% {12 : 1;2}", Dialect::opennars) == heading("1", "OUT:"));
  CHECK(outcome("Answer: <a --> b>. creationTime=1 Stamp=[1] Truth: frequency=1, confidence=0.9",
                Dialect::ona) == heading("1", "Answer:"));
  CHECK(outcome("Derived: dt=2.0 <a =/> b>. Priority=0.5", Dialect::ona) == heading("1", "Derived:"));
  CHECK(outcome("Solved <a --> b>. %1.00;0.50%", Dialect::any) == heading("1", "Solved"));
  CHECK(outcome(" 0.80  0.50  0.95  IN    : <a --> b>.  %1.000;0.900%", Dialect::pynars) ==
        heading("20", "IN    :"));
  CHECK(outcome("ANSWER: <a --> b>.", Dialect::common) == heading("1", "ANSWER:"));
  const std::string stamp = ": expected end of line, found a stamp such as {12 : 1;2}" + behind;
  CHECK(outcome("<a --> b>. %1.00;0.90% {0 : 2}", Dialect::any) == "24" + stamp);
  CHECK(outcome("<a --> b>. {12 : 1;2}", Dialect::opennars) == "12" + stamp);
  CHECK(outcome("<a --> b>. :|: %1;0.9% {-5 : 3}", Dialect::any) == "24" + stamp);
  CHECK(outcome("a. Priority=0.5 Stamp=[1]", Dialect::ona) ==
        "4: expected end of line, found 'Priority='" + behind);
  CHECK(outcome("a. :|: occurrenceTime=3", Dialect::any) ==
        "8: expected end of line, found 'occurrenceTime='" + behind);
  CHECK(outcome("^left executed with args", Dialect::ona).ends_with("found 'executed with args'" + behind));
  for (const auto& [text, column] :
       {std::pair("<a --> b>. // trailing", 12), std::pair("<a --> b>? // why?", 12),
        std::pair("<a --> b>. %1;0.9% // sure", 20), std::pair("5 // cycles", 3)}) {
    CAPTURE(text);
    CHECK(outcome(text, Dialect::any).starts_with(std::to_string(column) + ": expected "));
    CHECK(outcome(text, Dialect::any).ends_with(" (a comment needs a line of its own), found '//'"));
  }
  for (const auto& [text, column] : {std::pair("$0.5 <a --> b>.", 6), std::pair("$0.8;0.5 <a --> b>.", 5)})
    for (const Dialect dialect : {Dialect::any, Dialect::opennars}) {
      CHECK(outcome(text, dialect).starts_with(std::to_string(column) + ": expected punctuation"));
      CHECK(outcome(text, dialect).find("or '$' behind the numbers of a budget such as $0.5$") !=
            std::string::npos);
    }
  CHECK(outcome("$x <a --> b>.", Dialect::any).find("budget") == std::string::npos);
  // Valid lines and lines with other errors do not get this message.
  CHECK(outcome("<IN --> OUT>.", Dialect::any) == "<IN --> OUT>.");
  CHECK(outcome("<{1 : 2} --> b>.", Dialect::any).find("stamp") == std::string::npos);
  CHECK(outcome("Input <a --> b>.", Dialect::any).find("NARS") == std::string::npos);
}

TEST_CASE("an error names a byte order mark inside a line", "[narsese][dialect]") {
  const std::string mark(byte_order_mark),
      message =
          "expected text, found a byte order mark (U+FEFF), which is allowed only at the start of a file";
  for (const Dialect dialect : dialects) {
    TermTable table;
    const auto lines = read_lines(
        mark + "<a --> b>.\n" + mark + "<b --> c>.\n<c" + mark + " --> d>.\n" + mark + "9\n<d --> e>.\n",
        table, dialect);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].kind == NalLine::Kind::sentence);
    CHECK(lines[4].kind == NalLine::Kind::sentence);
    for (const auto& [number, column] : {std::pair(1, 1), std::pair(2, 3), std::pair(3, 1)}) {
      const NalLine& line = lines[static_cast<std::size_t>(number)];
      CHECK(line.kind == NalLine::Kind::error);
      CHECK(line.error.message() == message);
      CHECK(line.error.column == static_cast<std::size_t>(column));
    }
  }
}
