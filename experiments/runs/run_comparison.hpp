// SPDX-License-Identifier: MIT
// Comparison of two runs, and verification that a run can be repeated.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// Result of compare_runs().
struct RunComparison {
  std::vector<std::string> differences;  // in specs, inputs and builds: "/path: A has ..., B has ..."
  Table table;                           // a row for each measure and method that both runs have
  std::vector<std::string> remarks;      // methods in only one run, unpaired units, and order correlations
  std::string answer;                    // summary of the table in one sentence
};

/// Compares two runs of one experiment by its measures (Experiment::measures), separately for each setting. The table
/// has differences B minus A with 95 % bootstrap intervals, paired permutation tests, Holm's correction over the table,
/// and effect sizes.
/// Errors  SpecError with the folder if it has no run, if its results are truncated or not JSON, if the experiments
///         differ, or if no measure can be paired
RunComparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b);

/// Places where two JSON values differ, as JSON Pointers with both values. Objects are compared by member name.
std::vector<std::string> json_differences(const Json& a, const Json& b, const std::string& pointer = "");

/// Outcome of a verification.
enum class RunVerdict {
  identical,  // identical bytes
  same_ranks,  // different bytes, but equal texts and whole numbers, and in each trial the same order of rows by
               // every measure
  different,  // anything else
  altered     // an input, or a file of the folder, has changed since the run
};

/// Result of verify().
struct Verification {
  RunVerdict verdict = RunVerdict::identical;
  std::string message;             // text for the user: the first difference and its place
  std::vector<std::string> notes;  // remarks for the user, for example that the builds differ
};

/// Verifies a run: checks the digests of the inputs and of the files in the folder. Then runs the spec again in a
/// temporary folder and compares the files byte by byte. `base` is the folder of the inputs. If `base` is empty, the
/// inputs must be at their original places, which timings.jsonl records.
/// Errors  SpecError without a finished run in the folder; those of run()
Verification verify(const std::filesystem::path& folder, const std::filesystem::path& base, unsigned jobs);

/// Compares rows of results: identical, same_ranks or different.
RunVerdict compare_rows(const std::vector<Json>& before, const std::vector<Json>& now);

}  // namespace engram::experiments
