// SPDX-License-Identifier: MIT
// What has to be known of a NARS to talk with it: how its lines are read, what is written to it, and how to
// know that it has done what it was told.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/nars_event.hpp"
#include "bridge/systems/embedded_nars.hpp"
#include "core/numbers/names.hpp"
#include "narsese/dialect.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// How Engram may influence what a NARS thinks of, beside choosing what it is told at all.
enum class Steering : std::uint8_t {
  order,   // what it shall think of is told last
  repeat,  // told again, with the stamp that it has already: it becomes urgent, and no evidence counts twice
  ask,     // asked for: a question wakes the concept of what it asks for
  reimport,  // after a reset: what was told and what was inferred from it, each with the stamp it had
  budgets,   // told with a budget
};
inline constexpr std::array<core::NamedValue<Steering>, 5> steerings{{{Steering::order, "order"},
                                                                      {Steering::repeat, "repeat"},
                                                                      {Steering::ask, "ask"},
                                                                      {Steering::reimport, "reimport"},
                                                                      {Steering::budgets, "budgets"}}};

/// How a system is told of an event that happened before now.
struct PastEvents {
  narsese::Tense::Kind tense = narsese::Tense::Kind::past;           // or offset
  std::int64_t furthest = std::numeric_limits<std::int64_t>::max();  // cycles before now
};

/// One system. Lines are without their ends.
struct NarsSystem {
  std::string_view name;     // on the command line
  std::string_view program;  // for people
  narsese::Dialect dialect;
  /// The events of one line of its output: one, as a rule; of a line of JSON as many as it tells of. Never
  /// throws for what a line may contain, and never gives none: an unknown line is one event `other`.
  std::vector<NarsEvent> (*read)(std::string_view line, narsese::TermTable& table);
  /// Makes one in this process, for a system that is no program; null for others.
  std::unique_ptr<EmbeddedNars> (*embedded)() = nullptr;
  /// Lines that make it print all that can be read, sent before anything else.
  std::vector<std::string> opening = {};
  /// In their place where answers alone are of interest.
  std::vector<std::string> opening_for_answers = {};
  std::string (*cycles)(std::uint64_t count) = [](std::uint64_t count) { return std::to_string(count); };
  /// A line that it answers at once, after everything before, and whether a line is that answer. Both get a
  /// number that is new each time, for systems that can send it back.
  std::string (*marker)(std::uint64_t number);
  bool (*is_marker)(std::string_view line, std::uint64_t number);
  /// What it says before that answer, and what no event is made of either; may be empty.
  std::string_view marker_preface = "";
  /// Makes it forget everything. Empty where nothing brings it to the state of a new process.
  std::string_view reset;
  /// Commands to send after a reset so that the system answers as a new process does.
  std::vector<std::string> after_reset = {};
  /// Liveness check for a system whose reasoning can stop while it still prints its input: a reserved name, a statement
  /// and a question about that name, and the first characters of the answer. Empty for other systems.
  std::string_view probe_name = "";
  std::vector<std::string> probe = {};
  std::string_view probe_answer = "";
  /// Works on while nobody writes to it: cycles cannot be counted out to it.
  bool runs_freely = false;
  /// Answers a question from what it knows at that moment alone: worth asking again after some cycles.
  bool answers_at_once = false;
  /// It answers again only with what is a better answer to it: the last one counts.
  bool answers_improve = false;
  /// What of steering it allows.
  std::vector<Steering> steering;
  /// A line by which the next sentence has this stamp in place of a new one; null where there is none.
  std::string (*stamp_import)(const std::vector<std::uint64_t>& stamp) = nullptr;
  /// Operators by which it tells what it does itself. It says so of all that it believes and asks itself:
  /// what mentions one is no knowledge of the world.
  std::vector<std::string_view> mental = {};
  /// Nothing: it takes events of now alone.
  std::optional<PastEvents> past = PastEvents{};
  /// Lines by which it learns what it can do, such as ^left; null where there are none.
  std::vector<std::string> (*operations)(const std::vector<std::string>& names) = nullptr;
  /// What stands before each sentence that it is told or asked.
  std::string_view before_sentence = "";
  /// What may be the matter if it never answers; for people.
  std::string_view if_silent = "";
};

/// Engram's own reasoner, ONA's shell, OpenNARS's shell, PyNARS's console, ONA behind Python, and what speaks NAVM.
std::span<const NarsSystem> nars_systems();
/// Nothing for a name that none of them has.
const NarsSystem* find_nars_system(std::string_view name);

/// bridge/reasoner/, without a command (bridge/systems/embedded_nars.hpp).
const NarsSystem& engram_nars();
/// OpenNARS for Applications (dc4efd0), `NAR shell`.
const NarsSystem& ona();
/// OpenNARS 3 (3.0.4, also the shells of 3.1.2 and 1.5.8), with standard input as its console.
const NarsSystem& opennars();
/// OpenNARS-4, also called PyNARS (v0.0.2), its Console or ConsolePlus.
const NarsSystem& pynars();
/// ONA behind its NAR_json.py, a dictionary a line, or behind its NAR.py, which prints ONA's own lines.
const NarsSystem& nar_json();
/// Any program that reads NAVM's commands and writes NAVM's outputs, on its standard streams. NAVM has no
/// command to wait for: it must send each REM back as a COMMENT, after all that came of what it read before.
const NarsSystem& navm();

}  // namespace engram::bridge
