// SPDX-License-Identifier: MIT
// Does a method give a whole proof as often as it says?
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "experiments/answering/answering.hpp"

namespace engram::experiments::answering {

/// What a method says of one question at one gate, and what came of it.
struct Promise {
  double promised = 0;  // how likely a whole proof is among the statements given
  bool kept = false;
};

/// How likely a recall that promises (core/retrieval/retriever.hpp) has it that a whole proof is among these.
/// Ranges  [0, 1]
double promised(const core::Vector& scores, std::span<const core::StatementId> given);

struct CalibrationBin {
  double from = 0, to = 1;
  std::size_t questions = 0;
  double promised = 0;  // in the mean
  Estimate kept;        // the share, with Wilson's interval
};

/// Borders of promises: narrow near 1, where those are that anybody asks for.
inline constexpr std::array<double, 7> promise_borders{0, 0.5, 0.8, 0.9, 0.95, 0.99, 1};

/// Bins that hold a promise, ascending; a promise that is a border belongs to the bin above it, 1 to the last.
std::vector<CalibrationBin> calibration_bins(const std::vector<Promise>& promises);

/// The expected calibration error, sum_b n_b / n |promised_b - kept_b|; 0 without bins.
/// Source  Naeini, Cooper and Hauskrecht 2015, "Obtaining Well Calibrated Probabilities Using Bayesian Binning"
double calibration_error(const std::vector<CalibrationBin>& bins);

/// Table "calibration_SET": of each method that promises, gate by gate. Without rows where none does.
Table calibration_table(const RowSet& set, const std::vector<std::string>& labels);

}  // namespace engram::experiments::answering
