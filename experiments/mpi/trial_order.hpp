// SPDX-License-Identifier: MIT
// Trials of a run as a JSON order, which contains everything that another rank needs to run them.
#pragma once

#include <filesystem>

#include "experiments/runs/crew.hpp"

namespace engram::experiments::mpi {

inline constexpr const char* trials_kind = "trials";

/// Creates an order from a job, with the paths of the inputs.
Json order_of(const TrialJob& job);

/// Compares the files of this rank with the manifest of the order. Returns an empty text or the first difference, such
/// as "the input a.nal: /data/a.nal has SHA-256 .., it must be ..".
/// Errors  InputError for a file that cannot be read; Json::exception
std::string difference_of_inputs(const Json& order);

/// The spec of an order, with the paths of its inputs.  Errors  SpecError; Json::exception
Spec spec_of(const Json& order);

}  // namespace engram::experiments::mpi
