// SPDX-License-Identifier: MIT
// The contract of specs, with what stands in the program alone: methods, and defaults.
#pragma once

#include <string>

#include "experiments/formats/json.hpp"

namespace engram::experiments {

/// The JSON Schema of specs: the one that comes along, which names no method and no default, with every
/// method, its options, and for each member of an experiment what a spec without it comes to.
Json spec_schema(const std::string& shipped);

}  // namespace engram::experiments
