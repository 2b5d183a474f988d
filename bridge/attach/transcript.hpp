// SPDX-License-Identifier: MIT
// File format of a transcript, the record of a session with a NARS. It consists of JSON lines: a SessionStart, any
// number of entries, and a SessionEnd.
//   {"transcript": 1, "system": "ona", "learning": "all", "forgetting": "none", "limits": {"concepts": 4194304, ..}}
//   {"heard": "Answer: None."}
//   {"sha256": ".."}
// The first line also has "model" if a model learns, and the last one then has "model_sha256".
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

/// Output of a NARS that a memory learns from, in addition to the input.
enum class Learning : std::uint8_t { nothing, answers, all };
inline constexpr std::array<core::NamedValue<Learning>, 3> learnings{
    {{Learning::nothing, "nothing"}, {Learning::answers, "answers"}, {Learning::all, "all"}}};

/// Initial state of a session. It determines the result together with the entries.
struct SessionStart {
  const NarsSystem* system = nullptr;
  Learning learning = Learning::all;
  std::optional<Model> model = {};  // the model that learns, if there is one
  core::MemoryLimits limits = {};
  core::ForgettingPolicy forgetting = core::ForgettingPolicy::none;  // policy when a limit is reached
};
/// The first line of a transcript.
std::string to_json(const SessionStart& start);
/// Parses the first line. Empty if the line is not valid or has a later version. Absent members have their defaults.
std::optional<SessionStart> start_from_json(std::string_view line);

/// An entry of a transcript: one line of communication, or an event of the session.
struct TranscriptEntry {
  /// Kind of an entry.
  enum class Kind : std::uint8_t {
    input,  // a line of the user's file
    fresh,  // a reasoner was started or reset, and numbers its inputs from the beginning
    sent,   // a line to the reasoner
    heard,  // a line from the reasoner
    again,  // a line from the reasoner that is not learnt from, such as output for repeated input
    named,  // "NAME SOURCE": NAME replaces SOURCE in later lines to the reasoner; "": no name is replaced
  };
  Kind kind = Kind::input;
  std::string text = {};

  friend bool operator==(const TranscriptEntry&, const TranscriptEntry&) = default;
};

/// The entry as one line of JSON: {"heard": "Answer: None."}, or {"heard_bytes": "ff0a.."} if the text is not UTF-8.
std::string to_json(const TranscriptEntry& entry);
/// Parses an entry. Empty if the line is not an entry.
std::optional<TranscriptEntry> entry_from_json(std::string_view line);

/// Result of a session: the SHA-256 of memory_text(), and of the file of the model.
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
