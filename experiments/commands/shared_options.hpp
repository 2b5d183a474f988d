// SPDX-License-Identifier: MIT
// Options that several commands share: limits of the memory, forgetting, methods with their settings, a durable memory,
// and a web page.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/durable/durable_memory.hpp"
#include "bridge/models/model.hpp"
#include "bridge/transport/server.hpp"
#include "core/budgets/forgetting.hpp"
#include "core/methods/method.hpp"
#include "experiments/commands/command_line.hpp"

namespace engram::experiments {

/// Adds --memory: the limit on the bytes of `what`, which is a phrase for the help text.
void add_memory_option(CLI::App* command, std::size_t& bytes, const std::string& what);
/// Adds --memory, --max-concepts, --max-hebbian-links and --max-statements. Specs set the same limits by members
/// such as max_concepts (experiments/spec/spec_reader.hpp).
void add_memory_limits(CLI::App* command, core::MemoryLimits& limits, const std::string& what);

/// Adds --jobs: the number of concurrent trials.
void add_jobs(CLI::App* command, unsigned& jobs);

/// Argument of --forget: the name of a policy of core/budgets/forgetting.hpp.
struct ForgetArgument {
  std::string policy{name_of(core::forgetting_policies, core::ForgettingOptions{}.policy)};

  core::ForgettingOptions options() const {
    return {.policy = *value_named(core::forgetting_policies, policy)};
  }
};
void add_forget(CLI::App* command, ForgetArgument& argument);

/// Arguments of --model and --set. The settings are name=value, or METHOD.name=value if the command runs several
/// methods.
struct MethodSettings {
  std::vector<std::string> models, options;
};
/// Adds --model FILE: a model that `engram train` has written.
void add_model(CLI::App* command, std::vector<std::string>& models);
/// Adds --model and --set.
void add_method_settings(CLI::App* command, MethodSettings& settings);
/// Adds --method with the help text `what`, --model and --set. `method` may also be a list.
template <class Method>
void add_method(CLI::App* command, Method& method, const std::string& what, MethodSettings& settings) {
  CLI::Option* option = add_option(command, "--method", method, what + ", see `engram methods`", is_method);
  if constexpr (!std::same_as<Method, std::string>) is_repeated(*option);
  add_method_settings(command, settings);
}

/// Reads models from their files.  Errors  InputError
std::vector<bridge::Model> read_models(const std::vector<std::string>& files);
/// Configures each of these methods with its model (--model) and its settings (--set), which take precedence. A
/// setting whose value parses as a number is a number, otherwise a text.
/// Errors  InputError for an unusable model, a model or a setting of another method, a setting that is not name=value,
///         or options that the method rejects (core::OptionError)
std::map<std::string, core::ConfiguredMethod> configured_methods(const std::vector<std::string>& methods,
                                                                 const MethodSettings& settings);
/// Configures one method.  Errors  as configured_methods()
core::ConfiguredMethod configured_method(const std::string& method, const MethodSettings& settings);

/// Arguments of --durable and --compact-at: a folder that stores the memory of a session.
struct DurableArguments {
  std::string folder;  // empty: the memory is not stored
  std::uint64_t least_journal_bytes = bridge::DurableOptions{}.least_journal_bytes;
};
void add_durable(CLI::App* command, DurableArguments& arguments);
/// Opens the folder of a durable memory, or returns null if no folder is given. Messages go to standard error. `lost`
/// is called once if the memory can no longer be stored.
/// Errors  as bridge::DurableMemory
std::shared_ptr<bridge::DurableMemory> durable_memory(const DurableArguments& arguments,
                                                      const std::function<void()>& lost = {});

/// Adds --page, the port of a web page. `what` is its help text: what the page shows, and for how long.
CLI::Option* add_page(CLI::App* command, std::optional<std::uint16_t>& port, const std::string& what);
/// Adds --token, the secret that visitors of the page need.
void add_token(CLI::App* command, std::string& token);
/// The address of a server, as URLs contain it: 127.0.0.1:8000, [::1]:8000.
std::string place_of(const bridge::Server& server, const bridge::ServerOptions& options);
/// Prints the URL of the page on standard error, without the token.
void tell_page(const bridge::Server& server, const bridge::ServerOptions& options);

}  // namespace engram::experiments
