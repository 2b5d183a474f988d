// SPDX-License-Identifier: MIT
// Two runs against each other: what differs between their specs, and between what they measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

struct RunComparison {
  std::vector<std::string> differences;  // of specs, inputs and builds, each "/path: A has ..., B has ..."
  Table table;                           // a row a measure and method that both runs have
  std::vector<std::string> remarks;      // methods of one run alone, units that have no partner, orders
  std::string answer;                    // one sentence worked out from the table
};

/// Compares runs of the same experiment by what it measures (Experiment::measures), each setting that its
/// tables keep apart by itself. Differences are B less A, with 95 % bootstrap interval, the paired permutation
/// test, its p by Holm's correction over the table, and effect sizes.
/// Errors  SpecError that names the folder: it is no run, its results are cut or no JSON, the experiments
///         differ, or nothing can be paired
RunComparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b);

/// Places where two values differ, as JSON Pointers with both values; objects are compared name by name.
std::vector<std::string> json_differences(const Json& a, const Json& b, const std::string& pointer = "");

}  // namespace engram::experiments
