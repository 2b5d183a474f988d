// SPDX-License-Identifier: MIT
// Options of methods on the command line: --set beta=16, or --set attention.beta=16 if the command runs several
// methods.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "bridge/models/model.hpp"
#include "core/methods/method.hpp"

namespace engram::experiments {

/// Arguments of --model and --set. Both may be repeated.
struct MethodSettings {
  std::vector<std::string> models, options;
};
/// Adds --model FILE: a model that `engram train` has written.
void add_model(CLI::App* command, std::vector<std::string>& models);
void add_method_settings(CLI::App* command, MethodSettings& settings);

/// Reads models from their files.  Errors  InputError
std::vector<bridge::Model> read_models(const std::vector<std::string>& files);

/// Configures each of these methods with its model (--model) and its settings (--set), which take precedence. A
/// setting whose value parses as a number is a number, otherwise a text.
/// Errors  InputError for an unusable model, a model or a setting of another method, a setting that is not name=value,
///         or options that the method rejects (core::OptionError)
std::map<std::string, core::ConfiguredMethod> configured_methods(const std::vector<std::string>& methods,
                                                                 const MethodSettings& settings);

}  // namespace engram::experiments
