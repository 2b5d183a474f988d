// SPDX-License-Identifier: MIT
#include "experiments/spec/method_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bridge/json/core_json.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

// Writes whole numbers without a decimal point: 3, not 3.0.
Json number_json(double number) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (number == std::floor(number) && std::abs(number) < exact) return static_cast<std::int64_t>(number);
  return number;
}

Json option_schema(const core::Option& option) {
  Json schema = {{"description", option.meaning}};
  if (option.kind == core::OptionKind::text) {
    schema["type"] = "string";
  } else if (option.kind == core::OptionKind::choice) {
    schema["enum"] = option.choices;
  } else {
    schema["type"] = option.kind == core::OptionKind::whole ? "integer" : "number";
    schema["minimum"] = number_json(option.least);
    schema["maximum"] = number_json(option.most);
  }
  if (const double* number = std::get_if<double>(&option.default_value))
    schema["default"] = number_json(*number);
  else
    schema["default"] = std::get<std::string>(option.default_value);
  return schema;
}

}  // namespace

Json method_schema() {
  Json choices = Json::array();  // a name, or an object for one of the methods
  choices.push_back(Json::object());
  for (const core::Method& method : core::methods()) {
    choices.front()["enum"].push_back(method.name);
    Json options = Json::object();
    for (const core::Option& option : method.options) options[option.name] = option_schema(option);
    choices.push_back(
        {{"description", method.summary},
         {"type", "object"},
         {"required", {"method"}},
         {"additionalProperties", false},
         {"properties",
          {{"method", {{"const", method.name}}},
           {"label", {{"$ref", "#/$defs/label"}}},
           {"options", {{"type", "object"}, {"additionalProperties", false}, {"properties", options}}}}}});
  }
  choices.push_back({{"description", "a method as a model has it (engram train)"},
                     {"type", "object"},
                     {"required", {"model"}},
                     {"additionalProperties", false},
                     {"properties",
                      {{"model", {{"description", "the model's file"}, {"type", "string"}}},
                       {"method", choices.front()},
                       {"label", {{"$ref", "#/$defs/label"}}},
                       {"options", {{"description", "other than the model's"}, {"type", "object"}}}}}});
  return {{"oneOf", choices}};
}

core::ConfiguredMethod configured(const core::Method& method, const core::Options& given,
                                  const std::string& pointer) {
  try {
    return core::ConfiguredMethod(method, given);
  } catch (const core::OptionError& error) {
    throw SpecError(pointer + "/" + error.option, error.what());
  }
}

MethodChoice read_method(const JsonValue& entry) {
  const Json object = entry.json().is_string() ? Json{{"method", entry.json()}} : entry.json();
  SpecObject reader(JsonValue(object, entry.place()));
  const core::Method& method = bridge::method_in(reader["method"]);
  std::string label = reader.label(method.name);
  const core::Options options = bridge::options_in(reader["options"]);
  reader.refuse_others();
  return {std::move(label), configured(method, options, reader.at("options"))};
}

Json method_json(const MethodChoice& choice) {
  return {{"method", choice.method.name()},
          {"label", choice.label},
          {"options", bridge::options_json(choice.method.options())}};
}

std::vector<std::string> labels_of(const std::vector<MethodChoice>& methods) {
  std::vector<std::string> labels;
  for (const MethodChoice& choice : methods) labels.push_back(choice.label);
  return labels;
}

std::vector<MethodChoice> with_baselines(const std::vector<MethodChoice>& methods) {
  std::vector<MethodChoice> all = methods;
  for (const char* name : {"overlap", "frequency", "uniform"}) {
    const core::ConfiguredMethod baseline(name);
    if (std::ranges::find(all, baseline, &MethodChoice::method) != all.end()) continue;
    std::string label = name;  // made unique below, because another method may have this label
    while (std::ranges::find(all, label, &MethodChoice::label) != all.end()) label = "baseline " + label;
    all.push_back({label, baseline});
  }
  return all;
}

}  // namespace engram::experiments
