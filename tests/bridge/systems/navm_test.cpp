// SPDX-License-Identifier: MIT
#include "bridge/systems/navm.hpp"

#include <nlohmann/json.hpp>

#include "bridge/systems/nars_system.hpp"
#include "core/numbers/random.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/json_schema.hpp"

using namespace engram;
using bridge::NavmConversation;
using bridge::NavmOutput;

namespace {

// The replies to a message. Checks that each reply survives a round trip through NAVM's format.
std::vector<NavmOutput> outputs_of(NavmConversation& talk, std::string_view message) {
  std::vector<NavmOutput> outputs;
  for (const std::string& reply : talk.answer(message)) {
    const auto output = bridge::read_navm_output(reply);
    REQUIRE(output);
    CHECK(bridge::write(*output) == reply);
    static const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/navm.schema.json");
    CHECK(schema.flaw(nlohmann::json::parse(reply)) == "");
    outputs.push_back(*output);
  }
  return outputs;
}

std::string types(const std::vector<NavmOutput>& outputs) {
  std::string text;
  for (const NavmOutput& output : outputs) text += (text.empty() ? "" : " ") + output.type;
  return text;
}

std::string types(NavmConversation& talk, std::string_view message) {
  return types(outputs_of(talk, message));
}

// The answer to a question, or "" if there is none.
std::string answer_to(NavmConversation& talk, const std::string& question) {
  const auto outputs = outputs_of(talk, "NSE " + question);
  REQUIRE(outputs.size() == 2);
  CHECK(outputs[0].type == "IN");
  REQUIRE((outputs[1].type == "ANSWER" || outputs[1].type == "INFO"));
  CHECK(outputs[1].narsese.has_value() == (outputs[1].type == "ANSWER"));
  return outputs[1].narsese.value_or("");
}

NavmConversation new_talk() { return NavmConversation(std::make_shared<core::Session>()); }

}  // namespace

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
    // BabelNAR sends an output as a list with one element.
    CHECK(bridge::read_navm_output("[" + text + "]").value() == output);
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

TEST_CASE("the NAVM server learns sentences and answers questions that match them", "[bridge][navm]") {
  auto talk = new_talk();
  const auto in = outputs_of(talk, "nse <tim --> cat>. %1;0.9%");
  REQUIRE(types(in) == "IN");
  CHECK(in[0].content == "<tim --> cat>. %1;0.9%");
  CHECK(in[0].narsese == "<tim --> cat>. %1;0.9%");
  CHECK(types(talk, "NSE <tom --> cat>. %0.4;0.9%\n\n<cat --> animal>.\r\n") == "IN IN");
  CHECK(answer_to(talk, "<tim --> cat>?") == "<tim --> cat>. %1;0.9%");
  // <tim --> cat> has a higher expectation than <tom --> cat>.
  CHECK(answer_to(talk, "<?1 --> cat>?") == "<tim --> cat>. %1;0.9%");
  CHECK(answer_to(talk, "<tom --> ?x>?") == "<tom --> cat>. %0.4;0.9%");
  CHECK(answer_to(talk, "<?1 --> ?1>?").empty());  // a variable must have the same value in both places
  CHECK(answer_to(talk, "<cat --> tim>?").empty());
  CHECK(answer_to(talk, "<tim --> animal>?").empty());  // the server looks up statements, but does not infer
  // Of candidates with equal expectations, the earliest is the answer. A repeated statement is revised, so its
  // expectation becomes higher.
  CHECK(types(talk, "NSE <tam --> cat>. %1;0.9%") == "IN");
  CHECK(answer_to(talk, "<?1 --> cat>?") == "<tim --> cat>. %1;0.9%");
  CHECK(types(talk, "NSE <tam --> cat>. %1;0.9%") == "IN");
  CHECK(answer_to(talk, "<?1 --> cat>?").starts_with("<tam --> cat>. %1;0.94"));
}

TEST_CASE("only query variables match; other variables are part of the question", "[bridge][navm]") {
  auto talk = new_talk();
  outputs_of(talk, "NSE <<$1 --> bird> ==> <$1 --> animal>>.\nNSE <(*,a,b) --> r>.\nNSE <c <-> d>.");
  CHECK(answer_to(talk, "<<$x --> bird> ==> <$x --> ?1>>?") == "<<$1 --> bird> ==> <$1 --> animal>>.");
  CHECK(answer_to(talk, "<<tim --> bird> ==> <tim --> animal>>?").empty());
  CHECK(answer_to(talk, "<<?1 --> bird> ==> <?1 --> animal>>?").empty());  // ?1 would need two values
  CHECK(answer_to(talk, "<(*,?1,b) --> ?2>?") == "<(*,a,b) --> r>.");
  CHECK(answer_to(talk, "<(*,b,?1) --> r>?").empty());
  // A symmetric statement matches a question in both directions.
  CHECK(answer_to(talk, "<d <-> ?1>?") == "<c <-> d>.");
  CHECK(answer_to(talk, "<#1 <-> c>?").empty());
}

TEST_CASE("goals answer quests, judgements answer questions", "[bridge][navm]") {
  auto talk = new_talk();
  CHECK(types(talk, "NSE <door --> [open]>!") == "IN");
  CHECK(answer_to(talk, "<door --> [open]>?").empty());
  CHECK(answer_to(talk, "<door --> ?1>@") == "<door --> [open]>!");
}

TEST_CASE("every NAVM command has its reply, and an invalid one gets ERROR", "[bridge][navm]") {
  auto talk = new_talk();
  const auto check = [&](const std::string& wanted, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      INFO(line);
      CHECK(types(talk, line) == wanted);
    }
  };
  check("INFO", {"CYC 5", "VOL 100", "INF", "INF memory", "RES", "RES memory", "HLP", "HLP NSE"});
  check("ERROR", {"cyc x",
                  "CYC -1",
                  "CYC 99999999999",
                  "CYC 99999999999999999999999",
                  "CYC",
                  "VOL",
                  "VOL many",
                  "INF concepts",
                  "RES nar",
                  "SAV memory /tmp/x",
                  "LOA memory x",
                  "NEW n",
                  "DEL n",
                  "REG left",
                  "NSE",
                  "NSE 5",
                  "NSE // x",
                  "NSE <a --> b",
                  "NSE <a --> b>",
                  "NSE <a --> b>. {1.0 0.9}",
                  "Foo bar",
                  "*volume=0",
                  "\xff\xfe",
                  "NSE \xff."});
  check("COMMENT", {"REM so it is", "REM", "// so", "'so", "''outputMustContain('x')"});
  check("INFO", {"7", "/7"});
  check("IN", {"/<a --> b>.", "<a --> b>."});
  check("", {"", " \t\r", "/"});
  // The counts start at the last RES.
  CHECK(outputs_of(talk, "INF")[0].content == "3 concepts, 1 links, 1 statements, cycle 16");
  CHECK(outputs_of(talk, "REM  a  b ")[0].content == "a  b");
  CHECK(types(talk, "RES") == "INFO");
  CHECK(outputs_of(talk, "INF")[0].content == "0 concepts, 0 links, 0 statements, cycle 0");
  CHECK_FALSE(talk.finished());
  CHECK(types(talk, "exi done\nNSE <a --> b>.") == "TERMINATED");  // lines after EXI are ignored
  CHECK(talk.finished());
}

TEST_CASE("a full memory replies ERROR through NAVM and continues", "[bridge][navm]") {
  core::MemoryOptions options;
  options.limits.max_statements = 1;
  NavmConversation talk(std::make_shared<core::Session>(options));
  CHECK(types(talk, "NSE <a --> b>.") == "IN");
  CHECK(types(talk, "NSE <a --> c>.") == "ERROR");
  CHECK(types(talk, "NSE <a --> b>.") == "IN");
}

TEST_CASE("on a websocket each NAVM output is a separate array", "[bridge][navm]") {
  NavmConversation talk(std::make_shared<core::Session>(), true);
  const auto replies = talk.answer("NSE <a --> b>?");
  REQUIRE(replies.size() == 2);
  for (const std::string& reply : replies) {
    CHECK(reply.front() == '[');
    CHECK(bridge::read_navm_output(reply));
  }
  CHECK(talk.refusal("why").starts_with("[{\"type\":\"ERROR\""));
  // Engram's own NAVM client can parse the output.
  narsese::TermTable table;
  talk.answer("NSE <a --> b>.");
  const auto event = bridge::navm_event(*bridge::read_navm_output(talk.answer("NSE <a --> ?1>?")[1]), table);
  CHECK(event.kind == bridge::NarsEvent::Kind::answer);
  CHECK(event.term);
}
