// SPDX-License-Identifier: MIT
#include "bridge/systems/navm.hpp"

#include "bridge/systems/nars_system.hpp"
#include "core/numbers/random.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::NavmCommand;
using bridge::NavmOutput;

TEST_CASE("NAVM commands are parsed in any case, with their exact arguments", "[bridge][navm]") {
  const auto read = [](std::string_view line) { return bridge::read_navm_command(line); };
  CHECK(read("nse <a --> b>. %1;0.9%") == NavmCommand{"NSE", "<a --> b>. %1;0.9%"});
  CHECK(read("  CYC 10 ") == NavmCommand{"CYC", "10"});
  CHECK(read("RES") == NavmCommand{"RES", ""});
  CHECK(read("Foo bar baz") == NavmCommand{"FOO", "bar baz"});
  CHECK_FALSE(read(""));
  CHECK_FALSE(read(" \t"));
  CHECK_FALSE(read("CYC"));
  CHECK_FALSE(read("CYC -1"));
  CHECK_FALSE(read("VOL many"));
  for (const char* line : {"SAV memory path/to file", "LOA memory x", "RES", "NSE $0.5;0.5;0.5$ <a --> b>.",
                           "NEW nar", "DEL nar", "CYC 0", "VOL 100", "REG left", "INF", "HLP cmd", "REM a b",
                           "EXI done", "WHATEVER it is"}) {
    const auto command = read(line);
    REQUIRE(command);
    CHECK(command->head + (command->rest.empty() ? "" : " " + command->rest) == line);
  }
}

TEST_CASE("NAVM outputs survive a round trip exactly", "[bridge][navm]") {
  const NavmOutput outputs[] = {
      {"ANSWER", "Answer: <a --> b>.", "<a --> b>.", {}},
      {"EXE", "^go executed", {}, {"go", "{SELF}", "x \"y\" \\ \n\t\x01"}},
      {"ANTICIPATE", "", "", {}},
      {"OTHER", "\xE4\xBA\xBA \xF0\x9F\x98\x80", {}, {}},
  };
  for (const NavmOutput& output : outputs) {
    const std::string text = bridge::write(output);
    const auto read = bridge::read_navm_output(text);
    REQUIRE(read);
    CHECK(*read == output);
    CHECK(bridge::write(*read) == text);
    CHECK(bridge::read_navm_output("[" + text + "]").value() == output);  // as BabelNAR frames it
  }
  CHECK(bridge::write(outputs[0]) ==
        R"({"type":"ANSWER","content":"Answer: <a --> b>.","narsese":"<a --> b>."})");
}

TEST_CASE("an error in a NAVM output has its pointer", "[bridge][navm]") {
  const auto place = [](std::string_view text) { return bridge::read_navm_output(text).error().pointer; };
  CHECK(place("") == "");
  CHECK(place("[]") == "");
  CHECK(place("7") == "");
  CHECK(place(R"([{},{}])") == "");
  CHECK(place(R"({"type":"IN"})") == "/content");
  CHECK(place(R"({"type":1,"content":""})") == "/type");
  CHECK(place(R"([{"type":"IN","content":"","operation":["a",2]}])") == "/0/operation/1");
  CHECK(place(R"({"type":"IN","content":"","more":1})") == "/more");
}

TEST_CASE("NAVM outputs convert to events", "[bridge][navm]") {
  narsese::TermTable table;
  const auto derived = bridge::navm_event({"OUT", "so", "<a --> b>. %1;0.81%", {}}, table);
  CHECK(derived.kind == bridge::NarsEvent::Kind::derived);
  CHECK(narsese::print(derived.term.value()) == "<a --> b>");
  CHECK(derived.truth == narsese::TruthValue{1, 0.81});
  CHECK(derived.raw == "so");
  const auto executed = bridge::navm_event({"EXE", "", {}, {"go", "{SELF}", "park"}}, table);
  CHECK(executed.kind == bridge::NarsEvent::Kind::executed);
  CHECK(executed.term == bridge::ona().read("^go executed with args ({SELF} * park)", table).at(0).term);
  CHECK(bridge::navm_event({"OTHER", "Answer: None.", {}, {}}, table).kind == bridge::NarsEvent::Kind::other);
  CHECK(bridge::navm_event({"ERROR", "Test failed.", {}, {}}, table).kind == bridge::NarsEvent::Kind::error);
  CHECK(bridge::navm_event({"IN", "x", "no Narsese", {}}, table).kind == bridge::NarsEvent::Kind::other);
}
