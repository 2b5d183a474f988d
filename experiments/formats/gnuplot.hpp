// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace engram::experiments {

/// Whether gnuplot is installed.
bool has_gnuplot();

/// Runs the script NAME.gp in its folder, which writes NAME.svg and NAME.pdf. Does nothing if gnuplot is not installed;
/// the script can be run elsewhere.
/// Returns  the reason of a failure, or nothing
/// Errors   as draw() (outside_program.hpp)
std::optional<std::string> run_gnuplot(const std::filesystem::path& folder, const std::string& name);

}  // namespace engram::experiments
