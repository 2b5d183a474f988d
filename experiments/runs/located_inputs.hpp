// SPDX-License-Identifier: MIT
// Where a run found its inputs, so that it can be done again, or elsewhere at the same time.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// A list of {"name": as the spec says it, "path": in full}, of all files that the spec reads.
Json located_inputs(const Spec& spec);

/// The folders that they were in, for resolve_spec(): their paths without their names.
/// Errors  Json::exception for what is no such list
std::vector<std::filesystem::path> folders_of_inputs(const Json& located);

}  // namespace engram::experiments
