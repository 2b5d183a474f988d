// SPDX-License-Identifier: MIT
#include "experiments/commands/shared_options.hpp"

#include <algorithm>
#include <iostream>

#include "core/methods/method.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

void add_memory_option(CLI::App* command, std::size_t& bytes, const std::string& what) {
  const std::string shown = " (default: " + std::to_string(bytes >> 30) + "G)";
  CLI::Option* option =
      command->add_option("--memory", bytes, "most bytes for " + what + ", such as 500M or 2G" + shown);
  option->check(in_range(std::int64_t{1} << 20, std::int64_t{1} << 48));
  is_bytes(*option);
}

void add_memory_limits(CLI::App* command, core::MemoryLimits& limits, const std::string& what) {
  add_memory_option(command, limits.max_bytes, what);
  const auto add = [&](const char* name, std::size_t& limit, const std::string& of) {
    add_option(command, name, limit, "most " + of + " in the memory, even if bytes are left",
               in_range(std::size_t{1}, most_in_memory), TypeName{"N"});
  };
  add("--max-concepts", limits.max_concepts, "concepts");
  add("--max-hebbian-links", limits.max_hebbian_links, "Hebbian links");
  add("--max-statements", limits.max_statements, "statements");
}

void add_jobs(CLI::App* command, unsigned& jobs) {
  add_option(command, "--jobs", jobs, "number of concurrent trials, which does not change the results",
             in_range(1, 1024));
}

void add_forget(CLI::App* command, ForgetArgument& argument) {
  add_option(
      command, "--forget", argument.policy,
      "policy that selects the statements to forget when the memory is full. A policy also forgets\n"
      "statements whose evidence has decayed, and needs half of the bytes for its work. With none, a full\n"
      "memory rejects new statements",
      one_of(names_in(core::forgetting_policies)));
}

namespace {

struct Setting {
  std::string method, option;
  core::OptionValue value;
};

Setting read_setting(const std::string& text, const std::vector<std::string>& methods) {
  const std::string what = "--set '" + text + "': ";
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) throw InputError(what + "must be name=value");
  const std::string name = text.substr(0, equals), written = text.substr(equals + 1);
  const Json number = json_in(written).value_or(Json());
  const auto value =
      number.is_number() ? core::OptionValue(number.get<double>()) : core::OptionValue(written);
  const std::size_t point = name.find('.');
  if (point != std::string::npos) {
    const std::string method = name.substr(0, point);
    if (std::ranges::find(methods, method) == methods.end())
      throw InputError(what + unknown_name(method, methods));
    return {method, name.substr(point + 1), value};
  }
  if (std::ranges::any_of(methods, [&](const std::string& method) { return method != methods.front(); }))
    throw InputError(what + "of which method? Such as " + methods.front() + '.' + text);
  return {methods.front(), name, value};
}

}  // namespace

void add_model(CLI::App* command, std::vector<std::string>& models) {
  add_option(command, "--model", models, "learnt options of a method, a file that `engram train` wrote",
             is_file, is_repeated);
}

void add_method_settings(CLI::App* command, MethodSettings& settings) {
  add_model(command, settings.models);
  add_option(command, "--set", settings.options,
             "value of an option of the method, such as beta=16, or attention.beta=16 if there are several\n"
             "methods",
             is_repeated);
}

std::vector<bridge::Model> read_models(const std::vector<std::string>& files) {
  std::vector<bridge::Model> models;
  for (const std::string& file : files) try {
      models.push_back(bridge::read_model(file));
    } catch (const bridge::ModelError& error) {
      throw InputError(std::string("--model: ") + error.what());
    } catch (const std::system_error& error) {
      throw InputError(std::string("--model: ") + error.what());
    }
  return models;
}

std::map<std::string, core::ConfiguredMethod> configured_methods(const std::vector<std::string>& methods,
                                                                 const MethodSettings& settings) {
  std::map<std::string, core::Options> given;
  for (const std::string& method : methods) given[method];
  for (const bridge::Model& model : read_models(settings.models)) {
    if (!given.contains(model.method))
      throw InputError("--model: is of the method " + model.method + "; say --method " + model.method);
    given[model.method] = model.options;
  }
  for (const std::string& text : settings.options) {
    const Setting setting = read_setting(text, methods);
    given[setting.method][setting.option] = setting.value;
  }
  std::map<std::string, core::ConfiguredMethod> configured;
  for (const auto& [method, options] : given) try {
      configured.emplace(method, core::ConfiguredMethod(method, options));
    } catch (const core::OptionError& error) {
      throw InputError(std::string("--set: ") + error.what());
    }
  return configured;
}

core::ConfiguredMethod configured_method(const std::string& method, const MethodSettings& settings) {
  return configured_methods({method}, settings).at(method);
}

void add_durable(CLI::App* command, DurableArguments& arguments) {
  CLI::Option* folder = add_option(
      command, "--durable", arguments.folder,
      "folder that stores the memory; created if it does not exist. Acknowledged input is on the\n"
      "disk, so the next session has it, even after a crash. A stored memory keeps its decay and its\n"
      "learning rule",
      is_folder);
  CLI::Option* size = command->add_option(
      "--compact-at", arguments.least_journal_bytes,
      "write a new snapshot of the durable memory in the background when its journal exceeds this size and\n"
      "half the size of the last snapshot (default: " +
          std::to_string(arguments.least_journal_bytes >> 20) + "M)");
  is_bytes(*size);
  size->needs(folder);
}

std::shared_ptr<bridge::DurableMemory> durable_memory(const DurableArguments& arguments,
                                                      const std::function<void()>& lost) {
  if (arguments.folder.empty()) return nullptr;
  bridge::DurableOptions options{.least_journal_bytes = arguments.least_journal_bytes};
  options.tell = [](const std::string& text) { std::cerr << "engram: " + text + "\n"; };
  options.lost = [lost](const std::string& why) {
    std::cerr << "engram: error: the memory can no longer be stored: " + why + "\n";
    if (lost) lost();
  };
  return std::make_shared<bridge::DurableMemory>(arguments.folder, options);
}

CLI::Option* add_page(CLI::App* command, std::optional<std::uint16_t>& port, const std::string& what) {
  return add_option(command, "--page", port, what, is_port);
}

void add_token(CLI::App* command, std::string& token) {
  add_option(command, "--token", token,
             "secret that websockets and browsers must send; better set it as ENGRAM_TOKEN, because other\n"
             "users can see command lines",
             is_not_empty)
      ->envname("ENGRAM_TOKEN");
}

std::string place_of(const bridge::Server& server, const bridge::ServerOptions& options) {
  const bool is_ipv6 = options.address.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + options.address + "]" : options.address) + ":" +
         std::to_string(server.websocket_port());
}

void tell_page(const bridge::Server& server, const bridge::ServerOptions& options) {
  std::cerr << "engram: page: http://" << place_of(server, options) << '/'
            << (options.token.empty() ? "" : "?token=... (the token)") << std::endl;
}

}  // namespace engram::experiments
