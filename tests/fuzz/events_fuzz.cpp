// SPDX-License-Identifier: MIT
// Fuzz target for lines that a NARS prints, and for lines sent to Engram's NAVM server. Every line of a NARS gives at
// least one event, and all events fit the event schema. Transcript entries and NAVM outputs survive a round trip.
// libFuzzer makes new inputs (preset `fuzz`); replay.cpp replays the corpus.
//
// Format of an input: the first byte selects the system: o (ONA), n (OpenNARS), p (PyNARS), j (NAR_json.py), c
// (ConsolePlus), v (NAVM, both output of a NARS and commands to Engram).
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/systems/nars_system.hpp"
#include "bridge/systems/navm.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/support/json_schema.hpp"

using namespace engram;
using bridge::NarsEvent;
using engram::fuzz::promise;
using Json = nlohmann::json;

namespace {

void check_event(std::string_view line, const NarsEvent& event) {
  static const testing::JsonSchema schema(ENGRAM_SOURCE_DIR "/bridge/schema/event.schema.json");
  const std::string text = bridge::to_json(event);
  promise(text.find('\n') == std::string::npos, "an event is one line", line, text);
  const Json json = Json::parse(text, nullptr, false);
  promise(json.is_object(), "an event is a JSON object", line, text);
  const std::string flaw = schema.flaw(json);
  promise(flaw.empty(), "an event fits the schema", line, flaw + " in " + text);
}

void check_transcript(const bridge::TranscriptEntry& entry) {
  const auto read = bridge::entry_from_json(bridge::to_json(entry));
  promise(read && *read == entry, "a transcript holds every byte", entry.text, bridge::to_json(entry));
}

// Text of a memory after it has learnt from these output lines. Equal lines must give equal texts.
std::string learnt(const bridge::NarsSystem& system, const std::vector<std::string_view>& lines) {
  bridge::AttachedMemory memory({&system});
  memory.apply({bridge::TranscriptEntry::Kind::input, "<a --> b>."});
  memory.apply({bridge::TranscriptEntry::Kind::fresh});
  for (const std::string_view line : lines) {
    const auto effect = memory.apply({bridge::TranscriptEntry::Kind::heard, std::string(line)});
    promise(!effect.events.empty(), "no line is dropped", line);
  }
  return bridge::memory_text(memory.session().memory());
}

void check_system(const bridge::NarsSystem& system, const std::vector<std::string_view>& lines) {
  narsese::TermTable table;
  for (const std::string_view line : lines) {
    const auto events = system.read(line, table);
    promise(!events.empty(), "no line is dropped", line);
    // Each entry of a JSON line is an event of its own, so it does not have the whole line.
    const bool json = line.find_first_of("[{") == 0;
    promise(json || (events.size() == 1 && events[0].raw == line), "an event keeps its line", line,
            events[0].raw);
    for (const NarsEvent& event : events) check_event(line, event);
    check_transcript({bridge::TranscriptEntry::Kind::heard, std::string(line)});
  }
  promise(learnt(system, lines) == learnt(system, lines), "the same lines give the same memory", lines[0]);
}

void check_navm(const std::vector<std::string_view>& lines) {
  narsese::TermTable table;
  for (const std::string_view line : lines) {
    const auto output = bridge::read_navm_output(line);
    if (!output) {
      promise(!output.error().message().empty(), "rejected output has a reason", line);
      continue;
    }
    const auto again = bridge::read_navm_output(bridge::write(*output));
    promise(again && *again == *output, "writing and reading an output changes nothing", line);
    check_event(line, bridge::navm_event(*output, table));
  }
}

// Checks Engram's NAVM server: every line that is not blank has a reply, and all replies are valid NAVM output.
void check_navm_server(const std::vector<std::string_view>& lines) {
  core::MemoryOptions options;
  options.limits = {.max_concepts = 40, .max_hebbian_links = 60, .max_statements = 20, .max_active = 6};
  bridge::NavmConversation talk(std::make_shared<core::Session>(options));
  for (const std::string_view line : lines) {
    if (talk.finished()) return;
    const auto replies = talk.answer(line);
    const bool blank = line.find_first_not_of(" \t\r\n\v\f/") == std::string_view::npos;
    promise(!replies.empty() || blank, "a line has a reply", line);
    promise(replies.size() <= 2, "a line has two replies at most", line);
    for (const std::string& reply : replies) {
      const auto output = bridge::read_navm_output(reply);
      promise(output && bridge::write(*output) == reply, "replies are valid NAVM output", line, reply);
      narsese::TermTable table;
      const bool read = bridge::navm_event(*output, table).term.has_value();
      promise(read || !output->narsese, "the Narsese of a reply is valid", line, reply);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::string_view> lines = fuzz::split(text);
  constexpr std::string_view letters = "onpjcv";
  std::size_t choice = letters.find(static_cast<char>(data[0]));
  if (choice == std::string_view::npos) choice = data[0] % letters.size();
  if (choice < 4) {
    check_system(bridge::nars_systems()[choice], lines);
  } else if (choice == 4) {
    check_system(bridge::pynars(), lines);
  } else {
    check_system(bridge::navm(), lines);
    check_navm(lines);
    check_navm_server(lines);
  }
  return 0;
}
