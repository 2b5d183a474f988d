// SPDX-License-Identifier: MIT
// Locations of the inputs of a run, for repeating it or running parts elsewhere.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// List of {"name": as in the spec, "path": absolute} for all files that the spec reads.
Json located_inputs(const Spec& spec);

/// Folders of these inputs for resolve_spec(): their paths without their names.
/// Errors  Json::exception for a malformed list
std::vector<std::filesystem::path> folders_of_inputs(const Json& located);

}  // namespace engram::experiments
