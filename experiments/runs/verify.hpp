// SPDX-License-Identifier: MIT
// Whether a run still is what its folder says, and comes out the same when it is done again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

enum class RunVerdict {
  identical,   // bit for bit
  same_ranks,  // other bits, but every text and whole number the same, and in each trial the rows' order by
               // every measure
  different,   // anything else
  altered      // an input, or a file of the folder, is not the one that the run read or wrote
};

struct Verification {
  RunVerdict verdict = RunVerdict::identical;
  std::string message;             // for people: what differs first, and where
  std::vector<std::string> notes;  // for example that another build was used
};

/// Checks the digests of inputs and of the folder's files, carries the spec out again into a temporary
/// folder, and compares files byte by byte. `base`: the folder that the inputs' names are relative to; empty:
/// where they were when the run read them, as timings.jsonl says.
/// Errors   SpecError where the folder holds no finished run; otherwise those of run()
Verification verify(const std::filesystem::path& folder, const std::filesystem::path& base, unsigned jobs);

/// How rows of results compare: identical, same_ranks or different.
RunVerdict compare_rows(const std::vector<Json>& before, const std::vector<Json>& now);

}  // namespace engram::experiments
