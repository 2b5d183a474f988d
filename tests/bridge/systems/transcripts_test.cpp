// SPDX-License-Identifier: MIT
// Tests of the parsers on the output of real systems. The sessions in transcripts/ were recorded with `engram attach
// --log`. The systems were ONA dc4efd0, the same ONA behind its NAR_json.py, and OpenNARS 3.0.4. The expected events
// were read from the transcripts by hand.
#include <fstream>
#include <nlohmann/json.hpp>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/files/sha256.hpp"
#include "narsese/printer.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using HeardKind = bridge::NarsEvent::Kind;

namespace {

// An event as "kind term punctuation frequency;confidence [stamp] @occurrence". Missing parts are left out.
std::string in_brief(const bridge::NarsEvent& event) {
  std::string text(bridge::name(event.kind));
  const auto decimals = [](double number) { return std::to_string(number).substr(0, 6); };
  if (event.term) text += " " + narsese::print(*event.term);
  if (event.punctuation) text += symbol(*event.punctuation);
  if (event.truth) text += " " + decimals(event.truth->frequency) + ";" + decimals(event.truth->confidence);
  for (const std::uint64_t number : event.stamp) text += " " + std::to_string(number);
  if (event.occurrence.kind == narsese::Tense::Kind::at)
    text += " @" + std::to_string(event.occurrence.cycles);
  return text;
}

struct RecordedSession {
  std::vector<std::string> events = {};  // all events except those of kind `other`
  std::vector<std::string> others = {};
  std::string memory = {}, sha256 = {}, expected_sha256 = {};
};

RecordedSession recorded_session(const std::string& system) {
  std::ifstream file(ENGRAM_SOURCE_DIR "/tests/bridge/systems/transcripts/" + system + ".jsonl");
  std::string line;
  REQUIRE(std::getline(file, line));
  const auto head = nlohmann::json::parse(line);
  REQUIRE(head.at("system") == system);
  bridge::AttachedMemory memory({bridge::find_nars_system(system)});
  RecordedSession recording;
  while (std::getline(file, line)) {
    const auto entry = bridge::entry_from_json(line);
    if (!entry) {
      recording.expected_sha256 = nlohmann::json::parse(line).at("sha256");
      continue;
    }
    CHECK(bridge::to_json(*entry) == line);
    for (const bridge::NarsEvent& event : memory.apply(*entry).events)
      if (entry->kind == bridge::TranscriptEntry::Kind::heard)
        (event.kind == HeardKind::other ? recording.others : recording.events)
            .push_back(event.kind == HeardKind::other ? event.raw : in_brief(event));
  }
  recording.memory = bridge::memory_text(memory.session().memory());
  recording.sha256 = bridge::sha256_of_text(recording.memory);
  return recording;
}

const std::vector<std::string> events_of_ona{
    "input <robin --> bird>. 0.8000;0.9000 1",
    "input <bird --> animal>. 1.0000;0.9000 2",
    "derived <robin --> animal>. 0.8000;0.6480 2 1",
    "derived <animal --> robin>. 1.0000;0.3932 2 1",
    "input <robin --> animal>?",
    "answer <robin --> animal>. 0.8000;0.6480 2 1",
    "input <stone --> ?1>?",
    "answer",
    "input <stone --> ?1>?",
    "answer",
    "input <(&/,<{robot} --> [hungry]>,<(*,{SELF},kitchen) --> ^go>) =/> <{robot} --> [fed]>>. 1.0000;0.9000 "
    "3",
    "input <{robot} --> [hungry]>. 1.0000;0.9000 4 @9",
    "input <{robot} --> [fed]>! 1.0000;0.9000 5 @10",
    "executed <(*,{SELF},kitchen) --> ^go>",
    "input <(*,{SELF},kitchen) --> ^go>. 1.0000;0.9000 6 @10",
};

}  // namespace

TEST_CASE("a recorded ONA session gives the expected events and memory", "[bridge][systems][attach]") {
  const RecordedSession recording = recorded_session("ona");
  CHECK(recording.events == events_of_ona);
  for (const std::string& line : recording.others)
    CHECK((line.starts_with("Selected: ") || line.starts_with("performing ") ||
           line.starts_with("done with ") || line.starts_with("decision expectation=")));
  CHECK(recording.others.size() == 16);
  CHECK(recording.sha256 == recording.expected_sha256);
}

TEST_CASE("ONA behind NAR_json.py gives the same events and memory", "[bridge][systems][attach]") {
  const RecordedSession recording = recorded_session("nar_json"), shell = recorded_session("ona");
  // NAR_json.py prints dictionaries, which list inputs before executions. So two events are exchanged.
  std::vector<std::string> in_order = events_of_ona;
  std::swap(in_order[13], in_order[14]);
  CHECK(recording.events == in_order);
  // The dictionary that NAR_json.py prints for a number of cycles gives no event.
  CHECK(recording.others.size() == 4);
  CHECK(recording.memory == shell.memory);
  CHECK(recording.sha256 == recording.expected_sha256);
}

TEST_CASE("a recorded OpenNARS session gives the expected events and memory", "[bridge][systems][attach]") {
  const RecordedSession recording = recorded_session("opennars");
  CHECK(recording.events ==
        std::vector<std::string>{
            "input <(*,{SELF},kitchen) --> ^pick>! 1.0000;0.9000 0 @259",
            "derived <(*,{SELF},kitchen) --> ^pick>! 1.0000;0.9000 0 @259",
            "input <robin --> bird>. 0.8000;0.9000 1",
            "derived <robin --> bird>. 0.8000;0.9000 1",
            "input <bird --> animal>. 1.0000;0.9000 2",
            "derived <(*,{SELF},kitchen) --> ^pick>! 1.0000;0.6500 0 @4405",
            "derived <(*,{SELF},kitchen) --> ^pick>. 1.0000;0.9000 3 @4405",
            "executed <(*,{SELF},kitchen) --> ^pick>",
            "derived <(*,{SELF},kitchen) --> ^pick>. 1.0000;0.9000 3 @4405",
            "derived <bird --> animal>. 1.0000;0.9000 2",
            "derived <{SELF} --> (/,^pick,_,kitchen)>! 1.0000;0.6500 0 @4405",
            "derived <robin --> animal>. 0.8000;0.6500 2 1",
            "derived <animal --> robin>. 1.0000;0.3900 2 1",
            "derived <{SELF} --> (/,^pick,_,kitchen)>. 1.0000;0.9000 3 @4405",
            "derived <{SELF} --> (/,^pick,_,kitchen)>. 1.0000;0.9000 3 @4405",
            "input <robin --> animal>? 4",
            "derived <robin --> animal>? 4",
            "derived <(*,{SELF},<robin --> animal>,TRUE) --> ^believe>. 1.0000;0.9000 2 1 @4419",
            "answer <robin --> animal>. 0.8000;0.6500 2 1",
            "derived <robin --> animal>. 0.8000;0.6500 2 1",
            "derived <(*,{SELF},<robin --> animal>) --> ^wonder>. 1.0000;0.9000 4 @4419",
            "derived <(/,(*,{SELF},kitchen),_,kitchen) --> (/,^pick,_,kitchen)>. 1.0000;0.8100 3 @4405",
        });
  CHECK(recording.others == std::vector<std::string>{});
  CHECK(recording.memory.find("^pick") != std::string::npos);
  CHECK(recording.memory.find("^believe") == std::string::npos);
  CHECK(recording.memory.find("^wonder") == std::string::npos);
  CHECK(recording.sha256 == recording.expected_sha256);
}
