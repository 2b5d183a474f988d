// SPDX-License-Identifier: MIT
// Orders: jobs as JSON that rank 0 sends to other ranks. An order contains everything that a rank needs: for the trials
// of a run, or for whole cells of a sweep.
#pragma once

#include <deque>
#include <filesystem>
#include <vector>

#include "experiments/runs/crew.hpp"
#include "experiments/runs/run.hpp"

namespace engram::experiments::mpi {

inline constexpr const char* trials_kind = "trials";
inline constexpr const char* cells_kind = "cells";

/// Creates an order for the trials of a run, with the paths of its inputs.
Json order_of(const TrialJob& job);

/// The spec of an order for trials, with the paths of its inputs.  Errors  SpecError; Json::exception
Spec spec_of(const Json& order);

/// Creates an order for cells, with the run of each cell, and the paths and digests of all inputs.
Json order_of(const std::vector<CellJob>& cells, const std::filesystem::path& sweep);

/// The cells of an order.
struct OrderedCells {
  std::deque<Spec> specs;
  std::vector<CellJob> jobs;  // one for each spec
};
/// Parses an order for cells.  Errors  SpecError, for example if this rank cannot read the file of the sweep;
/// Json::exception
OrderedCells cells_of(const Json& order);

/// Compares the input files of this rank with the digests in an order. Returns an empty text or the first difference,
/// such as "the input a.nal: /data/a.nal has SHA-256 .., and must have .. as on rank 0".
/// Errors  InputError for a file that cannot be read; Json::exception
std::string difference_of_inputs(const Json& order);

/// Runs a cell and returns its report in the form of a trial result.
TrialResult result_of(const CellJob& cell);

}  // namespace engram::experiments::mpi
