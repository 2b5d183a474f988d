// SPDX-License-Identifier: MIT
// All contests of a run as one table, as JSON, and beside an earlier run.
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

/// Measures contests one after the other, and prints each as soon as it is over.
class Scoreboard {
 public:
  /// `before`  what json() of an earlier run was, to compare with; null: nothing
  Scoreboard(std::size_t repeats, nlohmann::json before);

  /// Errors  ContestError where a contestant did not do the same each time
  void hold(Contest& contest);
  /// All rounds of all contestants.
  const nlohmann::json& json() const { return json_; }
  /// A Markdown page: a section for each suite with a table of Engram's contestants.
  std::string markdown() const;

 private:
  /// The texts of one contestant in a table.
  struct Cells {
    std::string limit, others;
  };
  Cells cells_of(const Contest& contest, const Contestant& one) const;
  void print(const Contest& contest) const;
  std::string change_since(const Contest& contest, const Contestant& contestant) const;

  std::size_t repeats_;
  std::vector<std::pair<std::string, std::string>> tables_;  // by suite, the rows of its table
  nlohmann::json json_, before_;
};

/// A contestant did something else than it should.
struct ContestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Errors  ContestError where two results are further apart than that
void require_same(const Contestant& a, const Contestant& b, double allowed = 0);
/// The one of this name.  Errors  std::out_of_range
const Contestant& named(const Contest& contest, std::string_view name);

/// What Scoreboard::json() wrote.  Errors  std::invalid_argument for anything else
nlohmann::json read_scores(const std::filesystem::path& file);

}  // namespace engram::benchmarks
