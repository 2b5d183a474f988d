// SPDX-License-Identifier: MIT
// Preview of a run: estimated duration, inputs and outputs.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Measured duration of a few trials: the first, and if it took less than a second, also the middle and the last.
/// Writes nothing.
struct MeasuredCost {
  std::size_t trials = 0;    // trials of the experiment
  std::size_t measured = 0;  // trials measured
  double seconds = 0;        // mean duration of a trial
};
/// Measures the cost of a spec.  Errors  as run()
MeasuredCost measure_cost(const Spec& spec);

/// Estimated duration of `runs` runs with `jobs` concurrent trials: "about 40 s", "about 3 min".
std::string estimate(const MeasuredCost& cost, std::size_t runs, unsigned jobs);

/// Text for the user: inputs with their locations, and files that would be written to `out`.
std::string plan_text(const Spec& spec, const std::filesystem::path& out);

}  // namespace engram::experiments
