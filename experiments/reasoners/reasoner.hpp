// SPDX-License-Identifier: MIT
// Client for a NARS, as configured in a spec, and verdicts on its answers. Each question is asked of a fresh system
// that knows only the statements given with it.
//
//   Recording recording;
//   Reasoner ona(choice, recording);
//   const Asked asked = ona.ask(statements, question);
//   if (asked.best) ... asked.best->term, asked.best->truth
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bridge/attach/child_process.hpp"
#include "bridge/systems/nars_system.hpp"
#include "core/numbers/names.hpp"
#include "experiments/reasoners/recording.hpp"
#include "experiments/spec/spec_reader.hpp"
#include "narsese/sentence.hpp"

namespace engram::experiments {

/// Member "system" of a spec:
/// {"name": "ona", "command": ["NAR", "shell"], "recording": "recording.jsonl", "cycles": 100,
///  "more_cycles": 50, "settling": 1.0, "patience": 60.0}
struct SystemChoice {
  const bridge::NarsSystem* system = nullptr;  // "name"
  // Whether new questions can be asked. Otherwise only recorded answers are available.
  bool can_ask() const { return !command.empty() || system->embedded != nullptr; }

  std::vector<std::string> command;  // program and arguments, run without a shell; may be empty
  std::string recording;             // file of recorded exchanges, as written in the spec; may be empty
  std::uint64_t cycles = 100;        // inference cycles before the question; chosen by hand
  std::uint64_t more_cycles = 50;    // cycles after the question; chosen by hand
  double settling = 1;               // seconds instead of each count, for a system without cycle commands
  double patience = 60;              // timeout in seconds for one input
};

/// Reads the member "system" of a spec.
/// Errors  JsonError; SpecError for an unknown system, or if a system that needs a command or a recording has neither
SystemChoice read_system(SpecObject& object);

/// Comparison of an answer with the answer of the oracle, a system that gets only the needed statements.
enum class Verdict : std::uint8_t {
  answered,  // same term as the oracle, similar frequency, at least confident_share of its confidence
  weaker,    // same term and side of 1/2, but another frequency or too little confidence
  wrong,     // another term, or a frequency on the other side of 1/2
  none,      // no answer
};
/// Verdicts with their names in rows and tables.
inline constexpr std::array<core::NamedValue<Verdict>, 4> verdicts{{{Verdict::answered, "answered"},
                                                                    {Verdict::weaker, "weaker"},
                                                                    {Verdict::wrong, "wrong"},
                                                                    {Verdict::none, "none"}}};

/// Tolerances for Verdict::answered. Chosen so that a longer derivation of the same answer passes, but an answer with a
/// lost premise does not.
inline constexpr double confident_share = 0.95;
inline constexpr double frequency_tolerance = 0.05;

/// Compares an answer with the oracle's answer. Two answers are on the same side if their frequencies are both above,
/// both below or both equal to 1/2.
Verdict verdict_on(const std::optional<Answer>& answer, const Answer& oracle);

/// Whether an answer matches an expected one: the same term, and a frequency on the same side of 1/2.
bool is_expected(const Answer& answer, std::span<const narsese::Sentence> expected);

/// Score of an answer with frequency f and confidence c: its expectation c (f - 1/2) + 1/2, or 1/2 without an answer.
/// Use scores and true labels for the area under the curve (experiments/statistics/ranking_measures.hpp).
double support(const std::optional<Answer>& answer);

/// Error: the recording lacks a question, and no command to ask it is configured.
struct NotRecorded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Outcome of a question.
struct Asked {
  Exchange exchange;            // input and output of the system, in its wording
  std::vector<Answer> answers;  // answers with the names of the caller; terms as narsese::print writes them
  std::optional<Answer> best;   // the best of `answers` (see best_answer)
  std::vector<std::string> refused;  // sentences that were not sent, each as "SENTENCE: reason"
  std::optional<double> seconds;     // duration; empty if the answer was recorded or nothing was asked
};

/// Selects the best answer by NAL's choice rule. For an `open` question (with query variables), returns the answer with
/// the highest expectation. Otherwise all answers have the same term, and the one with the highest confidence wins. The
/// first one wins ties. If each answer of a system improves on the last (NarsSystem::answers_improve), use the last one
/// instead.
std::optional<Answer> best_answer(const std::vector<Answer>& answers, bool open);

/// Asks questions of a NARS, or looks them up in a recording. All member functions are thread-safe.
class Reasoner {
 public:
  /// The recording must outlive the reasoner.
  Reasoner(SystemChoice choice, Recording& recording) : choice_(std::move(choice)), recording_(recording) {}

  /// Sends the statements to an empty system, lets it reason for `cycles`, asks the question, and lets it reason for
  /// `more_cycles`. A system that answers only from what it knows at that moment (NarsSystem::answers_at_once) is then
  /// asked again. Names that the system does not support are replaced one to one, and restored in the answers. A
  /// recorded question is not asked again, unless the system failed and a command is configured. New exchanges are
  /// added to the recording.
  ///
  /// Statements are sent in the order given, but those with variables last. Measured: ONA then derives 175 of 180
  /// generated chains from their needed statements alone, otherwise about 26 of 30. Every question gets a new process,
  /// because ONA's answers after *reset depend on its earlier knowledge (measured: 2 of 20 truth values differ). If the
  /// process ends, hangs or floods, only this question fails (Exchange::failure). If the dialect cannot express the
  /// question, it is not asked and `refused` has the reason.
  /// Errors  NotRecorded with the key; bridge::CannotStart; core::WorkStopped soon after the enclosing work is
  ///         cancelled
  Asked ask(std::span<const narsese::Sentence> statements, const narsese::Sentence& question) const;

  const SystemChoice& choice() const { return choice_; }

 private:
  void carry_out(Exchange& exchange) const;

  SystemChoice choice_;
  Recording& recording_;
};

}  // namespace engram::experiments
