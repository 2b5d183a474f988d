// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "experiments/output.hpp"
#include "experiments/spec.hpp"

namespace engram::experiments {

/// One page with everything in it: no network, no scripts, light and dark, narrow and wide screens. Plots
/// are taken from the folder.
std::string report_html(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion);

}  // namespace engram::experiments
