// SPDX-License-Identifier: MIT
// Options of methods as the command line sets them: --set beta=16, of one of several --set attention.beta=16.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/methods/method.hpp"

namespace engram::experiments {

/// What is said of methods: --model and --set, which may be repeated.
struct MethodSettings {
  std::vector<std::string> models, options;
};
/// --model FILE: what `engram train` has written.
void add_model(CLI::App* command, std::vector<std::string>& models);
void add_method_settings(CLI::App* command, MethodSettings& settings);

/// Errors  InputError
std::vector<bridge::Model> read_models(const std::vector<std::string>& files);

/// The options of each of these methods, complete: those that are set, those of models, defaults. A value that is a number is one, else it is a text.
/// Errors  InputError that says which file is no model, or one of another method, which setting is no name=value, names none or another of the methods, or what a
///         method has to say of its options (core::OptionError)
std::map<std::string, core::Options> options_of_methods(const std::vector<std::string>& methods,
                                                        const MethodSettings& settings);

}  // namespace engram::experiments
