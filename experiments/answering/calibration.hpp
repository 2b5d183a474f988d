// SPDX-License-Identifier: MIT
// Calibration: comparison of the predicted probability that a selection contains a whole proof with the share of
// selections that do.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "experiments/answering/result_tables.hpp"

namespace engram::experiments::answering {

/// Prediction of a method for one question at one gate, and the outcome.
struct Promise {
  double promised = 0;  // predicted probability that the selection contains a whole proof
  bool kept = false;
};

/// Predicted probability that the `given` statements contain a whole proof: 1 minus the largest score of a statement
/// that was not selected. Only for recalls that make this promise (Recall::promises, core/methods/recall.hpp).
/// Ranges  [0, 1]
double promised(const core::Vector& scores, std::span<const core::StatementId> given);

struct CalibrationBin {
  double from = 0, to = 1;
  std::size_t questions = 0;
  double promised = 0;  // mean prediction
  Estimate kept;        // share of kept promises, with Wilson's interval
};

/// Borders between bins of predictions. Bins are narrow near 1, because high predictions matter most in practice.
inline constexpr std::array<double, 7> promise_borders{0, 0.5, 0.8, 0.9, 0.95, 0.99, 1};

/// Non-empty bins, ascending. A prediction equal to a border belongs to the bin above; 1 belongs to the last bin.
std::vector<CalibrationBin> calibration_bins(const std::vector<Promise>& promises);

/// Expected calibration error: sum_b n_b / n |promised_b - kept_b|; 0 without bins.
/// Source  Naeini, Cooper and Hauskrecht 2015, "Obtaining Well Calibrated Probabilities Using Bayesian Binning"
double calibration_error(const std::vector<CalibrationBin>& bins);

/// Table "calibration_SET": each method that makes predictions, at each gate. Empty if no method makes predictions.
Table calibration_table(const RowSet& set, const std::vector<std::string>& labels);

}  // namespace engram::experiments::answering
