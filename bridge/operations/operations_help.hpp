// SPDX-License-Identifier: MIT
// Help on the operations of the protocol, for command lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace engram::bridge {

/// The names of the operations.
std::vector<std::string> operation_names();

/// The operations with their fields, one line for each form. Optional fields are in brackets.
std::string operations_help();

/// A description of one operation: each field with its limits and default, and an example. Empty for an unknown name.
std::string operation_help(std::string_view name);

}  // namespace engram::bridge
