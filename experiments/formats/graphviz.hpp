// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace engram::experiments {

/// Draws the script NAME.dot of a folder as NAME.svg. Does nothing if Graphviz is not installed; the script stays.
/// Returns  the reason of a failure, or nothing
/// Errors   as draw() (outside_program.hpp)
std::optional<std::string> run_graphviz(const std::filesystem::path& folder, const std::string& name);

}  // namespace engram::experiments
