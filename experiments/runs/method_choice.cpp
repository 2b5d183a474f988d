// SPDX-License-Identifier: MIT
#include "experiments/runs/method_choice.hpp"

#include "experiments/runs/object_reader.hpp"

namespace engram::experiments {

core::Options read_options(const Json& given, const std::string& pointer) {
  if (!given.is_object()) throw SpecError(pointer, "expected an object");
  core::Options options;
  for (const auto& [option, value] : given.items()) {
    if (value.is_number())
      options[option] = value.get<double>();
    else if (value.is_string())
      options[option] = value.get<std::string>();
    else
      throw SpecError(pointer + "/" + option, "expected a number or a name, found " + value.dump());
  }
  return options;
}

core::Options completed(const core::Method& method, const core::Options& given, const std::string& pointer) {
  try {
    return core::complete_options(method, given);
  } catch (const core::OptionError& error) {
    throw SpecError(pointer + "/" + error.option, error.what());
  }
}

MethodChoice read_method(const Json& entry, const std::string& pointer) {
  const Json object = entry.is_string() ? Json{{"method", entry}} : entry;
  ObjectReader reader(object, pointer);
  std::vector<std::string> names;
  for (const core::Method& method : core::methods()) names.push_back(method.name);
  const std::string name = reader.choice("method", "", names);
  MethodChoice choice{name, core::find_method(name), {}};
  choice.label = reader.label(name);
  core::Options options;
  if (const Json* given = reader.find("options")) options = read_options(*given, reader.at("options"));
  reader.refuse_others();
  choice.options = completed(*choice.method, options, reader.at("options"));
  return choice;
}

Json method_json(const MethodChoice& choice) {
  Json options = Json::object();
  for (const auto& [name, value] : choice.options)
    std::visit([&, &key = name](const auto& x) { options[key] = x; }, value);
  return {{"method", choice.method->name}, {"label", choice.label}, {"options", options}};
}

}  // namespace engram::experiments
