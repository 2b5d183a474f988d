// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace engram::experiments {

/// Whether gnuplot is installed.
bool has_gnuplot();

/// Runs the script NAME.gp in its folder, which writes NAME.svg and NAME.pdf, and takes from the PDF what
/// differs from run to run. Does nothing where gnuplot is not installed: the script stays, to be run
/// elsewhere.  Errors  std::runtime_error if gnuplot fails; std::system_error
void run_gnuplot(const std::filesystem::path& folder, const std::string& name);

}  // namespace engram::experiments
