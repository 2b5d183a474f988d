// SPDX-License-Identifier: MIT
// Results of a run of contests: printed, as JSON, and as a page. A run can be compared with an earlier run.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/benchmarks/contest.hpp"

namespace engram::benchmarks {

/// Measures contests one after the other, and prints the results of each contest when it ends.
class Scoreboard {
 public:
  /// Every contest has `repeats` rounds. `before` is json() of an earlier run for comparison, or null.
  Scoreboard(std::size_t repeats, nlohmann::json before);

  /// Measures a contest and adds its times to json() and markdown().
  /// Errors  ContestError if the checksum of a contestant changes between rounds
  void hold(Contest& contest);
  /// The times of every round of every contestant, grouped by contest.
  const nlohmann::json& json() const { return json_; }
  /// A Markdown page. It has a section for each suite, with a table of Engram's contestants.
  std::string markdown() const;

 private:
  struct Comparison {
    std::string to_limit, to_others;  // texts of two table cells
  };
  Comparison comparison_of(const Contest& contest, const Contestant& one) const;
  void print(const Contest& contest) const;
  std::string change_since(const Contest& contest, const Contestant& contestant) const;

  std::size_t repeats_;
  std::vector<std::pair<std::string, std::string>> tables_;  // (name of a suite, rows of its Markdown table)
  nlohmann::json json_, before_;
};

/// Reads a file with the result of Scoreboard::json().  Errors  std::invalid_argument for other files
nlohmann::json read_scores(const std::filesystem::path& file);

}  // namespace engram::benchmarks
