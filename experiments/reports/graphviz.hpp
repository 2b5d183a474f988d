// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace engram::experiments {

/// Draws the script NAME.dot of a folder as NAME.svg and NAME.pdf. Does nothing where Graphviz is not
/// installed: the script stays.  Errors  std::runtime_error if it fails; std::system_error
void run_graphviz(const std::filesystem::path& folder, const std::string& name);

}  // namespace engram::experiments
