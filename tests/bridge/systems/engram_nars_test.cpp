// SPDX-License-Identifier: MIT
// Tests of the embedded reasoner's line interface, which is the same as that of an external NARS.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bridge/systems/engram_nars.hpp"
#include "bridge/systems/nars_system.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/printer.hpp"
#include "narsese/truth.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/json_schema.hpp"

namespace engram::bridge::engram_nars_tests {
namespace {

using Lines = std::vector<std::string>;

struct Talk {
  std::unique_ptr<EmbeddedNars> nars = embedded_reasoner();

  Lines operator()(std::string_view line) {
    Lines printed;
    nars->line(line, [&](std::string_view one) { printed.emplace_back(one); });
    return printed;
  }
  Lines all(const Lines& lines) {
    Lines printed;
    for (const std::string& line : lines)
      for (std::string& one : (*this)(line)) printed.push_back(std::move(one));
    return printed;
  }
};

std::size_t place(const Lines& lines, const std::string& line) {
  return static_cast<std::size_t>(std::ranges::find(lines, line) - lines.begin());
}
bool has(const Lines& lines, const std::string& line) { return place(lines, line) < lines.size(); }

Lines beginning_with(const Lines& lines, const std::string& heading) {
  Lines found;
  for (const std::string& line : lines)
    if (line.starts_with(heading)) found.push_back(line);
  return found;
}

const Lines chain{"<a --> b>.", "<b --> c>."};

}  // namespace

TEST_CASE("the embedded reasoner echoes its input, derives and answers", "[bridge][systems]") {
  Talk talk;
  CHECK(talk("<a --> b>.") == Lines{"Input: <a --> b>. %1;0.9% Stamp=[1]"});
  CHECK(talk("  <b --> c>. %0.5;0.8% \r") == Lines{"Input: <b --> c>. %0.5;0.8% Stamp=[2]"});
  CHECK(talk("<a --> c>?") == Lines{"Input: <a --> c>?"});
  CHECK(talk("<a --> goal>!") == Lines{"Input: <a --> goal>! %1;0.9% Stamp=[3]"});
  const Lines printed = talk("1");
  narsese::Sentence follows;
  narsese::TermTable table;
  const auto event = engram_nars().read("Input: <a --> c>.", table);
  follows.term = *event[0].term;
  // The expected conclusion: frequency .5, confidence .36.
  follows.truth = narsese::deduction({1, 0.9}, {0.5, 0.8});
  CHECK(follows.truth->confidence == Approx(0.36));
  const std::string text = narsese::print(follows) + " Stamp=[1,2]";
  CHECK(has(printed, "Derived: " + text));
  CHECK(has(printed, "Answer: " + text));
  CHECK(place(printed, "Derived: " + text) < place(printed, "Answer: " + text));
}

TEST_CASE("the embedded reasoner revises beliefs with distinct evidence", "[bridge][systems]") {
  Talk talk;
  talk("<a --> b>.");
  const Lines printed = talk("<a --> b>. %0;0.9%");
  REQUIRE(printed.size() == 2);
  CHECK(printed[0] == "Input: <a --> b>. %0;0.9% Stamp=[2]");
  narsese::TermTable table;
  const NarsEvent revised = engram_nars().read(printed[1], table).at(0);
  CHECK(revised.kind == NarsEvent::Kind::revised);
  CHECK(revised.stamp == std::vector<std::uint64_t>{1, 2});
  CHECK(revised.truth->frequency == Approx(0.5));
  // Two inputs of 9 units of evidence each give 18 / (18 + 1).
  CHECK(revised.truth->confidence == Approx(18.0 / 19));
}

TEST_CASE("the embedded reasoner works only in the cycles that it is given", "[bridge][systems]") {
  Talk still;
  still.all(chain);
  CHECK(still("0").empty());
  Talk at_once, in_parts;
  // The reasoner stops early if nothing is left to derive.
  CHECK(at_once("18446744073709551615").empty());
  for (Talk* talk : {&at_once, &in_parts}) {
    talk->all(chain);
    talk->all({"<c --> d>.", "<a --> x>.", "<(&&,<$1 --> b>,<$1 --> x>) ==> <$1 --> y>>."});
  }
  const Lines together = at_once("12"), parts = in_parts.all({"5", "0", "7"});
  CHECK(together.size() > 100);
  // Splitting a number of cycles may move the end of the output by a few steps, because of revisions after the last
  // step of a call. The lines before the end are equal.
  REQUIRE(parts.size() >= together.size() - 20);
  const auto common = static_cast<std::ptrdiff_t>(std::min(parts.size(), together.size()));
  CHECK(std::equal(parts.begin(), parts.begin() + common, together.begin()));
}

TEST_CASE("the embedded reasoner reports wrong lines and continues", "[bridge][systems]") {
  Talk talk;
  const Lines broken = talk("<a --> b");
  REQUIRE(broken.size() == 1);
  CHECK(broken[0].starts_with("Error: column 9: expected "));
  CHECK(talk("<a --> b>")[0].starts_with("Error: column 10: expected punctuation"));
  CHECK(talk("*volumes") == Lines{"Error: unknown command *volumes"});
  CHECK(talk("-3")[0].starts_with("Error: column "));
  // Exceeds the largest number of cycles.
  CHECK(talk("99999999999999999999")[0].starts_with("Error: column "));
  for (const char* silent : {"", "   ", "\r", "//a comment", "'another", "'''outputMustContain('')"})
    CHECK(talk(silent).empty());
  // The stamp is 1, because wrong lines get no stamp.
  CHECK(talk("<a --> b>.") == Lines{"Input: <a --> b>. %1;0.9% Stamp=[1]"});
}

TEST_CASE("the embedded reasoner supports *reset and echo", "[bridge][systems]") {
  Talk talk;
  talk.all(chain);
  CHECK(has(talk("<a --> b>?"), "Answer: <a --> b>. %1;0.9% Stamp=[1]"));
  CHECK(talk("*reset").empty());
  CHECK(talk("<b --> c>.") == Lines{"Input: <b --> c>. %1;0.9% Stamp=[1]"});
  CHECK(talk("<a --> b>?") == Lines{"Input: <a --> b>?"});
  CHECK(beginning_with(talk("100"), "Answer: ").empty());
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{77}}) {
    const Lines echo = talk(engram_nars().marker(number));
    REQUIRE(echo.size() == 1);
    CHECK(engram_nars().is_marker(echo[0], number));
    CHECK_FALSE(engram_nars().is_marker(echo[0], number + 1));
  }
}

TEST_CASE("the embedded reasoner drops the least urgent sentences if it is full", "[bridge][systems]") {
  Talk talk;
  for (const char* wrong : {"*sentences=", "*sentences=99", "*sentences=-1", "*sentences=many"})
    CHECK(talk(wrong) == Lines{"Error: *sentences=N: N must be 100 or more"});
  CHECK(talk("*sentences=100").empty());
  const auto tell_many = [&] {
    talk("$0.9;0.5;0.5$ <tim --> cat>.");
    for (int i = 0; i < 500; ++i)
      CHECK(talk("$0.5;0.5;0.5$ <a" + std::to_string(i) + " --> b" + std::to_string(i) + ">.").size() == 1);
  };
  tell_many();
  CHECK(talk("<tim --> cat>?") == Lines{"Input: <tim --> cat>?", "Answer: <tim --> cat>. %1;0.9% Stamp=[1]"});
  CHECK(talk("<a1 --> b1>?") == Lines{"Input: <a1 --> b1>?"});
  CHECK(talk("<a499 --> b499>?").size() == 2);
  // A reset keeps the limit on the number of sentences.
  talk("*reset");
  tell_many();
  CHECK(talk("<a1 --> b1>?").size() == 1);
}

TEST_CASE("at *volume=0 the embedded reasoner prints only answers and errors", "[bridge][systems]") {
  Talk loud, quiet;
  quiet("*volume=0");
  Lines input_lines = chain;
  input_lines.insert(input_lines.end(), {"<a --> c>?", "<a --> ?1>?", "<broken", "20", "<a --> c>?"});
  const Lines all = loud.all(input_lines), answers = quiet.all(input_lines);
  Lines wanted;
  for (const std::string& line : all)
    if (line.starts_with("Answer: ") || line.starts_with("Error: ")) wanted.push_back(line);
  CHECK(wanted.size() < all.size());
  CHECK(answers == wanted);
  CHECK(has(answers, "Answer: <a --> c>. %1;0.81% Stamp=[1,2]"));
  // A reset keeps the volume.
  CHECK(quiet.all({"*reset", "<a --> b>."}).empty());
  CHECK(quiet.all({"*volume=100", "<b --> c>."}) == Lines{"Input: <b --> c>. %1;0.9% Stamp=[2]"});
}

TEST_CASE("the embedded reasoner processes inputs with larger budgets first", "[bridge][systems]") {
  const auto derived = [](const std::string& of_letters, const std::string& of_numbers) {
    Talk talk;
    talk.all({of_letters + "<a --> b>.", of_numbers + "<n1 --> n2>.", of_letters + "<b --> c>.",
              of_numbers + "<n2 --> n3>."});
    return beginning_with(talk("20"), "Derived: ");
  };
  const std::string letters = "Derived: <a --> c>. %1;0.81% Stamp=[1,3]",
                    numbers = "Derived: <n1 --> n3>. %1;0.81% Stamp=[2,4]";
  const std::string high = "$0.9;0.5;0.5$ ", low = "$0.2;0.5;0.5$ ";
  const Lines first = derived(high, low), second = derived(low, high);
  REQUIRE(has(first, letters));
  REQUIRE(has(first, numbers));
  CHECK(place(first, letters) < place(first, numbers));
  REQUIRE(has(second, letters));
  CHECK(place(second, numbers) < place(second, letters));
  CHECK(first != second);
  CHECK(derived("", low) == first);  // an input without a budget has the highest priority
  const Lines never = derived(high, "$0;0.5;0.5$ ");
  CHECK(has(never, letters));
  CHECK_FALSE(has(never, numbers));
}

TEST_CASE("the embedded reasoner answers a repeated question again", "[bridge][systems]") {
  Talk talk;
  talk("*volume=0");
  talk.all(chain);
  CHECK(talk("<a --> c>?").empty());
  const std::string weak = "Answer: <a --> c>. %1;0.81% Stamp=[1,2]";
  CHECK(talk("20") == Lines{weak});
  for (int again = 0; again < 3; ++again) CHECK(talk("<a --> c>?") == Lines{weak});
  // The input answers the question, and so does its revision with the derived belief.
  const Lines better = talk("<a --> c>.");
  REQUIRE(better.size() == 2);
  CHECK(better[0] == "Answer: <a --> c>. %1;0.9% Stamp=[3]");
  CHECK(better[1].ends_with(" Stamp=[1,2,3]"));
  CHECK(talk("<a --> c>?") == Lines{better[1]});
  // The user asks a question that the reasoner has already derived as a subgoal.
  Talk loud;
  loud.all({"<(&&,<$1 --> b>,<$1 --> x>) ==> <$1 --> y>>.", "<a --> y>?"});
  const Lines asked = loud("5");
  const auto own = std::ranges::find_if(
      asked, [](const std::string& line) { return line.starts_with("Derived: ") && line.ends_with("?"); });
  REQUIRE(own != asked.end());
  // The reasoner knows the question already and has not answered it yet, so it prints nothing.
  CHECK(loud(own->substr(9)).empty());
}

TEST_CASE("the embedded reasoner's output is parsed back as the same events", "[bridge][systems]") {
  Talk talk;
  const Lines input_lines{"<tim --> cat>.",
                          "<cat --> [furry]>. %0.9;0.8%",
                          "<{tim} <-> {tom}>.",
                          "<(tim * fish) --> eats>.",
                          "<(*,tom,fish) --> eats>. %0;0.45%",
                          "<fish --> (/,eats,cat,_)>.",
                          "<<$1 --> cat> ==> <$1 --> animal>>.",
                          "(&&,<#1 --> cat>,<#1 --> [black]>).",
                          "(--,<tim --> dog>). %0.25;0.9%",
                          "<cat --> (&,animal,[furry])>.",
                          "<<a --> b> <=> <b --> a>>.",
                          "<\"a name Stamp=[3]\" --> cat>.",
                          "<tim --> \"a name Stamp=[3]\">?",
                          "<tim --> cat>. %0.1;0.7%",
                          "<tim --> ?1>?",
                          "<tim --> [fed]>!",
                          "<(?1 * fish) --> eats>?",
                          "<tim --> [fed]>@",
                          "<tim",
                          "12"};
  const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/event.schema.json");
  std::map<NarsEvent::Kind, std::size_t> kinds;
  std::size_t wrong = 0;
  for (const std::string& line : talk.all(input_lines)) {
    INFO(line);
    narsese::TermTable table;
    const auto events = engram_nars().read(line, table);
    REQUIRE(events.size() == 1);
    const NarsEvent& event = events[0];
    ++kinds[event.kind];
    CHECK(event.raw == line);
    CHECK(schema.flaw(nlohmann::json::parse(to_json(event))) == "");
    if (event.kind == NarsEvent::Kind::error) continue;
    REQUIRE(event.sentence());
    std::string again(name(event.kind));
    again[0] = static_cast<char>(again[0] - 'a' + 'A');
    again += ": " + narsese::print(*event.sentence());
    for (std::size_t i = 0; i < event.stamp.size(); ++i)
      again += (i == 0 ? " Stamp=[" : ",") + std::to_string(event.stamp[i]);
    wrong += again + (event.stamp.empty() ? "" : "]") != line;
    const bool asks = *event.punctuation == narsese::Punctuation::question ||
                      *event.punctuation == narsese::Punctuation::quest;
    CHECK(event.stamp.empty() == asks);
  }
  CHECK(wrong == 0);
  CHECK(kinds[NarsEvent::Kind::input] == input_lines.size() - 2);
  CHECK(kinds[NarsEvent::Kind::derived] > 100);
  CHECK(kinds[NarsEvent::Kind::revised] > 0);
  CHECK(kinds[NarsEvent::Kind::answer] > 2);
  CHECK(kinds[NarsEvent::Kind::error] == 1);
  CHECK(kinds[NarsEvent::Kind::other] == 0);
}

TEST_CASE("lines that the embedded reasoner never prints are parsed as other", "[bridge][systems]") {
  narsese::TermTable table;
  for (const char* line :
       {"", "Input", "Input:", "Input: ", "Input: <a --> b>", "Derived: <a --> b>. %2;0.9% Stamp=[1]",
        "Derived: <a --> b>. %1;0.9% Stamp=[", "Derived: <a --> b>. %1;0.9% Stamp=[x]", "Revised: \xff",
        "answer: <a --> b>.", "echo 1"}) {
    INFO(line);
    const auto events = engram_nars().read(line, table);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == NarsEvent::Kind::other);
    CHECK(events[0].raw == line);
    CHECK_FALSE(events[0].term);
  }
}

TEST_CASE("the embedded reasoner survives garbage, long lines and deep terms", "[bridge][systems]") {
  Talk talk;
  core::Rng rng(5, "garbage for a reasoner");
  const std::string pieces[] = {"<",    ">",     "-->", "==>",     "(",  "*",    ")",   ".",  "?",
                                "!",    " ",     "$1",  "#x",      "?y", "a",    "b",   "{",  "}",
                                "[",    "]",     ",",   "%1;0.9%", "--", "(&&,", ":|:", "\"", "\xff",
                                "\xc3", "$0.5;", "^go", "0.5$",    "_",  "(/,"};
  std::size_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string line;
    for (std::uint64_t n = 1 + rng.below(20); n > 0; --n) line += pieces[rng.below(std::size(pieces))];
    const Lines printed = talk(line);
    for (const std::string& one : printed) REQUIRE(one.find('\n') == std::string::npos);
    refused += printed.size() == 1 && printed[0].starts_with("Error: ");
    if (i % 300 == 0) talk("1");
  }
  CHECK(refused > 1000);
  talk("*reset");
  const std::string long_name(1'000'000, 'n');
  std::string brackets, deep, wide = "(&&", product = "a";
  for (int i = 0; i < 100'000; ++i) brackets += "(*,";
  for (int i = 0; i < 100'000; ++i) deep += "<a --> ";
  for (int i = 0; i < 60; ++i) wide += ",<$1 --> w" + std::to_string(i) + ">";
  for (int i = 0; i < 60; ++i) product = "(*," + product + ",b)";
  for (const std::string& line : {long_name, brackets, deep, std::string(1'000'000, '('), "*" + long_name}) {
    const Lines printed = talk(line);
    REQUIRE(printed.size() == 1);
    CHECK(printed[0].starts_with("Error: "));
  }
  for (const std::string& line : {"<" + long_name + " --> b>.", "<<$1 --> c> ==> " + wide + ")>.",
                                  "<" + product + " --> b>.", std::string("<b --> c>.")})
    CHECK_FALSE(talk(line).empty());
  talk("5");
  talk.all({"*reset", "*volume=0", chain[0], chain[1], "<a --> c>?"});
  CHECK(talk("20") == Lines{"Answer: <a --> c>. %1;0.81% Stamp=[1,2]"});
}

TEST_CASE("work of the embedded reasoner can be cancelled by the enclosing budget", "[bridge][systems]") {
  Talk talk;
  for (int i = 0; i < 20; ++i)
    talk("<n" + std::to_string(i % 5) + " --> n" + std::to_string((i * 7 + 1) % 11) + ">.");
  struct Enough {};
  int looks = 0;
  const core::WorkBudget work({}, [&] {
    if (++looks > 3) throw Enough();
  });
  CHECK_THROWS_AS(talk("1000000000"), Enough);
  CHECK(looks > 3);
  looks = -1000;
  CHECK_FALSE(talk("<n1 --> ?1>?").empty());  // the reasoner still works after the cancelled call
}

TEST_CASE("the embedded reasoner executes operations in ONA's format, and its lines are parsed back",
          "[bridge][systems]") {
  Talk talk;
  talk("*motorbabbling=false");
  CHECK(talk("a. :|:") == Lines{"Input: a. :!1: %1;0.9% Stamp=[1]"});
  talk("^left. :|:");
  const Lines learnt = talk("g. :|:");
  REQUIRE(learnt.size() == 3);
  CHECK(learnt[0] == "Input: g. :!3: %1;0.9% Stamp=[3]");
  narsese::TermTable table;
  const NarsEvent event = engram_nars().read(learnt[1], table).at(0);
  CHECK(event.kind == NarsEvent::Kind::derived);
  CHECK(narsese::print(*event.term) == "<(&/,a,^left) =/> g>");
  CHECK(event.truth->confidence == Approx(0.241351).margin(5e-7));
  CHECK(event.delay == 1);
  CHECK(event.stamp == std::vector<std::uint64_t>{1, 2, 3});
  // Statements and events share one numbering of stamps.
  CHECK(talk("<a --> b>.") == Lines{"Input: <a --> b>. %1;0.9% Stamp=[4]"});
  talk("30");
  talk("a. :|:");
  const Lines acted = talk("g! :|:");
  REQUIRE(acted.size() == 3);
  CHECK(acted[0] == "Input: g! :!35: %1;0.9% Stamp=[6]");
  CHECK(acted[1] == "^left executed with args");
  CHECK(acted[2] == "Input: ^left. :!35: %1;0.9% Stamp=[7]");
  const NarsEvent executed = engram_nars().read(acted[1], table).at(0);
  CHECK(executed.kind == NarsEvent::Kind::executed);
  CHECK(narsese::print(*executed.term) == "^left");
  const Lines answers = beginning_with(talk("<(a &/ ^left) =/> g>?"), "Answer: ");
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].starts_with("Answer: dt=1 <(&/,a,^left) =/> g>. %1;0.24"));
  CHECK(has(talk("a? :|:"), "Answer: a. :!34: %1;0.9% Stamp=[5]"));
  // The predicted outcome did not occur, so the implication is revised with a negative case.
  const Lines failed = beginning_with(talk("30"), "Revised: ");
  CHECK(std::ranges::any_of(failed, [](const std::string& line) {
    return line.starts_with("Revised: dt=1 <(&/,a,^left) =/> g>. %0.5;");
  }));
}

TEST_CASE("the embedded reasoner prints executions even at *volume=0", "[bridge][systems]") {
  Talk talk;
  talk("*volume=0");
  const std::string go = "<(*,{SELF},door) --> ^open>";
  for (const std::string& line :
       Lines{"*motorbabbling=false", "*setopname 1 ^open", "<(a &/ " + go + ") =/> g>."})
    CHECK(talk(line).empty());
  CHECK(talk("a. :|:").empty());
  const Lines acted = talk("g! :|:");
  CHECK(acted == Lines{"^open executed with args (*,{SELF},door)"});
  narsese::TermTable table;
  const NarsEvent executed = engram_nars().read(acted[0], table).at(0);
  CHECK(executed.kind == NarsEvent::Kind::executed);
  CHECK(narsese::print(*executed.term) == go);
  CHECK(talk("*setopname 2 ^shut") ==
        Lines{"Error: *setopname: name operators before the first event, or after *reset"});
  talk("*reset");
  CHECK(talk("*setopname 2 ^shut").empty());
}

TEST_CASE("the embedded reasoner's motor babbling follows its seed and its operators", "[bridge][systems]") {
  const auto tried = [](const Lines& how) {
    Talk talk;
    talk.all(how);
    Lines done;
    for (int i = 0; i < 60; ++i)
      for (const std::string& line : talk("g! :|:"))
        if (line.starts_with("^")) done.push_back(line);
    return done;
  };
  const Lines all = tried({"*motorbabbling=1"});
  CHECK(all.size() == 60);
  for (const char* name : {"^left", "^deactivate"})
    CHECK(has(all, std::string(name) + " executed with args"));
  CHECK(tried({"*motorbabbling=1"}) == all);
  CHECK(tried({"*motorbabbling=1", "*seed=2"}) != all);
  CHECK(tried({"*motorbabbling=1", "*seed=1", "*reset"}) == all);
  for (const std::string& line : tried({"*motorbabbling=1", "*babblingops=1"}))
    CHECK(line == "^left executed with args");
  CHECK(tried({"*motorbabbling=false"}).empty());
  const std::size_t usual = tried({"*motorbabbling=true"}).size();
  CHECK(usual > 4);
  CHECK(usual < 25);
}

TEST_CASE("invalid settings of the embedded reasoner change nothing", "[bridge][systems]") {
  Talk talk;
  for (const char* line :
       {"*setopname", "*setopname ", "*setopname 1", "*setopname 0 ^a", "*setopname 11 ^a", "*setopname 1 a",
        "*setopname x ^a", "*setopname 1 ^a ^b", "*motorbabbling=", "*motorbabbling=2", "*motorbabbling=no",
        "*motorbabbling=nan", "*decisionthreshold=-1", "*decisionthreshold=", "*seed=-1", "*seed=x",
        "*babblingops=11", "*babblingops=-1"}) {
    INFO(line);
    const Lines printed = talk(line);
    REQUIRE(printed.size() == 1);
    CHECK(printed[0].starts_with("Error: "));
  }
  CHECK(talk("a. :!9:") == Lines{"Error: an event must be of cycle 1 to 1, this one is of cycle 9"});
  CHECK(talk("g! :-1:") == Lines{"Error: a goal must be of now, cycle 1"});
  CHECK(talk("<$1 --> a>. :|:") == Lines{"Error: an event or goal must have no variables"});
  // The rejected lines got no stamp and took no cycle.
  CHECK(talk("a. :|:") == Lines{"Input: a. :!1: %1;0.9% Stamp=[1]"});
}

}  // namespace engram::bridge::engram_nars_tests
