// SPDX-License-Identifier: MIT
#include "experiments/reasoners/recording.hpp"

#include <system_error>

#include "bridge/files/sha256.hpp"
#include "experiments/formats/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/folder.hpp"

using namespace engram;
using namespace engram::experiments;
using namespace engram::testing;
using Catch::Matchers::Contains;

namespace {

Exchange told_of_birds() {
  return {.system = "ona",
          .statements = {"<robin --> bird>.", "<bird --> animal>. {1 0.8}"},
          .question = "<robin --> animal>?",
          .cycles = 100,
          .more_cycles = 50,
          .answers = {{"<robin --> animal>", {1, 0.81}}, {"<robin --> animal>", {0.1, 0.123456}}}};
}

std::string line_of(const Exchange& exchange) { return to_json(exchange).dump() + "\n"; }

std::string refusal_of(const Folder& folder, const std::string& text) {
  write(folder.path / "r.jsonl", text);
  try {
    Recording(folder.path / "r.jsonl");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an exchange's key has exactly what its answers depend on", "[experiments][reasoners]") {
  const Exchange one = told_of_birds();
  CHECK(key_of(one) ==
        bridge::sha256_of_text(
            R"(["ona",["<robin --> bird>.","<bird --> animal>. {1 0.8}"],"<robin --> animal>?",100,50])"));
  Exchange other = one;
  other.answers.clear();
  other.failure = "ended (signal 9) on the question";
  CHECK(key_of(other) == key_of(one));
  const auto changed = [&](auto change) {
    Exchange copy = one;
    change(copy);
    return key_of(copy);
  };
  CHECK(changed([](Exchange& e) { e.system = "opennars"; }) != key_of(one));
  CHECK(changed([](Exchange& e) { std::swap(e.statements[0], e.statements[1]); }) != key_of(one));
  CHECK(changed([](Exchange& e) { e.question = "<robin --> ?1>?"; }) != key_of(one));
  CHECK(changed([](Exchange& e) { e.cycles = 101; }) != key_of(one));
  CHECK(changed([](Exchange& e) { e.more_cycles = 51; }) != key_of(one));
}

TEST_CASE("a recording survives a round trip, and its bytes do not depend on the order",
          "[experiments][reasoners]") {
  const Folder folder("recording");
  const auto file = folder.path / "r.jsonl", again = folder.path / "again.jsonl";
  Exchange other = told_of_birds();
  other.question = "<robin --> stone>?";
  other.answers.clear();
  other.failure = "did not answer within 60000 ms on the question";
  Recording recording;
  recording.add(told_of_birds());
  recording.add(other);
  recording.add(told_of_birds());
  CHECK(recording.size() == 2);
  recording.write(file);

  const Recording read_back(file);
  CHECK(read_back.size() == 2);
  CHECK(read_back.find(key_of(told_of_birds())) == told_of_birds());
  CHECK(read_back.find(key_of(other)) == other);
  CHECK(!read_back.find("none"));
  write(again, line_of(other) + "  \r\n" + line_of(told_of_birds()));
  Recording(again).write(again);
  CHECK(read(again) == read(file));
}

TEST_CASE("a successful exchange replaces a failed one, never the other way", "[experiments][reasoners]") {
  Exchange failed = told_of_birds();
  failed.answers.clear();
  failed.failure = "ended (exit code 1) on the question";
  Recording recording;
  recording.add(failed);
  CHECK(recording.find(key_of(failed)) == failed);
  recording.add(told_of_birds());
  recording.add(failed);
  CHECK(recording.find(key_of(failed)) == told_of_birds());
}

TEST_CASE("a recording in a file is written at once and continues after a kill", "[experiments][reasoners]") {
  const Folder folder("kept_recording");
  const auto file = folder.path / "r.jsonl";
  Exchange failed = told_of_birds();
  failed.answers.clear();
  failed.failure = "ended (signal 11) on the question";
  {
    Recording recording;
    recording.keep_in(file);
    CHECK(read(file).empty());
    recording.add(failed);
    CHECK(read(file) == line_of(failed));
    recording.add(failed);
    CHECK(read(file) == line_of(failed));
  }
  write(file, line_of(failed) + line_of(told_of_birds()).substr(0, 100));
  {
    Recording recording(file);
    CHECK(recording.size() == 1);
    CHECK(recording.find(key_of(failed)) == failed);
    recording.keep_in(file);
    recording.add(told_of_birds());
  }
  CHECK(read(file) == line_of(failed) + line_of(told_of_birds()));
  CHECK(Recording(file).find(key_of(failed)) == told_of_birds());
  Recording nowhere;
  CHECK_THROWS_AS(nowhere.keep_in(folder.path / "no" / "r.jsonl"), std::system_error);
}

TEST_CASE("an invalid recording is refused with its line", "[experiments][reasoners]") {
  const Folder folder("hostile_recording");
  const std::string good = line_of(told_of_birds());
  CHECK(refusal_of(folder, "") == "");
  CHECK(refusal_of(folder, good) == "");
  CHECK_THAT(refusal_of(folder, good + "{\"sha256\": \n"), Contains("r.jsonl, line 2: "));
  CHECK_THAT(refusal_of(folder, "\n[]\n"), Contains("line 2: expected an object, found an array"));
  Exchange other = told_of_birds();
  other.answers.pop_back();
  CHECK_THAT(refusal_of(folder, good + "\n" + line_of(other)), Contains("line 3: contradicts line 1"));
  other.failure = "ended (exit code 1) on the question";
  CHECK_THAT(refusal_of(folder, good + line_of(other)), Contains("line 2: contradicts line 1"));
  CHECK(refusal_of(folder, good + good) == "");
  CHECK_THAT(refusal_of(folder, good + std::string(40, '[') + "\n"), Contains("line 2: "));
  CHECK_THAT(refusal_of(folder, good.substr(0, good.size() / 2) + "\n"), Contains("line 1: "));

  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return refusal_of(folder, text);
  };
  CHECK_THAT(changed("robin", "raven"), Contains("line 1: /sha256: expected \""));
  CHECK_THAT(changed("0.81", "1.81"), Contains("/answers/0/confidence: expected a number in [0, 1]"));
  CHECK_THAT(changed("\"cycles\":100", "\"cycles\":-1"), Contains("/cycles: expected "));
  CHECK_THAT(changed("\"cycles\":100", "\"cycles\":1e400"), Contains("line 1: "));
  CHECK_THAT(changed("\"cycles\":100,", ""), Contains("/cycles: expected "));
  CHECK_THAT(changed("\"cycles\":100", "\"cycles\":100,\"cycles\":100"), Contains("line 1: "));
  CHECK_THAT(changed("\"cycles\":100", "\"cycles\":100,\"seconds\":1"), Contains("/seconds: "));
  CHECK_THAT(changed("<robin", "\xff<robin"), Contains("line 1: "));

  const std::string huge(Recording::max_line_bytes + 1, ' ');
  CHECK_THAT(refusal_of(folder, good + huge), Contains("line 2 must have at most 16777216 bytes"));
  CHECK_THROWS_AS(Recording(folder.path / "missing.jsonl"), InputError);
}
