// SPDX-License-Identifier: MIT
// Cells of a sweep as JSON orders, which rank 0 sends to other ranks.
#pragma once

#include <deque>
#include <filesystem>
#include <vector>

#include "experiments/runs/crew.hpp"
#include "experiments/runs/run.hpp"

namespace engram::experiments::mpi {

inline constexpr const char* cells_kind = "cells";

/// Creates an order with the run of each cell, the paths of its inputs, and their digests. difference_of_inputs() of
/// trial_order.hpp compares them.
Json order_of(const std::vector<CellJob>& cells, const std::filesystem::path& sweep);

/// The cells of an order.
struct OrderedCells {
  std::deque<Spec> specs;
  std::vector<CellJob> jobs;  // one for each spec
};
/// Parses an order.  Errors  SpecError, for example if this rank cannot read the file of the sweep; Json::exception
OrderedCells cells_of(const Json& order);

/// Runs a cell and returns its report as the result of a trial.
TrialResult result_of(const CellJob& cell);

}  // namespace engram::experiments::mpi
