// SPDX-License-Identifier: MIT
// The table of names that were changed, as comments of a .nal file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engram::experiments {

/// `name: ATOM is "SOURCE"`, a JSON string, each a comment without its sign; of a source of more than 900
/// bytes the rest follows in lines that say `is +`.
std::vector<std::string> name_lines(const std::string& atom, std::string_view source);

}  // namespace engram::experiments
