// SPDX-License-Identifier: MIT
// Client for a NARS. Each question is asked of a fresh system that knows only the statements given with it.
//
//   Recording recording;
//   Reasoner ona(choice, recording);
//   const Asked asked = ona.ask(statements, question);
//   if (asked.best) ... asked.best->term, asked.best->truth
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bridge/attach/child_process.hpp"
#include "experiments/reasoners/recording.hpp"
#include "experiments/reasoners/system_choice.hpp"
#include "narsese/sentence.hpp"

namespace engram::experiments {

/// The recording lacks a question, and no command to ask it is configured.
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
  /// generated chains from their needed statements alone, otherwise about 26 of 30. Each question gets a new process,
  /// because ONA's answers after *reset depend on what it knew before (measured: 2 of 20 truth values differ). If the
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
