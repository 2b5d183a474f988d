// SPDX-License-Identifier: MIT
// Comparison of two runs: differences between their specs and between their measures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

struct RunComparison {
  std::vector<std::string> differences;  // of specs, inputs and builds: "/path: A has ..., B has ..."
  Table table;                           // a row for each measure and method that both runs have
  std::vector<std::string> remarks;      // methods in only one run, unpaired units, and order correlations
  std::string answer;                    // one sentence, computed from the table
};

/// Compares two runs of the same experiment by its measures (Experiment::measures), separately for each setting.
/// Differences are B minus A, with 95 % bootstrap intervals, paired permutation tests, Holm's correction over the
/// table, and effect sizes.
/// Errors  SpecError with the folder if it is not a run, its results are truncated or not JSON, the experiments differ,
///         or nothing can be paired
RunComparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b);

/// Places where two JSON values differ, as JSON Pointers with both values. Objects are compared by member name.
std::vector<std::string> json_differences(const Json& a, const Json& b, const std::string& pointer = "");

}  // namespace engram::experiments
