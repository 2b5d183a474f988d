// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace engram::experiments {

/// Whether gnuplot is installed.
bool has_gnuplot();

/// Runs a script in its folder. Does nothing where gnuplot is not installed: the script stays, to be run
/// elsewhere.  Errors  std::runtime_error if gnuplot fails
void run_gnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace engram::experiments
