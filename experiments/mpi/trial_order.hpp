// SPDX-License-Identifier: MIT
// A run's trials as rank 0 asks the others for them: all that a rank needs to carry them out.
#pragma once

#include <filesystem>

#include "experiments/runs/crew.hpp"

namespace engram::experiments::mpi {

inline constexpr const char* trials_kind = "trials";

/// As JSON it says what a TrialJob does, and where the inputs lie.
Json order_of(const TrialJob& job);

/// Files as they are here: what differs from the order's manifest, "the input a.nal: /data/a.nal has SHA-256 ..,
/// it must be ..", or an empty text.  Errors  InputError for a file that cannot be read; Json::exception
std::string difference_of_inputs(const Json& order);

/// The spec of the order, its inputs where they lie.  Errors  SpecError; Json::exception
Spec spec_of(const Json& order);

}  // namespace engram::experiments::mpi
