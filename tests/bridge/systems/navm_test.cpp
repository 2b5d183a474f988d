// SPDX-License-Identifier: MIT
#include "bridge/systems/navm.hpp"

#include "bridge/systems/nars_system.hpp"
#include "core/numbers/random.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::NavmCommand;
using bridge::NavmOutput;

TEST_CASE("NAVM commands are read in any case and written back", "[bridge][navm]") {
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
    CHECK(bridge::write(*command) == line);
    CHECK(read(bridge::write(*command)) == command);
  }
}

TEST_CASE("NAVM output goes out and in again to the last byte", "[bridge][navm]") {
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
    CHECK(bridge::read_navm_output("[" + text + "]").value() == output);  // a frame of BabelNAR
  }
  CHECK(bridge::write(outputs[0]) ==
        R"({"type":"ANSWER","content":"Answer: <a --> b>.","narsese":"<a --> b>."})");
}

TEST_CASE("what is no NAVM output is told with its place", "[bridge][navm]") {
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

TEST_CASE("events are NAVM outputs and back", "[bridge][navm]") {
  narsese::TermTable table;
  const auto heard = [&](std::string_view line) { return bridge::ona().read(line, table).at(0); };
  const auto out = bridge::navm_output(
      heard("Derived: <a --> b>. Priority=0.5 Stamp=[1] Truth: frequency=1.000000, confidence=0.810000"));
  CHECK(out.type == "OUT");
  CHECK(out.narsese == "<a --> b>. %1;0.81%");
  const auto back = bridge::navm_event(out, table);
  CHECK(back.kind == bridge::NarsEvent::Kind::derived);
  CHECK(back.truth == narsese::TruthValue{1, 0.81});
  const auto execution = heard("^go executed with args ({SELF} * park)");
  const auto exe = bridge::navm_output(execution);
  CHECK(exe.type == "EXE");
  CHECK(exe.operation == std::vector<std::string>{"go", "{SELF}", "park"});
  CHECK_FALSE(exe.narsese);
  CHECK(bridge::navm_event(exe, table).term == execution.term);
  CHECK(bridge::navm_output(heard("Answer: None.")).type == "OTHER");
  CHECK(bridge::navm_output(heard("Test failed.")).type == "ERROR");
  CHECK(bridge::navm_event({"IN", "x", "no Narsese", {}}, table).kind == bridge::NarsEvent::Kind::other);
}
