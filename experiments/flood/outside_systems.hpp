// SPDX-License-Identifier: MIT
// Beside the reasoner in this program another NARS: it is told everything, the best through a gate, or a known proof alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/answering/live_answers.hpp"
#include "experiments/flood/flood.hpp"

namespace engram::experiments::flood {

/// Asks it.
class OutsideSystem {
 public:
  /// Errors  as LiveAnswers
  explicit OutsideSystem(const answering::AnsweringOptions& options)
      : name_(options.system->system->name), live_(*options.system, options.recording) {}

  /// Adds whether it answers as expected to the arm's row, the last where there is none. Who fails at a question or is not
  /// done in time has not answered. Of more than most_told statements it is not asked.
  void ask(const std::string& arm, const QuestionSet& set, const AskedQuestion& question,
           const std::vector<core::StatementId>& told, std::vector<Json>& rows);

 private:
  std::string name_;
  answering::LiveAnswers live_;
};

/// What it answers of each set in each arm. Nothing where the rows have none.
void add_outside_systems(const std::vector<Json>& rows, Conclusion& conclusion);

inline const std::string outside_part = "outside";

}  // namespace engram::experiments::flood
