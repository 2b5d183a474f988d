// SPDX-License-Identifier: MIT
// JSON Schema of specs, completed with the methods and defaults of this program.
#pragma once

#include <string>

#include "experiments/formats/files.hpp"

namespace engram::experiments {

/// Completes the shipped schema, which has no methods and no defaults. Adds all methods with their options, and the
/// default of each member of an experiment.
Json spec_schema(const std::string& shipped);

}  // namespace engram::experiments
