// SPDX-License-Identifier: MIT
// Cells of a sweep as rank 0 asks the others for them.
#pragma once

#include <deque>
#include <filesystem>
#include <vector>

#include "experiments/runs/cell_report.hpp"
#include "experiments/runs/crew.hpp"

namespace engram::experiments::mpi {

inline constexpr const char* cells_kind = "cells";

/// As JSON: each cell's run, and where its inputs lie; the digests of all of these. (difference_of_inputs() of
/// trial_order.hpp compares them.)
Json order_of(const std::vector<CellJob>& cells, const std::filesystem::path& sweep);

/// The cells of an order.
struct OrderedCells {
  std::deque<Spec> specs;
  std::vector<CellJob> jobs;  // of these
};
/// Errors  SpecError, also where this rank does not see the file of the sweep; Json::exception
OrderedCells cells_of(const Json& order);

/// The report of a cell as the result of a trial.
TrialResult result_of(const CellJob& cell);

}  // namespace engram::experiments::mpi
