// SPDX-License-Identifier: MIT
#include "narsese/translator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/fidelity.hpp"
#include "narsese/printer.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

/// The translation followed by ` | ` and its warnings, or `refused: ` and the reason.
std::string shown(const Result<Translation, Refusal>& translation) {
  if (!translation) return "refused: " + translation.error().message;
  std::string out = translation->text;
  for (const std::string& warning : translation->warnings) out += " | " + warning;
  return out;
}

std::string translated(std::string_view text, Dialect to) {
  TermTable table;
  const auto sentence = parse_sentence(text, table);
  REQUIRE(sentence);
  return shown(Translator(table, to).sentence(*sentence));
}

struct Row {
  std::string_view text, translation;
};
void check_translations(Dialect to, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(translated(row.text, to) == row.translation);
  }
}

/// Rows: a sentence and the reason why the system cannot store it.
void check_refusals(Dialect to, const std::vector<std::array<std::string, 2>>& rows) {
  for (const auto& [text, why] : rows) CHECK(translated(text, to) == "refused: " + why);
}

std::vector<std::string> translated_lines(std::string_view file, Dialect to, Dialect from = Dialect::any) {
  TermTable table;
  Translator translator(table, to);
  std::vector<std::string> lines;
  for (const NalLine& line : read_lines(std::string(file), table, from))
    lines.push_back(shown(translator.line(line)));
  return lines;
}

/// The term with random names. Several systems garble some of the names.
Term renamed(Term term, TermTable& table, Random& random) {
  constexpr std::array<std::string_view, 12> names{"a",   "b",   "bird", "SELF", "x-y", "a.b",
                                                   "a:b", "a/b", "a=b",  "ü",    "x_1", "don't"};
  constexpr std::array<std::string_view, 4> operators{"say", "left", "go-to", "foo"};
  if (term.kind() == TermKind::atom) return table.atom(random.pick(names));
  if (term.kind() == TermKind::op) return table.op(random.pick(operators));
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back(renamed(component, table, random));
  return table.with_components(term, components);
}

/// A random sentence. Most are small, because more systems can store these.
Sentence random_sentence(Random& random, TermTable& table) {
  RandomTerms terms(
      random, table,
      {.depth = 1 + random.below(5), .components = 2 + random.below(2), .variables = random.below(3)});
  Sentence sentence = terms.sentence();
  sentence.term = number_variables(table, renamed(sentence.term, table, random));
  if (random.one_in(2)) sentence.tense = {random.one_in(2) ? Tense::Kind::present : Tense::Kind::eternal, 0};
  if (random.one_in(2)) sentence.budget.reset();
  if (sentence.term.is(Copula::predictive_implication) && random.one_in(2))
    sentence.delay = static_cast<double>(random.below(9));
  return sentence;
}

}  // namespace

// --- single sentences

TEST_CASE("sentences are translated for ONA", "[narsese][translator]") {
  check_translations(
      Dialect::ona,
      {
          {"<a-->b>.", "<a --> b>."},
          {"<a --> b>. :|: %1.0;0.90%", "<a --> b>. :|: %1;0.9%"},
          {"<(*,a,b) --> (&&,d,c)>?", "<(a * b) --> (c && d)>?"},
          {"{b,a}.", "{a b}."},
          {"[b,a].", "[a b]."},
          {"(--,a).", "(! a)."},
          {"(*,a).", "(* a)."},
          {"(= a).", "(= a)."},
          {"(+,a).", "(+ a)."},
          {"(/,R,_,B).", "(R /1 B)."},
          {"(/,R,A,_).", "(R /2 A)."},
          {"(\\,R,_,B).", "(R \\1 B)."},
          {"(\\,R,A,_).", "(R \\2 A)."},
          {"<a |-> [b]>.", "<a |-> [b]>."},
          {"(^left,{SELF},x)! :|:", "<({SELF} * x) --> ^left>! :|:"},
          {"<a {-] b>.", "<{a} --> [b]>."},
          {"dt=5 <a =/> b>.", "dt=5 <a =/> b>."},
          {"a? :/:", "a? :/:"},
          {"$0.5;0.5;0.5$ a.", "a. | ONA has no budgets: dropped"},
          {"(*,a,b,c).",
           "((a * b) * c). | ONA stores two components: longer compounds are nested in pairs, the first two "
           "innermost"},
          {"<({a} | {b}) --> c>.", "<{a b} --> c>. | ONA makes '<{a,b} --> c>' of '<(|,{a},{b}) --> c>'"},
          {"a. %0.00000001;0.5%", "a. %0.00000001;0.5%"},
      });
}

TEST_CASE("ONA's variables are numbered level by level", "[narsese][translator]") {
  check_translations(Dialect::ona,
                     {
                         {"<(*,$y,$x) --> $z>?", "<($2 * $3) --> $1>?"},
                         {"<<b --> (*,$y,$z)> ==> <$z --> $w>>?", "<<b --> ($3 * $1)> ==> <$1 --> $2>>?"},
                         {"<$b --> (*,$a,$b)>?", "<$1 --> ($2 * $1)>?"},
                         {"<(*,#y,$x) --> ?z>?", "<(#1 * $1) --> ?1>?"},
                     });
  // ONA numbers variables level by level, so at each level their first occurrences must have ascending numbers.
  Random random(81);
  std::size_t checked = 0;
  for (int block = 0; block < 10; ++block) {
    TermTable table;
    for (int i = 0; i < 200; ++i) {
      Sentence sentence{RandomTerms(random, table, {.depth = 4, .components = 2, .variables = 4}).term(),
                        Punctuation::question,
                        {},
                        {},
                        {}};
      sentence.term = number_variables(table, sentence.term);
      const auto translation = Translator(table, Dialect::ona).sentence(sentence);
      if (!translation) continue;
      // The numbered variables at each level of nesting, read from the text as written. Components are not sorted.
      const auto levels = [](std::string_view text) {
        std::vector<std::vector<std::string>> found(16);
        std::size_t depth = 0;
        for (std::size_t at = 0; at < text.size(); ++at) {
          if (std::string_view("<({[").find(text[at]) != std::string_view::npos) ++depth;
          if (std::string_view(")}]").find(text[at]) != std::string_view::npos) --depth;
          if (text[at] == '>' && std::string_view("-=").find(text[at - 1]) == std::string_view::npos &&
              text[at - 1] != '/')
            --depth;
          if (std::string_view("$#?").find(text[at]) != std::string_view::npos && at + 1 < text.size() &&
              text[at + 1] >= '1' && text[at + 1] <= '9')
            found[depth].emplace_back(text.substr(at, 2));
        }
        return found;
      };
      if (translation->text.find("<->") != std::string::npos ||
          translation->text.find("<=>") != std::string::npos)
        continue;
      std::array<char, 3> next{'1', '1', '1'};
      for (const auto& level : levels(translation->text))
        for (const std::string& variable : level) {
          char& expected = next[std::string_view("$#?").find(variable[0])];
          CAPTURE(translation->text, variable);
          CHECK(variable[1] <= expected);
          if (variable[1] == expected) ++expected;
          ++checked;
        }
    }
  }
  CHECK(checked > 500);
}

TEST_CASE("sentences are translated for OpenNARS", "[narsese][translator]") {
  check_translations(
      Dialect::opennars,
      {
          {"<(a * b) --> (c && d)>?", "<(*,a,b) --> (&&,c,d)>?"},
          {"(a && b && c).", "(&&,a,b,c)."},
          {"{a b}.", "{a,b}."},
          {"--a.", "(--,a)."},
          {"(R /1 B).", "(/,R,_,B)."},
          {"a. {0.5 0.4}", "a. %0.5;0.4%"},
          {"$0.5;0.25;0.125$ a@ :\\:", "$0.5;0.25;0.125$ a@ :\\:"},
          {"say({SELF},x)!", "<(*,{SELF},x) --> ^say>!"},
          {"(#,a,b).", "(#,a,b)."},
          {"M1[1,0.5].", "M1[1,0.5]."},
          {"a. %1;1%", "a. %1;0.99% | OpenNARS has no such high confidence: written as 0.99"},
          {"a. %1;0.995%", "a. %1;0.99% | OpenNARS has no such high confidence: written as 0.99"},
          {"$0.5;1;0.5$ a.", "$0.5;0.99;0.5$ a. | OpenNARS has no durability of 1: written as 0.99"},
          {"((a && b) && c).", "(&&,a,b,c). | OpenNARS makes '(&&,a,b,c)' of '(&&,c,(&&,a,b))'"},
          {"(--,(--,a)).", "a. | OpenNARS makes 'a' of '(--,(--,a))'"},
          {"(&/,+1,a,+2).",
           "a. | OpenNARS makes '(&/,a,+2)' of '(&/,+1,a,+2)' | OpenNARS makes 'a' of '(&/,a,+2)'"},
      });
}

TEST_CASE("sentences are translated for PyNARS", "[narsese][translator]") {
  check_translations(
      Dialect::pynars,
      {
          {"<(a * b) --> (c && d)>?", "<(*,a,b) --> (&&,c,d)>?"},
          {"(R /2 A).", "(/,R,A,_)."},
          {"a. :!5:", "a. :!5:"},
          {"\"a b\".", "\"a b\"."},
          {"a-b.", "\"a-b\". | PyNARS wants the name 'a-b' in quotes"},
          {"<a.b --> c:d>.",
           "<\"a.b\" --> \"c:d\">. | PyNARS wants the name 'a.b' in quotes | PyNARS wants the name 'c:d' in "
           "quotes"},
          {"a. %1;1%", "a. %1;0.99% | PyNARS has no such high confidence: written as 0.99"},
          {"a. %1;0.995%", "a. %1;0.995%"},
          {"$0.5;1;0.5$ a.", "$0.5;0.99;0.5$ a. | PyNARS has no durability of 1: written as 0.99"},
          {"(|,{a},{b}).", "{a,b}. | PyNARS makes '{a,b}' of '(|,{a},{b})'"},
          {"<(*,{SELF},x) --> ^go>!", "<(*,{SELF},x) --> ^go>!"},
          {"a. %1;0.5;3%", "a. %1;0.75%"},
      });
}

TEST_CASE("sentences are translated into CommonNarsese and the canonical spelling", "[narsese][translator]") {
  check_translations(Dialect::common, {
                                          {"<(a * b) --> (c && d)>?", "<(*,a,b) --> (&&,c,d)>?"},
                                          {"a. :!5: %1;0.9%", "a. :!5: %1;0.9%"},
                                          {"<a <\\> b>.", "<a <\\> b>."},
                                          {"$0.5;1;0.5$ a-b.", "$0.5;1;0.5$ a-b."},
                                      });
  check_translations(Dialect::any,
                     {
                         {"(#,(= a),M1[1],\"b c\"). {1 0.5}", "(#,(=,a),M1[1],\"b c\"). %1;0.5%"},
                         {"dt=5 <a =/> b>. :+3:", "dt=5 <a =/> b>. :+3:"},
                     });
}

TEST_CASE("sentences that a system cannot store are refused with the reason", "[narsese][translator]") {
  const std::string name(32, 'x');
  check_refusals(Dialect::ona,
                 {
                     {"a@", "ONA does not read a quest (@): it stops the program"},
                     {"a!", "ONA does not read an eternal goal: it stops the program; goals carry :|:"},
                     {"a. :/:",
                      "ONA does not read a past or future judgment: it stops the program; :/: and :\\: are "
                      "for questions"},
                     {"a! :/:", "ONA reads a past or future goal: it takes it for present"},
                     {"<a =/> b>. :|:",
                      "ONA does not read a present judgment of an implication =/>: it silently drops it"},
                     {"a. :!5:", "ONA does not read a tense :!n:: it stops the program"},
                     {"a. :+5:", "ONA does not read a tense :+n: or :-n:: it stops the program"},
                     {"a. %1;0%", "ONA silently drops a sentence with a confidence below 0.01"},
                     {"<a =|> b>.", "ONA does not read =|>: it silently makes another term of it"},
                     {"<a =\\> b>.", "ONA does not read =\\>: it silently makes another term of it"},
                     {"<a </> b>.", "ONA does not read </>: it silently makes another term of it"},
                     {"<a <|> b>.", "ONA does not read <|>: it silently makes another term of it"},
                     {"<a <\\> b>.", "ONA does not read <\\>"},
                     {"(&|,a,b).", "ONA does not read &|: it silently makes an atom of it"},
                     {"(&/,a,+5).", "ONA reads an interval: it makes an atom of it"},
                     {"{a,b,c}.", "ONA holds at most two components, and '{a,b,c}' has 3"},
                     {"(/,R,_,a,b).", "ONA holds at most two components, and '(/,R,_,a,b)' has 3"},
                     {"{{{{{{a}}}}}}.", "ONA nests terms 5 deep, and '{{{{{{a}}}}}}' is nested 6 deep"},
                     {"<a --> a>.", "ONA silently drops '<a --> a>'"},
                     {name + ".", "the name '" + name + "' has 32 bytes, but ONA keeps only 31"},
                     {"\"a b\".", "ONA does not read a name in quotes: it takes \" for a set"},
                 });
  check_refusals(
      Dialect::opennars,
      {
          {"dt=5 <a =/> b>.", "OpenNARS does not read dt="},
          {"a. :!5:",
           "OpenNARS does not read a tense :!n:: it silently reads the sentence as eternal, without its "
           "truth"},
          {"a. :+5:",
           "OpenNARS reads a tense :+n: or :-n:: it prints such tenses, but given one reads the sentence as "
           "eternal, without its truth"},
          {"<a |-> b>.", "OpenNARS does not read |->"},
          {"(= a).", "OpenNARS does not read (= a) or (+ a)"},
          {"<a <\\> b>.", "OpenNARS does not read <\\>"},
          {"\"a b\".",
           "OpenNARS does not read a name in quotes with blanks, brackets or the like: it takes the quotes "
           "for "
           "letters"},
          {"<a:b --> c>.", "OpenNARS garbles ':' in the name 'a:b'"},
          {"<a --> a>.", "OpenNARS finds '<a --> a>' meaningless: one side repeats or contains the other"},
          {"$x.", "OpenNARS takes the $ of '$1' for a budget's"},
      });
  check_refusals(
      Dialect::pynars,
      {
          {"dt=5 <a =/> b>.", "PyNARS does not read dt="},
          {"a. :+5:", "PyNARS does not read a tense :+n: or :-n:"},
          {"a. %1;0%", "PyNARS does not read a confidence of 0: confidence lies between 0 and 1"},
          {"$0.5;0;0.5$ a.", "PyNARS does not read a durability of 0 or 1: durability lies between 0 and 1"},
          {"(*,a).", "PyNARS reads a product of one component: it puts SELF before the component"},
          {"(#,a,b).", "PyNARS does not read a list (#,..)"},
          {"(= a).", "PyNARS does not read (= a) or (+ a)"},
          {"<a |-> b>.", "PyNARS does not read |->"},
          {"$x?", "PyNARS reads no variable alone, as '$1'"},
          {"^go-to.", "PyNARS reads letters, digits, _ and ' in names, not '^go-to'"},
          {"(--,(--,a)).", "PyNARS takes the double negation '(--,(--,a))' for a single one"},
          {"(&,{a},{b}).", "PyNARS finds nothing that the sets of '(&,{a},{b})' share"},
          {"{(&&,a,b)}.", "PyNARS takes '{(&&,a,b)}' for a set of the components of '(&&,a,b)'"},
      });
  check_refusals(
      Dialect::common,
      {
          {"dt=5 <a =/> b>.", "CommonNarsese does not read dt="},
          {"a. :+5:", "CommonNarsese does not read a tense :+n: or :-n:"},
          {"<a |-> b>.", "CommonNarsese does not read |->"},
          {"a.b.", "CommonNarsese does not read a name with a dot: names are of letters, digits, _ and -"},
          {"\"a b\".", "CommonNarsese does not read a name in quotes"},
      });
}

// --- whole files

TEST_CASE("ONA accepts 182 names besides its own", "[narsese][translator]") {
  TermTable table;
  Translator translator(table, Dialect::ona);
  const auto tell = [&](const std::string& text) {
    return shown(translator.sentence(*parse_sentence(text, table)));
  };
  for (int i = 0; i < 91; ++i) {
    const std::string text = "<n" + std::to_string(i) + " --> ^m" + std::to_string(i) + ">.";
    CHECK(tell(text) == text);
  }
  CHECK(tell("<n1 --> n90>.") == "<n1 --> n90>.");
  for (const std::string_view own :
       {"A",     "B",    "C",     "M",     "R",    "S",         "P",          "X",
        "Y",     "Z",    "Op1",   "Op2",   "SELF", "^left",     "^right",     "^up",
        "^down", "^say", "^pick", "^drop", "^go",  "^activate", "^deactivate"}) {
    const std::string text = "<" + std::string(own) + " --> n1>.";
    CHECK(tell(text) == text);
  }
  CHECK(tell("<$x --> #y>?") == "<$1 --> #1>?");
  CHECK(tell("<n1 --> x>.") ==
        "refused: ONA stops at more than 182 different names, and 'x' would be one more");
  CHECK(tell("<left --> n1>.") ==
        "refused: ONA stops at more than 182 different names, and 'left' would be one more");
  CHECK(tell("<n2 --> n1>.") == "<n2 --> n1>.");  // a refused sentence uses no name
  Translator other(table, Dialect::opennars);
  for (int i = 0; i < 200; ++i) CHECK(other.sentence(*parse_sentence("n" + std::to_string(i) + ".", table)));
}

TEST_CASE("a refused sentence uses no names", "[narsese][translator]") {
  TermTable table;
  Translator translator(table, Dialect::ona);
  for (int i = 0; i < 200; ++i)
    CHECK_FALSE(translator.sentence(*parse_sentence("n" + std::to_string(i) + "@", table)));
  for (int i = 0; i < 181; ++i)
    CHECK(translator.sentence(*parse_sentence("n" + std::to_string(i) + ".", table)));
  CHECK_FALSE(translator.sentence(*parse_sentence("<x --> y>.", table)));
  CHECK(translator.sentence(*parse_sentence("<x --> x>?", table)));
}

TEST_CASE("lines for ONA have at most 1023 bytes", "[narsese][translator]") {
  // The longest term has 32 names of 31 bytes in a tree of five levels, with 31 pairs of brackets and connectors. These
  // are 992 + 31 * 5 bytes.
  TermTable table;
  std::vector<Term> level;
  for (int i = 0; i < 32; ++i) {
    const std::string number = std::to_string(i);
    level.push_back(table.atom(number + std::string((i == 0 ? 31 : 28) - number.size(), 'x')));
  }
  const auto tree = [&](std::vector<Term> terms) {
    while (terms.size() > 1) {
      std::vector<Term> above;
      for (std::size_t i = 0; i < terms.size(); i += 2)
        above.push_back(table.compound(Connector::product, std::array{terms[i], terms[i + 1]}));
      terms = above;
    }
    return Sentence{terms[0], Punctuation::judgment, {}, {}, {}};
  };
  const auto fit = [&](std::size_t bytes) {  // the first names take as many bytes as possible
    auto leaves = level;
    for (std::size_t i = 0; i < 32; ++i) {
      const std::size_t rest = 32 - i, left = bytes;
      const std::size_t size = std::min<std::size_t>(31, left - 3 * (rest - 1));
      leaves[i] = table.atom(std::to_string(10 + i) + "_" + std::string(size - 3, 'x'));
      bytes -= size;
    }
    return tree(leaves);
  };
  const auto longest = Translator(table, Dialect::ona).sentence(fit(1023 - 31 * 5 - 1));
  REQUIRE(longest);
  CHECK(longest->text.size() == 1023);
  CHECK(shown(Translator(table, Dialect::ona).sentence(fit(1024 - 31 * 5 - 1))) ==
        "refused: ONA reads lines of 1023 bytes, and this one would have 1024");
  CHECK(Translator(table, Dialect::pynars).sentence(fit(1024 - 31 * 5 - 1)));
}

TEST_CASE("other lines are kept, and blank lines cause no cycle in ONA", "[narsese][translator]") {
  const std::string file =
      "//slashes\n"
      "'apostrophe\n"
      "  // indented\n"
      "''outputMustContain('a.')\n"
      "10\n"
      "\n"
      "*volume=0\n"
      "*reset\n"
      "*concepts\n"
      "<a --> b>.\n";
  CHECK(translated_lines(file, Dialect::ona) ==
        std::vector<std::string>{"//slashes", "//apostrophe", "// indented", "//'outputMustContain('a.')",
                                 "10", "//", "*volume=0", "*reset", "*concepts", "<a --> b>."});
  CHECK(translated_lines(file, Dialect::opennars) ==
        std::vector<std::string>{
            "//slashes", "'apostrophe", "  // indented", "''outputMustContain('a.')", "10", "", "*volume=0",
            "**", "'*concepts | OpenNARS has no command '*concepts': kept as a comment", "<a --> b>."});
  CHECK(translated_lines(file, Dialect::pynars) ==
        std::vector<std::string>{
            "//slashes", "'apostrophe", "  // indented", "''outputMustContain('a.')", "10", "", "/volume 0",
            "''reset", "'*concepts | PyNARS has no command '*concepts': kept as a comment", "<a --> b>."});
  CHECK(translated_lines(file, Dialect::common) ==
        std::vector<std::string>{"'slashes", "'apostrophe", "' indented", "''outputMustContain('a.')", "10",
                                 "", "'''VOL 0", "'''RES",
                                 "'*concepts | CommonNarsese has no command '*concepts': kept as a comment",
                                 "<a --> b>."});
}

TEST_CASE("commands are translated between OpenNARS and ONA", "[narsese][translator]") {
  const std::string file = "**\n*decisionthreshold=0.5\n*threads=2\nquit\n";
  CHECK(translated_lines("*sleep 5\n", Dialect::ona) ==
        std::vector<std::string>{"//*sleep 5 | ONA has no command '*sleep 5': kept as a comment"});
  CHECK(translated_lines(file, Dialect::ona) ==
        std::vector<std::string>{"*reset", "*decisionthreshold=0.5",
                                 "//*threads=2 | ONA has no command '*threads=2': kept as a comment",
                                 "quit"});
  CHECK(translated_lines(file, Dialect::opennars) ==
        std::vector<std::string>{"**", "*decisionthreshold=0.5", "*threads=2",
                                 "'quit | OpenNARS has no command 'quit': kept as a comment"});
}

TEST_CASE("the volume command is translated for each system", "[narsese][translator]") {
  for (const Dialect to : systems) {
    const std::string line = translated_lines("*volume=7\n", to).at(0);
    CAPTURE(line);
    TermTable table;
    const NalLine read = read_lines(line, table, to).at(0);
    CHECK(read.kind == (to == Dialect::common ? NalLine::Kind::comment : NalLine::Kind::command));
    if (to == Dialect::common) continue;
    CHECK(Translator(table, Dialect::ona).line(read)->text == "*volume=7");
    CHECK(Translator(table, to).line(read)->text == line);
  }
}

TEST_CASE("a sentence that reads as another kind of line is refused", "[narsese][translator]") {
  for (const char* name : {"'a", "//a", "*a",
                           "\xEF\xBB\xBF"
                           "a",
                           "\"a\nb\""})
    for (const Dialect to : dialects) {
      TermTable table;
      const Sentence sentence{table.atom(name), Punctuation::judgment, {}, {}, {}};
      const auto translation = Translator(table, to).sentence(sentence);
      CAPTURE(name, facts(to).name);
      if (!translation) continue;
      const NalLine read = read_lines(translation->text, table, to).at(0);
      CHECK(read.kind == NalLine::Kind::sentence);
      // PyNARS may quote the name, which changes it.
      if (to != Dialect::pynars) CHECK(read.sentence == sentence);
    }
  TermTable table;
  CHECK(Translator(table, Dialect::any)
            .sentence({table.atom("'a"), Punctuation::judgment, {}, {}, {}})
            .error()
            .message == "a reader of files does not read the line ''a.' as a sentence");
}

TEST_CASE("an empty line of ONA is a cycle in every translation", "[narsese][translator]") {
  const std::string file = "a. :|:\n\n \nb. :|:\n";
  CHECK(translated_lines(file, Dialect::ona, Dialect::ona) ==
        std::vector<std::string>{"a. :|:", "1", "1", "b. :|:"});
  CHECK(translated_lines(file, Dialect::opennars, Dialect::ona)[1] == "1");
  CHECK(translated_lines(file, Dialect::pynars, Dialect::ona)[2] == "1");
  CHECK(translated_lines(file, Dialect::any, Dialect::ona)[1] == "1");
  // In other dialects an empty line is not a cycle, so its translation for ONA is not a cycle, either.
  CHECK(translated_lines(file, Dialect::ona, Dialect::opennars)[1] == "//");
}

TEST_CASE("components for ONA keep their written order", "[narsese][translator]") {
  const auto to_ona = [](const std::string& line, Dialect from = Dialect::ona) {
    return translated_lines(line + "\n", Dialect::ona, from).at(0);
  };
  for (const std::string line :
       {"<{m k} --> s>.", "((a && b) && c).", "(h || g).", "<<x --> [wet cold]> ==> sad>.", "<{k m} --> s>?",
        "(c && (a && b))?", "(g || h)?", "<<x --> [cold wet]> ==> sad>?", "<b <-> a>. %1.0;0.9%",
        "<z <=> y>. :|:", "<(dog & big) --> (pet | animal)>.", "(&&,b,a)."}) {
    CHECK(to_ona(line) == line);
    CHECK(to_ona(line, Dialect::any) == line);
  }
  // If ONA cannot read the original line, a warning reports that the order of components changes.
  const std::string warning =
      " | ONA keeps the written order of components, and this order differs from that of the line";
  CHECK(to_ona("(&&,a,b,c).", Dialect::opennars).ends_with(warning));
  CHECK(to_ona("(&|,b,a).", Dialect::any).find(warning) == std::string::npos);  // ONA cannot store this term
  CHECK(to_ona("<(&,z,y,x) --> s>.", Dialect::pynars).ends_with(warning));
  CHECK(to_ona("$0.5$ (||,b,a).", Dialect::opennars).ends_with(warning));
  // There is no warning if the order stays the same.
  CHECK(to_ona("(&&,c,a,b).", Dialect::opennars).find(warning) == std::string::npos);
  CHECK(to_ona("<(*,b,a) --> r>.", Dialect::opennars) == "<(b * a) --> r>.");
  CHECK(translated_lines("(b && a).\n", Dialect::opennars, Dialect::ona).at(0) == "(&&,a,b).");
}

TEST_CASE("the name _ is quoted or refused", "[narsese][translator]") {
  const auto from_opennars = [](Dialect to) {
    return translated_lines("<_ --> thing>.\n", to, Dialect::opennars).at(0);
  };
  CHECK(from_opennars(Dialect::opennars) == "<_ --> thing>.");
  CHECK(from_opennars(Dialect::pynars) == "<\"_\" --> thing>. | PyNARS wants the name '_' in quotes");
  CHECK(from_opennars(Dialect::ona).starts_with("refused: "));
  CHECK(from_opennars(Dialect::common).starts_with("refused: "));
}

// --- laws ---

TEST_CASE("a translation reads back as the same sentence in the target's dialect",
          "[narsese][translator][law]") {
  Random random(82);
  std::array<std::size_t, 5> exact{}, warned{};
  std::string counterexample;
  const auto complain = [&](const std::string& what) {
    if (counterexample.empty()) counterexample = what;
  };
  for (int block = 0; block < 20; ++block) {
    TermTable table;
    for (int i = 0; i < 300; ++i) {
      const Sentence sentence = random_sentence(random, table);
      for (const Dialect to : systems) {
        const auto translation = Translator(table, to).sentence(sentence);
        if (!translation) {
          if (translation.error().message.empty()) complain(print(sentence) + " is refused without a reason");
          continue;
        }
        const std::string where =
            print(sentence) + " for " + std::string(facts(to).name) + " is " + translation->text;
        const ParsedSentence back = Parser(to).sentence(translation->text, table);
        ++(translation->warnings.empty() ? exact : warned)[static_cast<std::size_t>(to)];
        if (!back.result) {
          complain(where + " : " + back.result.error().message());
          continue;
        }
        if (translation->warnings.empty() && !(*back.result == sentence))
          complain(where + ", another sentence");
        if (!back.warnings.empty()) complain(where + ", warned of: " + back.warnings[0].message);
        // The translation uses no construct that the target refuses.
        const ConstructSet used = Parser(Dialect::any).sentence(translation->text, table).constructs;
        if (const ConstructSet bad = used & handled(to, Handling::Kind::refuses); bad != 0)
          complain(where + ", with " +
                   std::string(facts(static_cast<Construct>(std::countr_zero(bad))).what));
        // Translating again gives the same text.
        if (const auto again = Translator(table, to).sentence(*back.result);
            !again || again->text != translation->text || !again->warnings.empty())
          complain(where + ", and then " + shown(again));
      }
    }
  }
  CHECK(counterexample == "");
  for (const Dialect to : systems) CHECK(exact[static_cast<std::size_t>(to)] > 300);
  for (const Dialect to : {Dialect::ona, Dialect::opennars, Dialect::pynars})
    CHECK(warned[static_cast<std::size_t>(to)] > 100);
}

TEST_CASE("translating back gives the same sentence if there was no warning", "[narsese][translator][law]") {
  Random random(83);
  std::array<std::array<std::size_t, 5>, 5> journeys{};
  std::string counterexample;
  for (int block = 0; block < 20; ++block) {
    TermTable table;
    for (int i = 0; i < 300; ++i) {
      const Sentence sentence = random_sentence(random, table);
      for (const Dialect a : systems) {
        const auto first = Translator(table, a).sentence(sentence);
        if (!first || !first->warnings.empty()) continue;
        for (const Dialect b : systems) {
          const auto there = Translator(table, b).sentence(*Parser(a).sentence(first->text, table).result);
          if (!there || !there->warnings.empty()) continue;
          const auto back = Translator(table, a).sentence(*Parser(b).sentence(there->text, table).result);
          if (!back || back->text != first->text)
            counterexample = first->text + " becomes " + there->text + " becomes " + shown(back);
          ++journeys[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
        }
      }
    }
  }
  CHECK(counterexample == "");
  for (const Dialect a : systems)
    for (const Dialect b : systems)
      CHECK(journeys[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] > 50);
}
