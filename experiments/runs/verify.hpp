// SPDX-License-Identifier: MIT
// Verification of a run: are its files unchanged, and does a repetition give the same results?
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

enum class RunVerdict {
  identical,  // identical bytes
  same_ranks,  // different bytes, but equal texts and whole numbers, and in each trial the same order of rows by
               // every measure
  different,  // anything else
  altered     // an input, or a file of the folder, has changed since the run
};

struct Verification {
  RunVerdict verdict = RunVerdict::identical;
  std::string message;             // text for the user: the first difference and its place
  std::vector<std::string> notes;  // for example that the builds differ
};

/// Checks the digests of the inputs and of the files in the folder. Then runs the spec again in a temporary folder and
/// compares the files byte by byte. `base` is the folder of the inputs; if empty, they are searched where the run read
/// them, as recorded in timings.jsonl.
/// Errors   SpecError if the folder has no finished run; otherwise as run()
Verification verify(const std::filesystem::path& folder, const std::filesystem::path& base, unsigned jobs);

/// Compares rows of results: identical, same_ranks or different.
RunVerdict compare_rows(const std::vector<Json>& before, const std::vector<Json>& now);

}  // namespace engram::experiments
