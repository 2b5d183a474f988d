// SPDX-License-Identifier: MIT
// A session with a NARS as lines of JSON: what it began with, the entries, and what came of it.
//   {"transcript": 1, "system": "ona", "learning": "all", "forgetting": "none", "limits": {"concepts": 4194304, ..}}
//                                                            and "model", where one learns
//   {"heard": "Answer: None."}                               and so on
//   {"sha256": ".."}                                         of the memory, and "model_sha256"
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

/// What a memory learns beside what the user says.
enum class Learning : std::uint8_t { nothing, answers, all };
inline constexpr std::array<core::NamedValue<Learning>, 3> learnings{
    {{Learning::nothing, "nothing"}, {Learning::answers, "answers"}, {Learning::all, "all"}}};

/// What a session begins with: with the same entries after it, the same comes of it.
struct SessionStart {
  const NarsSystem* system = nullptr;
  Learning learning = Learning::all;
  std::optional<Model> model = {};  // that learns, with what it has learnt before
  core::MemoryLimits limits = {};
  core::ForgettingPolicy forgetting = core::ForgettingPolicy::none;  // where these are reached
};
/// The line of a transcript that it is.
std::string to_json(const SessionStart& start);
/// Nothing for anything else, of a later version too. What is not said of limits and forgetting is the default.
std::optional<SessionStart> start_from_json(std::string_view line);

/// One thing that happened.
struct TranscriptEntry {
  /// What the entry tells.
  enum class Kind : std::uint8_t {
    input,  // a line of the user's file
    fresh,  // a reasoner was started, or made to forget: it counts its inputs from the beginning
    sent,   // a line to the reasoner
    heard,  // a line from the reasoner
    again,  // a line from the reasoner while it was told again what it had been told
    named,  // "NAME SOURCE": from here on the reasoner is told NAME in place of SOURCE; "": no names any more
  };
  Kind kind = Kind::input;
  std::string text = {};

  friend bool operator==(const TranscriptEntry&, const TranscriptEntry&) = default;
};

/// As one line of JSON: {"heard": "Answer: None."}; bytes that are no UTF-8 as {"heard_bytes": "ff0a.."}.
std::string to_json(const TranscriptEntry& entry);
/// Reads it back, exactly. Nothing for anything else.
std::optional<TranscriptEntry> entry_from_json(std::string_view line);

/// What a session has come to: SHA-256 of memory_text, and of to_text of the model.
struct SessionEnd {
  std::string memory;
  std::optional<std::string> model = {};

  friend bool operator==(const SessionEnd&, const SessionEnd&) = default;
};
/// The line of a transcript that it is.
std::string to_json(const SessionEnd& end);
/// Nothing for anything else.
std::optional<SessionEnd> end_from_json(std::string_view line);

}  // namespace engram::bridge
