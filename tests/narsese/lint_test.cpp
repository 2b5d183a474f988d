// SPDX-License-Identifier: MIT
#include "narsese/lint.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "narsese/printer.hpp"
#include "narsese/text.hpp"
#include "tests/narsese/parsing.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;
using engram::narsese::testing::RandomTerms;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // names and texts

std::vector<LintFinding> lint_files(const Files& files, std::optional<Dialect> target = {}) {
  TermTable table;
  Linter linter(table, target);
  for (const auto& [name, text] : files) {
    std::istringstream in(text);
    NalReader reader(in, table);
    while (const auto line = reader.next()) linter.line(*line, name);
  }
  return linter.finish();
}

std::string print(const LintFinding& finding) {
  return finding.file + ':' + std::to_string(finding.line) + ':' + std::to_string(finding.column) + ": " +
         (finding.is_error ? "error: " : "") + finding.rule + ": " + finding.message;
}

/// The findings in a file "f", each as "line:column: [error: ]rule: message".
std::vector<std::string> lint(const std::string& text, std::optional<Dialect> target = {}) {
  std::vector<std::string> out;
  for (const LintFinding& finding : lint_files({{"f", text}}, target)) {
    CHECK(finding.file == "f");
    out.push_back(print(finding).substr(2));
  }
  return out;
}

/// Number of findings of a rule.
std::size_t count(const std::vector<std::string>& findings, const std::string& rule) {
  return static_cast<std::size_t>(std::ranges::count_if(
      findings, [&](const std::string& finding) { return finding.find(rule + ": ") != std::string::npos; }));
}

using Found = std::vector<std::string>;

}  // namespace

// --- misread-by-target ---

TEST_CASE("lint finds constructs that the target refuses or misreads", "[narsese][lint]") {
  CHECK(lint("<a --> b>.\n  <(*,a,{b,c}) --> (/,r,_,d)>.\n", Dialect::ona) ==
        Found{"2:25: error: misread-by-target: ONA does not read an image with a placeholder _: it silently "
              "takes the placeholder for a disjunction, or the wrong place; write (R /1 B)"});
  CHECK(lint("<(a * b) --> c>.", Dialect::opennars) ==
        Found{"1:5: error: misread-by-target: OpenNARS does not read a connector between terms: it looks for "
              "commas"});
  CHECK(
      lint("<(*,a) --> b>.", Dialect::pynars) ==
      Found{"1:5: error: misread-by-target: PyNARS reads a product of one component: it puts SELF before the "
            "component"});
  CHECK(lint("<(a * b) --> c>.\n<(*,a,b) --> d>.\n<(*,a) --> b>.").empty());
  CHECK(lint("<(a * b) --> c>.", Dialect::ona).empty());
  // The only finding is of another rule, because a rounded number is not misread.
  CHECK(lint("<a --> b>. %1;1%", Dialect::opennars).size() == 1);
}

TEST_CASE("lint finds all refused constructs of a line", "[narsese][lint]") {
  CHECK(
      lint(" $0.5$ <a =|> b>!", Dialect::ona) ==
      Found{"1:2: error: misread-by-target: ONA does not read a budget $p;d;q$: it takes the budget for the "
            "term $1",
            "1:2: error: misread-by-target: ONA does not read an eternal goal: it stops the program; goals "
            "carry :|:",
            "1:2: error: misread-by-target: ONA does not read =|>: it silently makes another term of it"});
}

TEST_CASE("lint finds refused constructs in lines without a sentence", "[narsese][lint]") {
  CHECK(
      lint(" ' a\n //b\n//c\n5\n''outputMustContain('<a --> b>.')", Dialect::ona) ==
      Found{
          "1:2: error: misread-by-target: ONA does not read a line that starts with ': it stops the program; "
          "comments start with //",
          "2:2: error: misread-by-target: ONA does not read a comment that does not start its line: it stops "
          "the program",
          "5:1: error: misread-by-target: ONA does not read a line that starts with ': it stops the program; "
          "comments start with //"});
  CHECK(lint("//" + std::string(1021, 'a'), Dialect::ona).empty());
  CHECK(lint("//" + std::string(1022, 'a'), Dialect::ona) ==
        Found{"1:1: error: misread-by-target: ONA reads at most 1023 bytes of a line and takes the rest for "
              "another line"});
}

TEST_CASE("lint does not repeat parse errors", "[narsese][lint]") {
  CHECK(lint("$0.5$ <a  b>.", Dialect::ona).empty());
}

// --- unknown-copula ---

TEST_CASE("lint suggests the nearest copula", "[narsese][lint]") {
  const auto found = [](const std::string& place, const std::string& slip, const std::string& meant) {
    return Found{place + ": error: unknown-copula: unknown copula '" + slip + "': did you mean '" + meant +
                 "'?"};
  };
  CHECK(lint("<a -> b>.") == found("1:4", "->", "-->"));
  CHECK(lint("<ü=>b>.") == found("1:3", "=>", "==>"));
  CHECK(lint("<a->b>.") == found("1:3", "->", "-->"));
  CHECK(lint("<a <==> b>.") == found("1:4", "<==>", "<=>"));
  CHECK(lint("<a <= b>.") == found("1:4", "<=", "<=>"));
  CHECK(lint("<a ---> b>.") == found("1:4", "--->", "-->"));
  CHECK(lint("<<a -->b> => c>.") == found("1:11", "=>", "==>"));
  CHECK(lint("(a -> b).") == found("1:4", "->", "-->"));
  CHECK(lint("<a ==>> b>.") == found("1:4", "==>>", "==>"));
  CHECK(lint("<a --> -> b>.").empty());
  CHECK(lint("(->,a).").empty());
  CHECK(lint("<a → b>.") == found("1:4", "→", "-->"));
  CHECK(lint("<a b>.").empty());
  CHECK(lint("<a <-- b>.").empty());
  CHECK(lint("<a --> b> -> c.").empty());
}

// --- misspelt-directive ---

TEST_CASE("lint finds misspelt directives", "[narsese][lint]") {
  CHECK(lint("<a --> b>.\n// note: this\n //needd: <a --> b>.\n") ==
        Found{"3:2: misspelt-directive: unknown directive '//needd:', read as a comment: did you mean "
              "'//needed:'?"});
}

// --- needed-without-question ---

TEST_CASE("lint finds //needed: lines before the first question", "[narsese][lint]") {
  const std::string needed = "<a --> b>.\n //needed: <a --> b>.\n",
                    asked = "<a --> b>.\n<a --> b>?\n//needed: <a --> b>.\n";
  const std::string message =
      "needed-without-question: expected a question before '//needed:', which names a premise of its answer";
  CHECK(lint(needed) == Found{"2:2: " + message});
  CHECK(lint(asked).empty());
  // Line 2 is invalid, so it is not a question.
  CHECK(lint("<a --> b>.\n<a  b>?\n//needed: <a --> b>.\n") == Found{"3:1: " + message});
  CHECK(lint("<a --> b>.\n//expected: Answer: <a --> b>.\n").empty());
  std::string far = "<a --> b>.\n<a --> b>?\n";
  for (int i = 0; i < 500; ++i) far += "//said\n";  // more lines than lint reads ahead
  CHECK(lint(far + "//needed: <a --> b>.\n").empty());
  const auto found = lint_files({{"f", asked}, {"g", needed}});
  REQUIRE(found.size() == 1);
  CHECK(print(found[0]) == "g:2:2: " + message);
}

// --- unknown-atom-in-question ---

TEST_CASE("lint finds questions about names that no statement has", "[narsese][lint]") {
  CHECK(lint("<tim --> cat>.\n<{tom} --> cat>?\n") ==
        Found{"2:3: unknown-atom-in-question: no judgment or goal mentions tom, and inference cannot "
              "introduce names: there can be no answer"});
  CHECK(lint("<{?who} --> ü>? :|:\n<ü --> tom>@\n<a --> ü>?\ntom.\na.") ==
        Found{"1:13: unknown-atom-in-question: no judgment or goal mentions ü, and inference cannot "
              "introduce names: there can be no answer (nor to 2 more of the questions)"});
  CHECK(lint("<tim --> cat>.\n<tim --> cat>?\n<?x --> cat>?\n<?x --> ?y>?").empty());
  // A later judgment and a goal state the names.
  CHECK(lint("<tim --> cat>?\n<tim --> dog>.\n<b --> cat>! :|:").empty());
  CHECK(lint("<tim --> a>.\n<(*,tim,tom) --> ?x>?\n(||,tom,a)?\n").empty());
}

TEST_CASE("lint looks for names in all files of a run", "[narsese][lint]") {
  CHECK(lint_files({{"f", "<a --> b>?"}, {"g", "<a --> b>."}}).empty());
  const auto findings = lint_files({{"f", "<a --> b>?"}, {"g", "<a --> c>."}});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].file == "f");
}

TEST_CASE("lint does not report questions that may have an answer", "[narsese][lint]") {
  const std::string question = "<tom --> cat>?\na.\ncat.\n";
  REQUIRE(lint(question).size() == 1);
  for (const std::string known : {
           "<<a --> b> ==> <$1 --> cat>>.",  // this rule is about all terms
           "<$1 --> cat>.",
           "<<$1 --> b> ==> <(*,$1,$2) --> c>>.",  // abduction from a conclusion is about all terms, too
           "<?1 --> cat>.",
           "(&,tom,dog)?",  // the system may take the name tom from this question
           "<<tom --> b> ==> a>?",
           "<a --> (tom b)>.",  // this is an error for us, but not for every system
           "<a -> $1>.", "tom",
           "*setoparg 1 1 tom",       // an argument of an operator, which the system may try
           "*CONCEPT_CREATION=true",  // this option introduces names
           "<tom[1,2] --> b>.",       // tom is the whole term
           "<tom-cat --> b>.",        // PyNARS reads this as tom - cat
       }) {
    CAPTURE(known);
    CHECK(count(lint(question + known), "unknown-atom-in-question") == 0);
  }
  ParseLimits limits;
  const std::string cut = question + std::string(limits.max_line_bytes, ' ') + "<tom --> cat>.";
  CHECK(count(lint(cut), "unknown-atom-in-question") == 0);
  for (const std::string of_no_help : {
           "<<$1 --> b> ==> <$1 --> cat>>.",
           "(&&,<#1 --> cat>,<#1 --> b>).",
           "//<tom --> cat>.",
           "//expected: Answer: <tom --> cat>.",
           "''outputMustContain('<tom --> cat>.')",
           "<tomcat --> cat>.",
           "^tom. :|:",
           "*volume=0",
           "*** Mammals",
           "10",
           "<a b>.",
       }) {
    CAPTURE(of_no_help);
    CHECK(count(lint(question + of_no_help), "unknown-atom-in-question") == 1);
  }
}

// --- contradiction, duplicate-judgment, no-evidence, endless-evidence ---

TEST_CASE("lint finds contradicting eternal judgments", "[narsese][lint]") {
  CHECK(lint("<a --> b>.\n<b <-> a>. %0.05%\n <a --> b>. %0.1;0.4%\n<a --> b>. %0%\n<a --> b>. %0.95%") ==
        Found{"3:2: contradiction: <a --> b> is false here and true in line 1"});
  CHECK(lint("(--,<a --> b>).\n<a --> b>.") ==
        Found{"2:1: contradiction: <a --> b> is true here and false in line 1"});
  CHECK(lint("<<$x --> a> ==> <$x --> b>>. %0%\n<<$y --> a> ==> <$y --> b>>. %0.9%").size() == 1);
  CHECK(lint("<a --> b>.\n<a --> b>. %0.11%").empty());
  CHECK(lint("<a --> b>. %0.89%\n<a --> b>. %0%").empty());
  CHECK(lint("(--,<a --> b>).\n<a --> b>. %0.1%").empty());
  CHECK(lint("<a --> b>. :|:\n<a --> b>. %0%").empty());
  CHECK(lint("<a --> b>.\n<a --> b>! %0%").empty());
  CHECK(count(lint("<a --> b>.\n<a --> b>. %0;0%"), "contradiction") == 0);  // this judgment has no evidence
}

TEST_CASE("lint finds repeated judgments", "[narsese][lint]") {
  CHECK(lint("<a <-> b>. %0.5%\n<b<->a>. %0.5;0.9%\n<a <-> b>. %0.5%") ==
        Found{"2:1: duplicate-judgment: <a <-> b>. %0.5;0.9% repeats line 1: a system counts it as more "
              "evidence or ignores it"});
  CHECK(lint("<a --> b>.\n<a --> b>. %1;0.9%").size() == 1);
  CHECK(lint("<a --> b>.\n<a --> b>. %0.8%\n<a --> b>. %1;0.8%").empty());
  CHECK(lint("<a --> b>. :|:\n<a --> b>. :|:\n<a --> b>?\n<a --> b>?\n<a --> b>!\n<a --> b>!").empty());
  CHECK(lint("dt=1 <a =/> b>.\ndt=2 <a =/> b>.").empty());
}

TEST_CASE("lint compares judgments of a file between two resets", "[narsese][lint]") {
  const std::string twice = "<a --> b>.\n", not_so = "<a --> b>. %0%\n";
  for (const std::string reset : {"*reset", " *reset", "**", "***", "''reset", "'''RES"}) {
    CAPTURE(reset);
    CHECK(lint(twice + reset + "\n" + twice).empty());
    CHECK(lint(twice + reset + "\n" + not_so).empty());
  }
  CHECK(lint(twice + "*volume=0\n'reset\n100\n" + not_so).size() == 1);
  CHECK(lint_files({{"f", twice}, {"g", twice + "\n"}, {"f", not_so}}).empty());
}

TEST_CASE("lint finds confidences of 0 and above 0.99", "[narsese][lint]") {
  const std::string systems =
      ": OpenNARS and Engram's reasoner cap it at 0.99, ONA keeps it whatever the later input";
  const std::string endless = "a confidence of 1 is infinite evidence, which later input cannot change" +
                              systems + ", PyNARS refuses it";
  CHECK(lint("<a --> b>. %1;0%\n<b --> c>. :|: {0.5 1}\n<c --> d>! %0.3;1.0%\n<d --> e>. %1;0.995%") ==
        Found{"1:12: no-evidence: a confidence of 0 is no evidence, so the sentence has no effect",
              "2:16: endless-evidence: " + endless, "3:12: endless-evidence: " + endless,
              "4:12: endless-evidence: a confidence above 0.99 is hard to change" + systems});
  CHECK(lint("<a --> b>. %0%\n<b --> c>. %1%\n<c --> d>. %1;0.99%\n<d --> e>. %1;0.01%").empty());
}

// --- near-duplicate-name ---

TEST_CASE("lint finds names similar to a frequent name", "[narsese][lint]") {
  const std::string animals = "<cat --> animal>.\n<dog --> animal>.\n<pig --> animal>.\n";
  CHECK(lint(animals + "<{tim} --> aniaml>.") == Found{"4:12: near-duplicate-name: aniaml (used once) "
                                                       "differs by one letter from animal (3 times, first in "
                                                       "line 1)"});
  CHECK(
      lint(animals + "<animals --> x>.") ==
      Found{
          "4:2: near-duplicate-name: animals (used once) differs by an s from animal (3 times, first in line "
          "1)"});
  CHECK(
      lint("<lives-in --> a>.\n" + animals + "<lives_in --> a>.\n<lives_in --> b>.") ==
      Found{"1:2: near-duplicate-name: lives-in (used once) differs in spelling only from lives_in (2 times, "
            "first in line 5)"});
  CHECK(lint("<coffe --> drink>.\n<coffe --> hot>.\n<coffee --> a>.\n<coffee --> b>.\n<coffee --> c>.") ==
        Found{"1:2: near-duplicate-name: coffe (used 2 times) differs by one letter from coffee (3 times, "
              "first in "
              "line 3)"});
  CHECK(lint(animals + "<animal1 --> x>.\n<mineral --> x>.").empty());
  CHECK(lint("^animals. :|:\n" + animals).empty());  // an operator is not an atom
  CHECK(lint("^activat. :|:\n^activate. :|:\n^activate. :|:\n^activate. :|:") ==
        Found{"1:2: near-duplicate-name: activat (used once) differs by one letter from activate (3 times, "
              "first in line 2)"});
  CHECK(lint("^leftt. :|:\n^left. :|:\n^left. :|:\n^left. :|:").empty());  // the name is too short
  const auto findings = lint_files({{"f", animals}, {"g", "<x --> anmal>."}});
  REQUIRE(findings.size() == 1);
  CHECK(print(findings[0]) ==
        "g:1:8: near-duplicate-name: anmal (used once) differs by one letter from animal (3 times, first in "
        "f:1)");
}

// --- forgotten-braces ---

TEST_CASE("lint finds the same statement about {tim} and tim", "[narsese][lint]") {
  CHECK(lint("<{tim} --> cat>.\n<tim --> cat>.") ==
        Found{"2:2: forgotten-braces: <tim --> cat> and, in line 1, <{tim} --> cat> differ in the braces of "
              "tim: for NARS these are different terms"});
  CHECK(lint("<a --> [red]>.\n<a --> red>?") ==
        Found{"2:8: forgotten-braces: <a --> red> and, in line 1, <a --> [red]> differ in the braces of red: "
              "for NARS these are different terms"});
  CHECK(lint("<(*,{a},{b}) --> r>.\n<(*,a,b) --> r>.\n<(*,a,{b}) --> r>.").size() ==
        2);                                           // one finding for a and one for b
  CHECK(lint("<{a} <-> {b}>.\n<a <-> b>.").empty());  // NARS treats these as equal
  CHECK(lint("<{a} --> b>.\n<a --> c>.").empty());
  CHECK(lint("<{a} --> b>.\n<{c} --> b>.").empty());
  CHECK(lint("<{a,b} --> c>.\n<a --> c>.").empty());
  CHECK(lint("<{a} --> b>.\n*reset\n<a --> b>.").empty());
}

TEST_CASE("lint finds a single use without braces", "[narsese][lint]") {
  const std::string three = "<{tim} --> cat>.\n<{tim} --> [big]>.\n<(*,{tim},fish) --> eats>.\n";
  CHECK(lint(three + "<(*,tim,tom) --> likes>.") ==
        Found{"4:5: forgotten-braces: tim is used here, {tim} 3 times elsewhere, first in line 1: for NARS "
              "these are different terms"});
  CHECK(lint("<tim --> cat>.\n<tim --> [big]>.\n<(*,tim,fish) --> eats>.\n<{tim} --> old>.") ==
        Found{"4:3: forgotten-braces: {tim} is used here, tim 3 times elsewhere, first in line 1: for NARS "
              "these are different terms"});
  // The name tim is also used twice without braces.
  CHECK(lint(three + "<(*,tim,tom) --> likes>.\n<tim --> dog>.").empty());
  CHECK(lint(three + "<(*,tim,tom) --> likes>.\n<{tom} --> tim>.").empty());  // tim is also used as a class
  CHECK(lint("<{tim} --> cat>.\n<{tim} --> big>.\n<tim --> old>.").empty());  // {tim} has too few uses
}

// --- variables ---

TEST_CASE("lint finds query variables in judgments", "[narsese][lint]") {
  CHECK(lint("<ü --> ?what>.") == Found{"1:8: query-variable-in-judgment: ?what asks, but this is a "
                                        "judgment; a variable for anything is $x, "
                                        "one for something is #x"});
  CHECK(lint("a.\n<a --> ?what>?\n<a --> ?what>@\n(^count,{SELF},{a,b},?1)!\n<a --> #1>.").empty());
}

TEST_CASE("lint names unbound variables as written", "[narsese][lint]") {
  const std::string why =
      " is unbound: it is not on the other side of an implication or equivalence; write # for an unnamed "
      "instance";
  CHECK(lint("$0.5;0.5$ <(&&,<(*,$ö,$y) --> a>,<(*,$y,$x) --> b>) ==> <(*,$ö,$z) --> c>>.") ==
        Found{"1:41: unbound-variable: $x" + why, "1:64: unbound-variable: $z" + why});
  CHECK(lint("(&&,<$b --> x>,<<$a --> y> <=> <$a --> z>>).") == Found{"1:6: unbound-variable: $b" + why});
  CHECK(lint("a.\n<$x --> a>?") == Found{"2:2: unbound-variable: $x" + why});
  CHECK(lint("<<$x --> a> ==> <$x --> b>>.\n<<#x --> a> ==> <#y --> b>>.\n"
             "<(&|,<(*,$1,$2) --> on>,<(*,a,$2) --> at>) =|> <(*,a,$1) --> b>>.")
            .empty());
}

TEST_CASE("lint finds statements that are true of every term", "[narsese][lint]") {
  CHECK(lint("<(&,a,b) --> (&,b,a)>.") ==
        Found{"1:1: self-statement: <(&,a,b) --> (&,a,b)> is true of every term, so it has no effect"});
  CHECK(lint("a.\n<a --> a>?\n<b --> {b}>.\n<{a} |-> {a}>.").empty());
}

// --- whole runs

TEST_CASE("findings are ordered by file and line", "[narsese][lint]") {
  const auto findings = lint_files(
      {{"z", "<a --> b>.\n<x --> a>?\n<a --> b>.\n<c -> d>."}, {"a", "<a --> b>. %1;1%\n<$1 --> a>?"}});
  std::vector<std::string> places;
  for (const LintFinding& finding : findings)
    places.push_back(finding.file + std::to_string(finding.line) + ' ' + finding.rule);
  CHECK(places == Found{"z2 unknown-atom-in-question", "z3 duplicate-judgment", "z4 unknown-copula",
                        "a1 endless-evidence", "a2 unbound-variable"});
}

TEST_CASE("an empty run has no findings", "[narsese][lint]") {
  CHECK(lint("").empty());
  CHECK(lint_files({}).empty());
}

TEST_CASE("lint shortens long terms and limits the number of findings", "[narsese][lint]") {
  const std::string name(1000, 'a');
  const auto findings = lint("<ü" + name + " --> b>.\n<ü" + name + " --> b>.");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].size() < 400);
  CHECK(findings[0].find("aaaa.. repeats") != std::string::npos);
  std::string wide = "<";
  for (int i = 0; i < 300; ++i) wide += "ü";
  wide += " --> b>.\n";
  CHECK(find_invalid_utf8(lint(wide + wide).at(0)) == lint(wide + wide).at(0).size());

  std::string text;
  for (std::size_t i = 0; i < Linter::max_findings + 5; ++i) text += "b. %1;1%\n";
  const auto many = lint_files({{"f", text}});  // there is one more finding than lines, because b is repeated
  REQUIRE(many.size() == Linter::max_findings + 1);
  CHECK(print(many.back()) == "f:" + std::to_string(many[many.size() - 2].line) +
                                  ":1: more-findings: 6 more findings are left out");
}

namespace {

/// Families like experiments/data/family.nal: couples, their children, rules, questions.
std::string family_tree(Random& random) {
  std::vector<std::string> lines{"<father --> parent>.", "<mother --> parent>.",
                                 "<<($1 * $2) --> husband> ==> <($2 * $1) --> wife>>.",
                                 "<(<($1 * #2) --> father> && <(#2 * $3) --> parent>) ==> <($1 * $3) --> "
                                 "grandfather>>."};
  std::size_t people = 0;
  const auto born = [&] { return "person" + std::to_string(people++); };
  const auto tell = [&](const std::string& a, const std::string& b, const std::string& relation) {
    lines.push_back("<(" + a + " * " + b + ") --> " + relation + ">.");
  };
  for (std::size_t family = 0; family < 5; ++family) {
    std::vector<std::string> generation{born()};
    for (int depth = 0; depth < 3; ++depth) {
      std::vector<std::string> children;
      for (const std::string& man : generation) {
        const std::string woman = born();
        tell(man, woman, "husband");
        for (std::size_t n = 1 + random.below(3); n > 0; --n) {
          children.push_back(born());
          tell(man, children.back(), "father");
          tell(woman, children.back(), "mother");
        }
        lines.push_back("<(" + man + " * " + children.back() + ") --> ?1>?");
        lines.push_back("<(?1 * " + woman + ") --> grandfather>?");
      }
      generation = children;
    }
  }
  random.shuffle(lines);
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("lint reports nothing about generated family trees", "[narsese][lint]") {
  Random random(1);
  for (int run = 0; run < 20; ++run) CHECK(lint(family_tree(random), Dialect::ona) == Found{});
}

TEST_CASE("findings do not depend on the order of lines", "[narsese][lint]") {
  const std::vector<std::string> rows{
      "<cat --> animal>.",     "<dog --> animal>.",     "<pig --> animal>.",    "<cow --> aniaml>.",
      "<cat --> animal>.",     "<dog --> animal>. %0%", "<{tim} --> cat>.",     "<tim --> cat>.",
      "<{tom} --> ?x>?",       "<{tom} --> cat>?",      "<$x --> dog>?",        "<cat -> dog>.",
      "<lives-in --> place>.", "<lives_in --> place>.", "<pig --> pig>. %1;1%", "<(a * b) --> (c * d)>?",
      "<(*,{a},b) --> r>.",    "<(*,a,{b}) --> r>.",    "<(*,a,b) --> r>.",     "(--,<cow --> aniaml>)."};
  // The rules of the findings with the names in their messages, sorted.
  const auto essence = [](const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    std::vector<std::string> found;
    for (const LintFinding& finding : lint_files({{"f", text}}, Dialect::opennars)) {
      const bool names_the_pair = finding.rule == "contradiction" || finding.rule == "forgotten-braces";
      found.push_back(finding.rule + ' ' +
                      (names_the_pair ? "" : finding.message.substr(0, finding.message.find("line"))));
    }
    std::ranges::sort(found);
    return found;
  };
  const auto expected = essence(rows);
  CHECK(expected.size() >= 14);
  Random random(2);
  for (int run = 0; run < 200; ++run) {
    auto shuffled = rows;
    random.shuffle(shuffled);
    CHECK(essence(shuffled) == expected);
  }
}

TEST_CASE("lint accepts any sentence", "[narsese][lint]") {
  Random random(3);
  for (int run = 0; run < 100; ++run) {
    TermTable table;
    RandomTerms terms(random, table);
    std::string text;
    for (int i = 0; i < 20; ++i) text += engram::narsese::print(terms.sentence()) + "\n";
    for (const Dialect target : engram::narsese::testing::systems)
      for (const LintFinding& finding : lint_files({{"f", text}}, target)) {
        CHECK((finding.line >= 1 && finding.line <= 20 && finding.column >= 1));
        CHECK(finding.is_error == (finding.rule == "misread-by-target"));
      }
  }
}

TEST_CASE("lint is fast for a hundred thousand names and for a line full of names",
          "[narsese][lint][large]") {
  std::string text, members;
  for (std::size_t i = 0; i < 100'000; ++i) {
    std::string name = "name";
    for (std::size_t rest = i, k = 0; k < 4; ++k, rest /= 26) name += static_cast<char>('a' + rest % 26);
    text += "<" + name + " --> kind>.\n";
    if (i < 4000) members += (i == 0 ? "" : ",") + name + "x";
  }
  text += "{" + members + "}.\n<nobody --> kind>?\n";
  const auto findings = lint(text);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].starts_with("100002:2: unknown-atom-in-question: no judgment or goal mentions nobody"));
}
