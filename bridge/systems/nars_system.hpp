// SPDX-License-Identifier: MIT
// Descriptions of the supported NARS implementations: how to parse their output, which commands to send, and how to
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

/// A NARS that runs in this process and, like a child process, reads and prints lines.
class EmbeddedNars {
 public:
  using Print = std::function<void(std::string_view line)>;

  virtual ~EmbeddedNars() = default;
  /// Processes one line and prints the results.
  /// Errors  exceptions of `print`; core::WorkStopped soon after the surrounding work is cancelled
  virtual void line(std::string_view text, const Print& print) = 0;
};

/// Ways to steer the attention of a NARS, in addition to selecting its input.
enum class Steering : std::uint8_t {
  order,  // the most relevant statements are sent last
  repeat,  // statements are repeated with their own stamps, so they become urgent but do not count as new evidence
  ask,       // a question is asked, which activates the concept of its subject
  reimport,  // after a reset, inputs and inferences are sent with their original stamps
  budgets,   // statements are sent with budgets
};
inline constexpr std::array<core::NamedValue<Steering>, 5> steerings{{{Steering::order, "order"},
                                                                      {Steering::repeat, "repeat"},
                                                                      {Steering::ask, "ask"},
                                                                      {Steering::reimport, "reimport"},
                                                                      {Steering::budgets, "budgets"}}};

/// Notation for an event that happened in the past.
struct PastEvents {
  narsese::Tense::Kind tense = narsese::Tense::Kind::past;           // or offset
  std::int64_t furthest = std::numeric_limits<std::int64_t>::max();  // cycles before now
};

/// Description of one system. Lines have no line ends.
struct NarsSystem {
  std::string_view name;     // name on the command line
  std::string_view program;  // name in messages
  narsese::Dialect dialect;
  /// Parses one line of output. Usually this is one event; a line of JSON may have several. An unknown line is one
  /// event `other`. Never throws because of the contents of a line.
  std::vector<NarsEvent> (*read)(std::string_view line, narsese::TermTable& table);
  /// Creates an embedded system; null for external programs.
  std::unique_ptr<EmbeddedNars> (*embedded)() = nullptr;
  /// Lines to send first, so that the system prints all that can be parsed.
  std::vector<std::string> opening = {};
  /// Alternative to `opening` if only answers are of interest.
  std::vector<std::string> opening_for_answers = {};
  std::string (*cycles)(std::uint64_t count) = [](std::uint64_t count) { return std::to_string(count); };
  /// A marker line, which the system answers at once after everything before it, and a test for that answer. Each call
  /// gets a new number, for systems that can repeat it.
  std::string (*marker)(std::uint64_t number);
  bool (*is_marker)(std::string_view line, std::uint64_t number);
  /// A line printed before the answer to a marker, which is not an event either. May be empty.
  std::string_view marker_preface = "";
  /// Command that resets the system. Empty if no command restores the state of a new process.
  std::string_view reset;
  /// Commands to send after a reset so that the system answers as a new process does.
  std::vector<std::string> after_reset = {};
  /// Liveness check for a system whose reasoning can stop while it still prints its input: a reserved name, a statement
  /// and a question about that name, and the first characters of the answer. Empty for other systems.
  std::string_view probe_name = "";
  std::vector<std::string> probe = {};
  std::string_view probe_answer = "";
  /// The system reasons continuously, so it cannot run a given number of cycles.
  bool runs_freely = false;
  /// The system answers a question only from what it knows at that moment, so asking again after some cycles is
  /// worthwhile.
  bool answers_at_once = false;
  /// Each further answer to a question is better than the one before, so the last counts.
  bool answers_improve = false;
  /// Supported ways of steering.
  std::vector<Steering> steering;
  /// Command that gives the next sentence this stamp instead of a new one; null if there is none.
  std::string (*stamp_import)(const std::vector<std::uint64_t>& stamp) = nullptr;
  /// Operators for the system's own mental operations (believe, ask itself). Sentences that mention them are not
  /// knowledge about the world.
  std::vector<std::string_view> mental_operators = {};
  /// How to express past events. Empty if the system accepts only present events.
  std::optional<PastEvents> past = PastEvents{};
  /// Whether a stream sends events that matter together as one compound event (&/,a,b). True for systems that choose an
  /// operation by the single implication with the largest desire, because they do not weigh several events.
  bool compound_events = false;
  /// Commands that define the available operations, such as ^left; null if there are none.
  std::vector<std::string> (*operations)(const std::vector<std::string>& names) = nullptr;
  /// Prefix of each sentence that is sent.
  std::string_view sentence_prefix = "";
  /// Possible reason why the system never answers, for messages.
  std::string_view silence_hint = "";
};

/// All systems: Engram's own reasoner, ONA's shell, OpenNARS's shell, PyNARS's console, ONA behind Python, and programs
/// that use NAVM.
std::span<const NarsSystem> nars_systems();
/// The system with this name; null if there is none.
const NarsSystem* find_nars_system(std::string_view name);

/// The reasoner of core/reasoner/, embedded (bridge/systems/engram_nars.hpp).
const NarsSystem& engram_nars();
/// OpenNARS for Applications (dc4efd0), `NAR shell`.
const NarsSystem& ona();
/// OpenNARS 3 (3.0.4, also the shells of 3.1.2 and 1.5.8), with standard input as its console.
const NarsSystem& opennars();
/// OpenNARS-4, also called PyNARS (v0.0.2), its Console or ConsolePlus.
const NarsSystem& pynars();
/// ONA behind its NAR_json.py, which prints one dictionary per line, or behind its NAR.py, which prints ONA's own
/// lines.
const NarsSystem& nar_json();
/// Any program that reads NAVM's commands and writes NAVM's outputs on its standard streams. NAVM has no marker
/// command. The program must return each REM as a COMMENT, after all outputs of earlier input.
const NarsSystem& navm();

}  // namespace engram::bridge
