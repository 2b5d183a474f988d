// SPDX-License-Identifier: MIT
// Results of all contests of a run as a table and as JSON, compared with an earlier run.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/benchmarks/contest.hpp"

namespace engram::benchmarks {

/// Measures contests one after the other, and prints the results of each at its end.
class Scoreboard {
 public:
  /// `before`  json() of an earlier run for comparison, or null
  Scoreboard(std::size_t repeats, nlohmann::json before);

  /// Runs a contest.  Errors  ContestError if the checksum of a contestant changes between rounds
  void hold(Contest& contest);
  /// All rounds of all contestants.
  const nlohmann::json& json() const { return json_; }
  /// A Markdown page: a section for each suite with a table of Engram's contestants.
  std::string markdown() const;

 private:
  /// The table cells of a contestant.
  struct Cells {
    std::string limit, others;
  };
  Cells cells_of(const Contest& contest, const Contestant& one) const;
  void print(const Contest& contest) const;
  std::string change_since(const Contest& contest, const Contestant& contestant) const;

  std::size_t repeats_;
  std::vector<std::pair<std::string, std::string>> tables_;  // rows of the table of each suite
  nlohmann::json json_, before_;
};

/// A contestant returned a wrong result.
struct ContestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Checks that two results are equal.  Errors  ContestError if their difference exceeds `allowed`
void require_same(const Contestant& a, const Contestant& b, double allowed = 0);
/// The contestant of this name.  Errors  std::out_of_range
const Contestant& named(const Contest& contest, std::string_view name);

/// Reads a file with the result of Scoreboard::json().  Errors  std::invalid_argument for other files
nlohmann::json read_scores(const std::filesystem::path& file);

}  // namespace engram::benchmarks
