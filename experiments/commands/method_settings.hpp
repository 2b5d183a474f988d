// SPDX-License-Identifier: MIT
// Options of methods as the command line sets them: --set beta=16, of one of several --set attention.beta=16.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/methods/method.hpp"

namespace engram::experiments {

/// --set, which may be repeated.
void add_method_settings(CLI::App* command, std::vector<std::string>& settings);

/// The options of each of these methods, complete. A value that is a number is one, else it is a text.
/// Errors  InputError that says which setting is no name=value, names none or another of the methods, or what a
///         method has to say of its options (core::OptionError)
std::map<std::string, core::Options> options_of_methods(const std::vector<std::string>& methods,
                                                        const std::vector<std::string>& settings);

}  // namespace engram::experiments
