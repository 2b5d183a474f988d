// SPDX-License-Identifier: MIT
// Tests of the parsers for the output of ONA, OpenNARS and PyNARS. They cover every irregularity that was observed in
// these outputs.
#include "bridge/systems/nars_system.hpp"

#include <nlohmann/json.hpp>

#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/json_schema.hpp"

using namespace engram;
using EventKind = bridge::NarsEvent::Kind;

namespace {

struct Heard {
  explicit Heard(const bridge::NarsSystem& from) : system(from) {}
  bridge::NarsEvent event(std::string_view line) {
    const auto events = system.read(line, table);
    REQUIRE(events.size() == 1);
    CHECK(events[0].raw == line);
    static const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/event.schema.json");
    CHECK(schema.flaw(nlohmann::json::parse(bridge::to_json(events[0]))) == "");
    return events[0];
  }
  // The event of a line as "kind term punctuation", with - for a missing part.
  std::string brief(std::string_view line) {
    const auto e = event(line);
    return std::string(bridge::name(e.kind)) + " " + (e.term ? narsese::print(*e.term) : "-") + " " +
           (e.punctuation ? std::string(1, symbol(*e.punctuation)) : "-");
  }
  const bridge::NarsSystem& system;
  narsese::TermTable table;
};

bridge::EventBudget priority_alone(double priority) { return {priority, {}, {}}; }
narsese::Tense at_cycle(std::int64_t cycle) { return {narsese::Tense::Kind::at, cycle}; }

}  // namespace

TEST_CASE("ONA's belief lines give term, truth, priority, stamp and time", "[bridge][systems]") {
  Heard ona(bridge::ona());
  const auto derived = ona.event(
      "Derived: <robin --> animal>. Priority=0.407250 Stamp=[12,3] Truth: frequency=1.000000, "
      "confidence=0.810000");
  CHECK(derived.kind == EventKind::derived);
  CHECK(narsese::print(*derived.term) == "<robin --> animal>");
  CHECK(derived.truth == narsese::TruthValue{1, 0.81});
  CHECK(derived.budget == priority_alone(0.40725));
  CHECK(derived.stamp == std::vector<std::uint64_t>{12, 3});
  CHECK(derived.occurrence == narsese::Tense{});
  const auto event = ona.event(
      "Input: <door --> [open]>! :|: occurrenceTime=106 Priority=1.000000 Stamp=[6] Truth: "
      "frequency=0.250000, confidence=0.900000");
  CHECK(event.punctuation == narsese::Punctuation::goal);
  CHECK(event.occurrence == at_cycle(106));
  CHECK(event.truth == narsese::TruthValue{0.25, 0.9});
  const auto revised = ona.event(
      "Revised: dt=5.000000 <(<a --> [b]> &/ ^go) =/> <c --> [d]>>. Priority=0.200000 Stamp=[2,1] Truth: "
      "frequency=0.500000, confidence=0.241351");
  CHECK(revised.kind == EventKind::revised);
  CHECK(revised.delay == 5.0);
  CHECK(narsese::print(*revised.term) == "<(&/,<a --> [b]>,^go) =/> <c --> [d]>>");
  const auto answer = ona.event(
      "Answer: <robin --> animal>. :|: occurrenceTime=7 creationTime=9 Stamp=[2,1] Truth: "
      "frequency=1.000000, confidence=0.810000");
  CHECK(answer.kind == EventKind::answer);
  CHECK(answer.occurrence == at_cycle(7));
  CHECK(answer.stamp == std::vector<std::uint64_t>{2, 1});
  CHECK_FALSE(answer.budget);
  CHECK(ona.brief("Answer: <a --> b>. creationTime=2 Stamp=[1] Truth: frequency=1.000000, "
                  "confidence=0.900000") == "answer <a --> b> .");
}

TEST_CASE("ONA's other lines: questions, missing answers, executions, ONA's own syntax",
          "[bridge][systems]") {
  Heard ona(bridge::ona());
  CHECK(ona.brief("Answer: None.") == "answer - -");
  CHECK(ona.brief("Input: <?1 --> animal>?") == "input <?1 --> animal> ?");
  CHECK(ona.event("Input: <a --> b>? :|:").occurrence.kind == narsese::Tense::Kind::present);
  CHECK(ona.event("Input: <a --> b>? :\\:").occurrence.kind == narsese::Tense::Kind::past);
  CHECK(ona.event("Input: <a --> b>? :/:").occurrence.kind == narsese::Tense::Kind::future);
  CHECK(ona.brief("^left executed with args ") == "executed ^left -");  // ONA's line ends with a blank
  const auto go = ona.event("^go executed with args ({SELF} * park)");
  CHECK(narsese::print(*go.term) == "<(*,{SELF},park) --> ^go>");
  CHECK(go.arguments == std::vector<std::string>{"({SELF} * park)"});
  const char* tail = " Priority=0.100000 Stamp=[1] Truth: frequency=1.000000, confidence=0.900000";
  CHECK(ona.brief(std::string("Derived: <a --> (! b)>.") + tail) == "derived <a --> (--,b)> .");
  CHECK(ona.brief(std::string("Derived: <b --> (r /1 c)>.") + tail) == "derived <b --> (/,r,_,c)> .");
  CHECK(ona.brief(std::string("Derived: <(r \\2 c) --> b>.") + tail) == "derived <(\\,r,c,_) --> b> .");
  CHECK(ona.brief(std::string("Derived: <(a * b) --> (+ size)>.") + tail) ==
        "derived <(*,a,b) --> (+,size)> .");
  CHECK(ona.brief(std::string("Derived: <{a b} --> [c]>.") + tail) == "derived <{a,b} --> [c]> .");
  // The names of ONA's output fields may also occur as terms.
  CHECK(ona.brief(std::string("Input: <Truth --> Priority>.") + tail) == "input <Truth --> Priority> .");
  CHECK(ona.brief("Comment: <a --> b>.") == "other - -");
  CHECK(ona.brief("Test failed.") == "error - -");
  CHECK(ona.brief("performing 10 inference steps:") == "other - -");
  // A line about a decision is not an event. The truth value in such a line has no comma.
  CHECK(ona.brief("decision expectation=0.644994 implication: <(a &/ ^go) =/> b>. Stamp=[1] Truth: "
                  "frequency=1.000000 confidence=0.900000 dt=0.000000 precondition: a. :|: Stamp=[5] Truth: "
                  "frequency=1.000000 confidence=0.447514 occurrenceTime=105") == "other - -");
  CHECK(ona.brief(std::string("Selected: <a --> b>.") + tail) == "other <a --> b> .");
}

TEST_CASE("ONA's *concepts output, which is invalid JSON, is parsed", "[bridge][systems]") {
  Heard ona(bridge::ona());
  const auto believed = ona.event(
      "//<x --> (r \\1 b)>: { \"priority\": 0.531441, \"usefulness\": 0.999999, \"useCount\": 1000005, "
      "\"lastUsed\": 6, \"frequency\": 1.000000, \"confidence\": 0.900000, \"termlinks\": [\"x\", \"(r \\1 "
      "b)\", \"\", \"\", \"\", \"\"]}");
  CHECK(believed.kind == EventKind::concept_state);
  CHECK(narsese::print(*believed.term) == "<x --> (\\,r,_,b)>");
  CHECK(believed.budget == priority_alone(0.531441));
  CHECK(believed.truth == narsese::TruthValue{1, 0.9});
  const auto asked = ona.event(
      "//<a --> b>: { \"priority\": 0.1, \"usefulness\": 0.5, \"useCount\": 3, \"lastUsed\": 6, "
      "\"frequency\": 0.000000, \"confidence\": 0.000000, \"termlinks\": [\"a\", \"b\", \"\", \"\", \"\", "
      "\"\"]}");
  CHECK(asked.kind == EventKind::concept_state);
  CHECK_FALSE(asked.truth);  // frequency 0 and confidence 0 mean that ONA has no belief about the concept
  CHECK(ona.brief("//*done") == "other - -");
  CHECK(ona.brief("<a --> b>. {1.000000 0.900000}") == "other - -");
}

TEST_CASE("a malformed ONA line is parsed as other, whatever part is malformed", "[bridge][systems]") {
  Heard ona(bridge::ona());
  for (const char* line :
       {"", " ", "Derived:", "Derived: ", "Derived: <a --> b>", "Derived: <a --> . Priority=1 Stamp=[1]",
        "Derived: <a --> b>. Priority=x Stamp=[1] Truth: frequency=1.0, confidence=0.9",
        "Derived: <a --> b>. Priority=1 Stamp=[1,x] Truth: frequency=1.0, confidence=0.9",
        "Derived: <a --> b>. Priority=1 Stamp=[1] Truth: frequency=1.0 confidence=0.9",
        "Derived: <a --> b>. Priority=1 Stamp=[1] Truth: frequency=1.5, confidence=0.9",
        "Derived: <a --> b>. Priority=-1 Stamp=[1] Truth: frequency=1.0, confidence=0.9",
        "Derived: <a --> b>. Priority=1 Stamp=[1] Truth: frequency=nan, confidence=0.9",
        "Answer: <a --> None.", "\xff\xfe", "Derived: <\xc3 --> b>. Priority=1", "\033[", "^", "//"})
    CHECK(ona.brief(line) == "other - -");
  // Terminal colours are ignored, but stay in the event's `raw` text.
  CHECK(ona.brief("\033[31mAnswer: None.\033[0m") == "answer - -");
  // An event is written as one line of JSON. Invalid UTF-8 is replaced.
  const auto json = nlohmann::json::parse(bridge::to_json(ona.event("\xff\033[1mx")));
  CHECK(json.at("raw") == "\xEF\xBF\xBD\033[1mx");
}

TEST_CASE("OpenNARS's lines give the tense by the stamp, in the stamp formats of all releases",
          "[bridge][systems]") {
  Heard on3(bridge::opennars());
  const auto answer = on3.event("Answer: <a --> c>. %1.00;0.81% {2 : (1,1);(-78605,0)} ");
  CHECK(answer.kind == EventKind::answer);
  CHECK(answer.truth == narsese::TruthValue{1, 0.81});
  CHECK(answer.stamp == std::vector<std::uint64_t>{1, 0});
  CHECK_FALSE(answer.budget);
  const auto past = on3.event("OUT: <a --> b>. :-5: %1.00;0.90% {0|-5 : (1,0)} ");
  CHECK(past.kind == EventKind::derived);
  CHECK(past.occurrence == at_cycle(-5));
  CHECK(on3.event("OUT: <a --> b>. :|: %1.00;0.90% {2|10 : (1,1);(1,0)} ").occurrence == at_cycle(10));
  const auto fork = on3.event("ANSWER: <a --> c>. %1.00;0.81% {4 : 2;1} ");
  CHECK(fork.kind == EventKind::answer);
  CHECK(fork.stamp == std::vector<std::uint64_t>{2, 1});
  CHECK(on3.brief("IN: <a --> c>?  {7 : 3} ") == "input <a --> c> ?");
  CHECK(on3.brief("IN: <a --> c>@ {7 : (1,3)} ") == "input <a --> c> @");
  CHECK(on3.brief("OUT: <a --> {b}>. %1.00;0.90% {0 : (1,0)} ") == "derived <a --> {b}> .");
  CHECK(on3.brief("OUT: <a --> {b}>.") == "derived <a --> {b}> .");  // {b} is a set here, not a stamp
  CHECK(on3.brief("OUT: (^believe,{SELF},<a --> c>,TRUE). :|: %1.00;0.90% {2|10 : (1,1)} ") ==
        "derived <(*,{SELF},<a --> c>,TRUE) --> ^believe> .");
  const auto budgeted =
      on3.event("IN: $0.8000;0.5000;0.5550$ $0.80;0.50;0.56$ <a --> b>. %0.10;0.60% {0 : (1,1)} ");
  CHECK(budgeted.budget == bridge::EventBudget{0.8, 0.5, 0.555});
  CHECK(narsese::print(*budgeted.term) == "<a --> b>");
}

TEST_CASE("OpenNARS's executions, errors and status lines", "[bridge][systems]") {
  Heard on3(bridge::opennars());
  const auto say = on3.event("EXE: $0.45;0.90;0.95$ ^say([{SELF}, <a --> b>, (*,x,y)])=null");
  CHECK(say.kind == EventKind::executed);
  CHECK(say.arguments == std::vector<std::string>{"{SELF}", "<a --> b>", "(*,x,y)"});
  CHECK(narsese::print(*say.term) == "<(*,{SELF},<a --> b>,(*,x,y)) --> ^say>");
  CHECK(say.budget == bridge::EventBudget{0.45, 0.9, 0.95});
  CHECK(on3.brief("EXE: ^left([])=null") == "executed ^left -");
  for (const char* line : {"parsing error", " !!! INVALID INPUT: parseTerm: <a --> --- invalid statement",
                           "ERR: java.lang.ClassCastException: x", "ERROR: begin 0, end -1, length 6"})
    CHECK(on3.brief(line) == "error - -");
  for (const char* line :
       {"[l]: creating Nar...", "ECHO: 'text", "INFO: Running 5 cycles.", "",
        "TERMINATED: OpenNARS exited by command \"*exit\".", "OUT: <a --> b>",
        "OUT: <a --> b>. %1.00;0.90% {x : (1,0)} ", "OUT: <a --> b>. {0 : (1,)} ",
        "EXE: $0.45;0.90;0.95$ say", "EXE: ^say(])([)", "EXE: $", "ANTICIPATE: <a --> b>."})
    CHECK(on3.brief(line) == "other - -");
}

TEST_CASE("PyNARS's lines are parsed without their colours", "[bridge][systems]") {
  Heard pynars(bridge::pynars());
  const char* coloured =
      "\033[48;2;110;10;10m 0.78 \033[49m\033[48;2;10;41;10m 0.25 \033[49m\033[48;2;10;10;125m 0.91 "
      "\033[49m \033[33mOUT   :\033[39m <a --> c>.  %1.000;0.810%";
  const auto derived = pynars.event(coloured);
  CHECK(derived.kind == EventKind::derived);
  CHECK(derived.budget == bridge::EventBudget{0.78, 0.25, 0.91});
  CHECK(derived.truth == narsese::TruthValue{1, 0.81});
  CHECK(pynars.brief(" 0.90  0.90  1.00  IN    : <?1 --> animal>?") == "input <?1 --> animal> ?");
  CHECK(pynars.brief(" 0.99  0.90  0.95  ANSWER: <(*, a, b) --> c>.  %1.000;0.900%") ==
        "answer <(*,a,b) --> c> .");
  CHECK(pynars.event(" 0.80  0.50  0.95  IN    : <a --> b>. :!5: %1.000;0.900%").occurrence == at_cycle(5));
  CHECK(pynars.event(" 0.80  0.50  0.95  IN    : <a --> b>. :!--5: %1.000;0.900%").occurrence ==
        at_cycle(-5));
  const auto error = pynars.event("                   ERROR : Invalid input! Failed to parse: <a --> b");
  CHECK(error.kind == EventKind::error);
  CHECK_FALSE(error.budget);
  CHECK_FALSE(error.term);
  // PyNARS prints its prompt before the next output line, once for each input without output. ConsolePlus omits the
  // spaces.
  for (const char* before : {"Input: ", "Input: Input: ", "\033[90mInput: \033[39m\033[90mInput: \033[39m"}) {
    CHECK(pynars.brief(before + std::string(coloured)) == "derived <a --> c> .");
    CHECK(pynars.brief(before + std::string(" 0.80  0.50  0.95 IN    :<a --> b>.  %1.000;0.900%")) ==
          "input <a --> b> .");
  }
  CHECK(pynars.brief("                   INFO  : Run 20 cycles.") == "other - -");
  CHECK(pynars.brief("                   EXE   : <(*, {SELF}, x) --> ^say>") ==
        "executed <(*,{SELF},x) --> ^say> -");
  for (const char* line : {"PyNARS version v0.0.2 pre-alpha", "", " 0.80  0.50", "OUT   : <a --> ",
                           " 0.80  0.50  7.95  OUT   : <a --> b>."})
    CHECK(pynars.brief(line) == "other - -");
  narsese::TermTable table;
  const auto frame = bridge::pynars().read(
      R"([{"interface_name":"initial","output_type":"ANSWER","content":"<A --> B>. %1.000;0.900%"},{"output_type":"INFO","content":"x"}])",
      table);
  REQUIRE(frame.size() == 2);
  CHECK(frame[0].kind == EventKind::answer);
  CHECK(frame[1].kind == EventKind::other);
}

TEST_CASE("each system's marker is recognised, and other lines are not", "[bridge][systems]") {
  CHECK(bridge::ona().marker(3) == "0");
  CHECK(bridge::ona().is_marker("done with 0 additional inference steps.", 3));
  CHECK_FALSE(bridge::ona().is_marker("done with 10 additional inference steps.", 3));
  CHECK(bridge::opennars().is_marker("ECHO: " + bridge::opennars().marker(3), 3));
  CHECK_FALSE(bridge::opennars().is_marker("ECHO: " + bridge::opennars().marker(33), 3));
  CHECK(bridge::pynars().is_marker(
      "      \033[49m \033[31mERROR :\033[39m Invalid input! Failed to parse: " + bridge::pynars().marker(3),
      3));
  CHECK_FALSE(bridge::pynars().is_marker("Invalid input! Failed to parse: " + bridge::pynars().marker(4), 3));
  CHECK(bridge::pynars().is_marker("Input:             ERROR :Input \"*engram-3\" failed.", 3));
  CHECK_FALSE(bridge::pynars().is_marker("Input:             ERROR :Input \"*engram-3\" failed.", 33));
  CHECK(bridge::find_nars_system("ona") != nullptr);
  CHECK(bridge::find_nars_system("onna") == nullptr);
}

TEST_CASE("NAR_json's dictionaries: numbers as strings, dt in the term, None", "[bridge][systems]") {
  narsese::TermTable table;
  const std::string line =
      R"json({"input":[{"occurrenceTime":"now","punctuation":"?","term":"<?1 --> b>"}],)json"
      R"json("derivations":[{"occurrenceTime":"17","Stamp":[2,1],"punctuation":".",)json"
      R"json("term":"dt=0.000000 <(a &/ ^go) =/> b>","Priority":"0.250000",)json"
      R"json("truth":{"frequency":"1.000000","confidence":"0.400000"}}],)json"
      R"json("answers":[{"occurrenceTime":"eternal","punctuation":".","term":"None"}],)json"
      R"json("executions":[{"operator":"^left","arguments":[]},)json"
      R"json({"operator":"^go","arguments":"park","metta":"(^ go)"}],)json"
      R"json("reason":null,"selections":[],"raw":"","requestOutputArgs":false})json";
  const auto events = bridge::nar_json().read(line, table);
  REQUIRE(events.size() == 5);
  CHECK(events[0].kind == EventKind::input);
  CHECK(events[0].punctuation == narsese::Punctuation::question);
  CHECK(events[0].occurrence.kind == narsese::Tense::Kind::present);
  CHECK(narsese::print(*events[1].term) == "<(&/,a,^go) =/> b>");
  CHECK(events[1].delay == 0.0);
  CHECK(events[1].truth == narsese::TruthValue{1, 0.4});
  CHECK(events[1].budget == priority_alone(0.25));
  CHECK(events[1].stamp == std::vector<std::uint64_t>{2, 1});
  CHECK(events[1].occurrence == at_cycle(17));
  CHECK(narsese::print(*events[2].term) == "^left");
  CHECK(narsese::print(*events[3].term) == "<(*,{SELF},park) --> ^go>");
  CHECK(events[4].kind == EventKind::answer);
  CHECK_FALSE(events[4].term);
  for (const char* other :
       {"", "{", "[]", "{}", R"json({"currentTime": 7.0})json", R"json({"derivations":3})json",
        R"json({"derivations":[{"term":"<a","punctuation":"."}]})json",
        R"json({"derivations":[{"term":"a","punctuation":".","truth":7}]})json"}) {
    const auto unknown = bridge::nar_json().read(other, table);
    REQUIRE(unknown.size() == 1);
    CHECK(unknown[0].kind == EventKind::other);
  }
}

TEST_CASE("ONA behind Python confirms a marker by a comment, in a dictionary or plain", "[bridge][systems]") {
  const bridge::NarsSystem& python = *bridge::find_nars_system("nar_json");
  CHECK(python.marker(7) == "//engram 7");
  for (const char* answer : {"Comment: engram 7", "Comment: engram 7 ", R"({"raw":"Comment: engram 7"})",
                             R"({"input": [], "raw": "Comment: else\nComment: engram 7"})"})
    CHECK(python.is_marker(answer, 7));
  for (const char* other :
       {"", "//engram 7", "Comment: engram 17", "Comment: engram 77", R"({"raw":"Comment: engram 77"})",
        R"({"raw":"Comment: engram 7\nInput: a."})", R"({"input":"Comment: engram 7","raw":""})",
        R"({"raw":["Comment: engram 7"]})", R"(["Comment: engram 7"])", R"({"raw":"Comment: engram 7")"})
    CHECK_FALSE(python.is_marker(other, 7));
  narsese::TermTable table;
  const auto plain =
      python.read("Derived: <a --> b>. Priority=0.5 Stamp=[1] Truth: frequency=1, confidence=0.5", table);
  REQUIRE(plain.size() == 1);
  CHECK(plain[0].kind == EventKind::derived);
  CHECK(python.read("", table)[0].kind == EventKind::other);
}

TEST_CASE("a NAVM system gets sentences as NSE and confirms a marker by COMMENT", "[bridge][systems]") {
  const bridge::NarsSystem& navm = *bridge::find_nars_system("navm");
  CHECK(navm.cycles(5) == "CYC 5");
  CHECK(navm.sentence_prefix == "NSE ");
  CHECK(navm.marker(7) == "REM engram 7");
  for (const char* answer : {R"({"type":"COMMENT","content":"engram 7"})",
                             R"([{"type":"COMMENT","content":"Comment: engram 7 "}])"})
    CHECK(navm.is_marker(answer, 7));
  for (const char* other : {"", "REM engram 7", R"({"type":"COMMENT","content":"engram 17"})",
                            R"({"type":"INFO","content":"engram 7"})",
                            R"({"type":"COMMENT","content":"engram 7 and more"})", R"({"type":"COMMENT"})"})
    CHECK_FALSE(navm.is_marker(other, 7));
  narsese::TermTable table;
  const std::string line = R"([{"type":"ANSWER","content":"what it said","narsese":"<a --> b>. %0.8;0.9%"}])";
  const auto events = navm.read(line, table);
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == EventKind::answer);
  CHECK(events[0].truth == narsese::TruthValue{0.8, 0.9});
  CHECK(events[0].raw == line);
  for (const char* unknown : {"", "[ANSWER] <a --> b>.", "[]", R"({"type":"ANSWER"})"}) {
    const auto other = navm.read(unknown, table);
    REQUIRE(other.size() == 1);
    CHECK(other[0].kind == EventKind::other);
    CHECK(other[0].raw == unknown);
  }
}
