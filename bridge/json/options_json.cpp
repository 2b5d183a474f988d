// SPDX-License-Identifier: MIT
#include "bridge/json/options_json.hpp"

namespace engram::bridge {

const core::Method& method_in(const JsonValue& name) {
  const auto* given = name ? name.json().get_ptr<const std::string*>() : nullptr;
  if (const core::Method* method = given != nullptr ? core::find_method(*given) : nullptr) return *method;
  return name.choice("", core::methods(), &core::Method::name);
}

Json options_json(const core::Options& options) {
  Json json = Json::object();
  for (const auto& [name, value] : options)
    std::visit([&, &key = name](const auto& x) { json[key] = x; }, value);
  return json;
}

core::Options options_in(const JsonValue& given) {
  core::Options options;
  if (!given) return options;
  for (const auto& [name, value] : given.object().json().items()) {
    if (value.is_number())
      options[name] = value.get<double>();
    else if (value.is_string())
      options[name] = value.get<std::string>();
    else
      given[name].refuse("a number or a text");
  }
  return options;
}

}  // namespace engram::bridge
