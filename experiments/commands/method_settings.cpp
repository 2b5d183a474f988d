// SPDX-License-Identifier: MIT
#include "experiments/commands/method_settings.hpp"

#include <algorithm>

#include "core/methods/method.hpp"
#include "experiments/commands/command_line.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {
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
  add_option(command, "--model", models,
             "options that were learnt, a file that `engram train` wrote; may be repeated")
      ->type_name(file_type)
      ->take_all()
      ->allow_extra_args(false);
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

void add_method_settings(CLI::App* command, MethodSettings& settings) {
  add_model(command, settings.models);
  add_option(command, "--set", settings.options,
             "an option of the method, such as beta=16; of one of several attention.beta=16; may be repeated "
             "(see `engram methods`)")
      ->take_all()
      ->allow_extra_args(false);
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

}  // namespace engram::experiments
