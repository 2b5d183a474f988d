// SPDX-License-Identifier: MIT
// File format of a transcript, the record of a session with a NARS as JSON lines: the start, the entries, the result.
//   {"transcript": 1, "system": "ona", "learning": "all", "forgetting": "none", "limits": {"concepts": 4194304, ..}}
//                                                            and "model" if one learns
//   {"heard": "Answer: None."}                               an entry; repeated
//   {"sha256": ".."}                                         of memory_text, and "model_sha256" of the model
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bridge/models/model.hpp"
#include "bridge/systems/nars_system.hpp"
#include "core/budgets/forgetting.hpp"
#include "core/numbers/names.hpp"

namespace engram::bridge {

/// Sources that a memory learns from in addition to the user's input.
enum class Learning : std::uint8_t { nothing, answers, all };
inline constexpr std::array<core::NamedValue<Learning>, 3> learnings{
    {{Learning::nothing, "nothing"}, {Learning::answers, "answers"}, {Learning::all, "all"}}};

/// Initial state of a session. The same initial state and entries give the same result.
struct SessionStart {
  const NarsSystem* system = nullptr;
  Learning learning = Learning::all;
  std::optional<Model> model = {};  // the model that learns, with its training state
  core::MemoryLimits limits = {};
  core::ForgettingPolicy forgetting = core::ForgettingPolicy::none;  // policy when a limit is reached
};
/// The first line of a transcript.
std::string to_json(const SessionStart& start);
/// Parses the first line. Empty if the line is not valid or has a later version. Absent limits and policy have their
/// defaults.
std::optional<SessionStart> start_from_json(std::string_view line);

/// One entry of a transcript.
struct TranscriptEntry {
  /// The kind of entry.
  enum class Kind : std::uint8_t {
    input,  // a line of the user's file
    fresh,  // a reasoner was started or reset, and numbers its inputs from the beginning
    sent,   // a line to the reasoner
    heard,  // a line from the reasoner
    again,  // a line from the reasoner while it received remembered input again
    named,  // "NAME SOURCE": the reasoner receives NAME instead of SOURCE from here on; "": no replaced names
  };
  Kind kind = Kind::input;
  std::string text = {};

  friend bool operator==(const TranscriptEntry&, const TranscriptEntry&) = default;
};

/// The entry as one line of JSON: {"heard": "Answer: None."}. Bytes that are not UTF-8 are written as {"heard_bytes":
/// "ff0a.."}.
std::string to_json(const TranscriptEntry& entry);
/// Parses an entry exactly. Empty if the line is not an entry.
std::optional<TranscriptEntry> entry_from_json(std::string_view line);

/// Result of a session: SHA-256 of memory_text, and of to_text of the model.
struct SessionEnd {
  std::string memory;
  std::optional<std::string> model = {};

  friend bool operator==(const SessionEnd&, const SessionEnd&) = default;
};
/// The last line of a transcript.
std::string to_json(const SessionEnd& end);
/// Parses the last line. Empty if the line is not valid.
std::optional<SessionEnd> end_from_json(std::string_view line);

}  // namespace engram::bridge
