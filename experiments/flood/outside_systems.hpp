// SPDX-License-Identifier: MIT
// Another NARS for comparison with the built-in reasoner. It gets all statements, the best ones through a gate, or only
// a known proof.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/answering/live_answers.hpp"
#include "experiments/flood/flood.hpp"

namespace engram::experiments::flood {

/// Asks the outside NARS.
class OutsideSystem {
 public:
  /// Starts with the options' system and recording.  Errors  as LiveAnswers
  explicit OutsideSystem(const answering::AnsweringOptions& options)
      : name_(options.system->system->name), live_(*options.system, options.recording) {}

  /// Asks a question and records in the row of the arm whether the answer is as expected. Adds the row if it does not
  /// exist. A failure or timeout counts as no answer. Does nothing for more than most_told statements.
  void ask(const std::string& arm, const QuestionSet& set, const AskedQuestion& question,
           const std::vector<core::StatementId>& told, std::vector<Json>& rows);

 private:
  std::string name_;
  answering::LiveAnswers live_;
};

/// Adds a table of its answers by set and arm. Does nothing if no row has them.
void add_outside_systems(const std::vector<Json>& rows, Conclusion& conclusion);

inline const std::string outside_part = "outside";

}  // namespace engram::experiments::flood
