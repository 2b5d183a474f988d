// SPDX-License-Identifier: MIT
// engram train, where the method is one of prediction's.
#pragma once

#include <string>

#include "experiments/runs/exit_code.hpp"
#include "experiments/spec/spec_file.hpp"

namespace engram::experiments {

/// Writes the model to `out`, or where it is interrupted, says how to go on.
/// `resuming`  the command that goes on with it
ExitCode train_prediction_model(const SpecSource& source, const std::string& out, bool resume,
                                const std::string& resuming);

}  // namespace engram::experiments
