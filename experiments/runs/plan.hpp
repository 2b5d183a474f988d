// SPDX-License-Identifier: MIT
// What a run would do, before it does it.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// What some trials took here and now: the first one, and where it took less than a second also the middle
/// and the last one, since trials differ. Nothing is written.
struct MeasuredCost {
  std::size_t trials = 0;    // of the experiment
  std::size_t measured = 0;  // of them
  double seconds = 0;        // a trial takes, their mean
};
/// Errors  those of run()
MeasuredCost measure_cost(const Spec& spec);

/// "about 40 s", "about 3 min", of all trials when `jobs` are done at a time.
std::string estimate(const MeasuredCost& cost, std::size_t runs, unsigned jobs);

/// For people: inputs with where they were found, and files that would be written to `out`.
std::string plan_text(const Spec& spec, const std::filesystem::path& out);

}  // namespace engram::experiments
