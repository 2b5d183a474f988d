// SPDX-License-Identifier: MIT
// Descriptions of the supported NARS implementations: how to parse their output, which commands they have, and how to
// detect that they have processed their input.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/nars_event.hpp"
#include "core/numbers/names.hpp"
#include "narsese/dialect.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// Interface of a NARS that runs in this process instead of a child process. It also reads and prints lines.
class EmbeddedNars {
 public:
  using Print = std::function<void(std::string_view line)>;

  virtual ~EmbeddedNars() = default;
  /// Processes one line of input. Calls `print` for each line of output.
  /// Errors  exceptions of `print`; core::WorkStopped soon after the surrounding work is cancelled
  virtual void line(std::string_view text, const Print& print) = 0;
};

/// Ways in which Engram steers the attention of a NARS by what it sends, in addition to selecting its input.
enum class Steering : std::uint8_t {
  order,     // sends the most relevant statements last
  repeat,    // repeats statements with their own stamps: they become urgent, but do not count as new evidence
  ask,       // asks a question, which activates the concept of its subject
  reimport,  // after a reset, sends inputs and inferences with their original stamps
  budgets,   // sends statements with budgets
};
/// The names of the ways to steer, for options and messages.
inline constexpr std::array<core::NamedValue<Steering>, 5> steerings{{{Steering::order, "order"},
                                                                      {Steering::repeat, "repeat"},
                                                                      {Steering::ask, "ask"},
                                                                      {Steering::reimport, "reimport"},
                                                                      {Steering::budgets, "budgets"}}};

/// Notation of a NARS for events that happened in the past.
struct PastEvents {
  narsese::Tense::Kind tense = narsese::Tense::Kind::past;  // past, or offset with the number of cycles
  std::int64_t furthest = std::numeric_limits<std::int64_t>::max();  // oldest event, in cycles before now
};

/// Description of one NARS implementation, as a table of facts and functions. Lines are without line ends.
struct NarsSystem {
  std::string_view name;     // name on the command line
  std::string_view program;  // name in messages
  narsese::Dialect dialect;  // dialect of Narsese that it reads
  /// Parses one line of the system's output, usually into one event; a line of JSON may have several. An unknown line
  /// becomes one event `other`. Never throws because of the contents of a line.
  std::vector<NarsEvent> (*read)(std::string_view line, narsese::TermTable& table);
  /// Creates the system in this process. Null for external programs.
  std::unique_ptr<EmbeddedNars> (*embedded)() = nullptr;
  /// Lines to send at the start, so that the system prints all events.
  std::vector<std::string> opening = {};
  /// Lines to send at the start instead of `opening`, if only answers are of interest.
  std::vector<std::string> opening_for_answers = {};
  /// Command that lets the system run this many inference cycles.
  std::string (*cycles)(std::uint64_t count) = [](std::uint64_t count) { return std::to_string(count); };
  /// A marker: a line that the system answers as soon as it has processed all earlier lines, and a test for that
  /// answer. The number is unique, so that a system that repeats it in the answer cannot confuse two markers.
  std::string (*marker)(std::uint64_t number);
  bool (*is_marker)(std::string_view line, std::uint64_t number);
  /// Line that the system prints before the answer to a marker. It is not an event. May be empty.
  std::string_view marker_preface = "";
  /// Command that resets the system. Empty if no command restores the initial state; then a new process must start.
  std::string_view reset;
  /// Commands to send after `reset`, so that the system answers as a new process does.
  std::vector<std::string> after_reset = {};
  /// Liveness check, for a system whose reasoning can fail while it still prints its input: a reserved name, a
  /// statement and a question about that name, and the first characters of the answer. Empty for other systems.
  std::string_view probe_name = "";
  std::vector<std::string> probe = {};
  std::string_view probe_answer = "";
  /// Whether the system reasons continuously. It then cannot run a given number of cycles.
  bool runs_freely = false;
  /// Whether the system answers a question only from its knowledge at that moment. If so, ask again after some cycles.
  bool answers_at_once = false;
  /// Whether every new answer to a question is better than the previous one. If so, use the last one.
  bool answers_improve = false;
  /// Ways of steering that the system supports.
  std::vector<Steering> steering;
  /// Command that gives the next sentence this stamp instead of a new one. Null if the system has no such command.
  std::string (*stamp_import)(const std::vector<std::uint64_t>& stamp) = nullptr;
  /// Operators for the system's own mental operations (believe, ask itself). Sentences that mention them are not
  /// knowledge about the world.
  std::vector<std::string_view> mental_operators = {};
  /// Notation for past events. Empty if the system accepts only present events.
  std::optional<PastEvents> past = PastEvents{};
  /// Whether a stream sends events that matter together as one compound event (&/,a,b). True for systems that choose an
  /// operation by the single implication with the largest desire, because they do not weigh several events.
  bool compound_events = false;
  /// Commands that define the available operations, such as ^left. Null if the system has no such commands.
  std::vector<std::string> (*operations)(const std::vector<std::string>& names) = nullptr;
  /// Text to send before each sentence.
  std::string_view sentence_prefix = "";
  /// Likely reason if the system never answers, for messages.
  std::string_view silence_hint = "";
};

/// All systems: Engram's own reasoner, ONA's shell, OpenNARS's shell, PyNARS's console, ONA behind Python, and programs
/// that use NAVM.
std::span<const NarsSystem> nars_systems();
/// The system with this name, or null.
const NarsSystem* find_nars_system(std::string_view name);

/// Engram's own reasoner, which runs in this process (bridge/systems/engram_nars.hpp).
const NarsSystem& engram_nars();
/// OpenNARS for Applications (dc4efd0), `NAR shell`.
const NarsSystem& ona();
/// OpenNARS 3 (3.0.4, also the shells of 3.1.2 and 1.5.8), with standard input as its console.
const NarsSystem& opennars();
/// OpenNARS-4, also called PyNARS (v0.0.2), its Console or ConsolePlus.
const NarsSystem& pynars();
/// ONA behind one of its Python scripts: NAR_json.py prints one dictionary per line, NAR.py prints ONA's own lines.
const NarsSystem& nar_json();
/// Any program that reads NAVM's commands and writes NAVM's outputs on its standard streams. REM is the marker, because
/// NAVM has no marker command: the program must answer it by a COMMENT, after all outputs of earlier input.
const NarsSystem& navm();

}  // namespace engram::bridge
