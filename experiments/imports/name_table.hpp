// SPDX-License-Identifier: MIT
// Table of renamed names, as comments of a .nal file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engram::experiments {

/// Comment lines of the form `name: ATOM is "SOURCE"`, with a JSON string and without the comment sign. A source of
/// more than 900 bytes continues in lines with `is +`.
std::vector<std::string> name_lines(const std::string& atom, std::string_view source);

}  // namespace engram::experiments
