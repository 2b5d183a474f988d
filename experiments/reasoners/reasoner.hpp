// SPDX-License-Identifier: MIT
// A NARS that is asked one question after the other, and knows for each what it is told for it alone.
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

/// A question that the recording lacks, and no command to ask it by.
struct NotRecorded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What came of a question.
struct Asked {
  Exchange exchange;            // as the system was told and answered it
  std::vector<Answer> answers;  // the same, under the names of who asked; terms as narsese::print has them
  std::optional<Answer> best;   // of these: see best_answer
  std::vector<std::string>
      refused;  // what was not told or asked, each "STATEMENT: why the system does not take it"
  std::optional<double> seconds;  // it took; none where it was recorded, or was not asked
};

/// Of a system whose answers do not improve (bridge::NarsSystem). By NAL's choice: of answers to a question with query variables the one of highest expectation, of others,
/// which say the same thing, that of highest confidence; of equals the first.
std::optional<Answer> best_answer(const std::vector<Answer>& answers, bool open);

/// Members may be called from several threads at once.
class Reasoner {
 public:
  /// The recording outlives it.
  Reasoner(SystemChoice choice, Recording& recording) : choice_(std::move(choice)), recording_(recording) {}

  /// Tells a system that knows nothing the statements, lets it reason for `cycles`, asks, lets it reason for
  /// `more_cycles`, and asks again. Names that the system does not hold are replaced one to one, and named
  /// back in the answers. What is recorded is not asked again, but where the system failed and there is a
  /// command; what is asked is recorded.
  /// Order    as given, but what has variables comes last: measured, ONA then draws 175 of 180 generated
  ///          chains from their needed statements alone, and else some 26 of 30
  /// Each question has a process of its own: what ONA answers after *reset depends on what it knew before
  /// (measured: 2 of 20 other truth values). One that ends, hangs or floods has failed at this question alone
  /// (Exchange::failure). A question that the dialect has no words for is not asked: `refused` says why.
  /// Errors  NotRecorded with the key; bridge::CannotStart; core::WorkStopped soon after the work that this
  ///         is part of is to end
  Asked ask(std::span<const narsese::Sentence> statements, const narsese::Sentence& question) const;

  const SystemChoice& choice() const { return choice_; }

 private:
  void carry_out(Exchange& exchange) const;

  SystemChoice choice_;
  Recording& recording_;
};

}  // namespace engram::experiments
