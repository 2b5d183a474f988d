// SPDX-License-Identifier: MIT
// Rows of `priming` as its conclusion reads them.
#pragma once

#include <string>
#include <vector>

#include "experiments/reports/output.hpp"
#include "experiments/reports/statistics.hpp"
#include "experiments/runs/spec.hpp"

namespace engram::experiments {

/// A file, or a kind of generated knowledge, with its rows in the order of the seeds.
struct PrimingSet {
  std::string label;
  bool generated = false, ablation = false;
  std::vector<std::string> capacities;  // names of measures: "kept 12"
  std::vector<const Json*> rows;
};

/// All that there is, in the order of the rows.
std::vector<PrimingSet> priming_sets(const Spec& spec, const std::vector<Json>& rows);

/// One value a unit of resampling, in the same order for every method: of generated sets the mean over a
/// seed's questions, as sets of different seeds are independent; of a file each of its questions. None where
/// the method was not run, or nothing was measured.
std::vector<double> priming_values(const PrimingSet& set, const std::string& method,
                                   const std::string& measure);

/// What each change of an ablation is worth: kept on the sets that say so, and the difference to what was
/// changed and to the best configuration of all, seed by seed. Nothing where the spec names no ablation.
void add_ablation(const Spec& spec, const std::vector<PrimingSet>& sets, Conclusion& conclusion);

/// What an ablation's rows call the method: its label may be that of a method of the spec as well.
inline std::string configuration_name(const std::string& label) { return "configuration " + label; }

}  // namespace engram::experiments
