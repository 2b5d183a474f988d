// SPDX-License-Identifier: MIT
// What an OutcomeModel has learnt, by terms in place of numbers: to be kept and gone on from.
#pragma once

#include <string>
#include <vector>

namespace engram::core {

/// All of it, but for the options.
struct LearntOutcomes {
  static constexpr std::size_t most_events = 10'000;  // of a goal: those whose scores are furthest from 0

  /// Of one event, for a goal.
  struct Event {
    std::string term;
    double score = 0;                       // s_e
    std::vector<double> evidence, reached;  // n_ea and w_ea, by operation
  };
  /// Of one goal.
  struct Goal {
    std::string term;
    double nothing = 0;                     // s_0
    std::vector<double> evidence, reached;  // N_a and W_a
    std::vector<Event> events;
  };
  std::vector<Goal> goals;
};

}  // namespace engram::core
