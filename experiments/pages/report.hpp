// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// A page with its style within: no network, light and dark, narrow and wide screens, print. A short script
/// of its own makes tables sortable; without it they are plain tables.
std::string page_html(const std::string& title, const std::string& body);

/// One page with everything in it but the pages of single cues. Plots are taken from the folder.
std::string report_html(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion);

}  // namespace engram::experiments
