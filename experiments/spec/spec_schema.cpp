// SPDX-License-Identifier: MIT
#include "experiments/spec/spec_schema.hpp"

#include "experiments/spec/experiment.hpp"
#include "experiments/spec/python_method.hpp"

namespace engram::experiments {
namespace {

// A list of question sets, one of each kind.
Json one_of_each_kind(const Json& items) {
  Json sets = Json::array();
  for (const Json& kind : items["properties"]["kind"]["enum"]) sets.push_back({{"kind", kind}});
  return sets;
}

// A spec with only the required members.
Json shortest_spec(const std::string& name, const Json& members) {
  Json spec{{"experiment", name}};
  if (members.contains("inputs")) spec["inputs"] = {"a", "b", "c"};  // `links` needs groups of three
  if (members.contains("file")) spec["file"] = "/proc/self/exe";     // any existing file
  const Json::json_pointer items("/sets/items");
  if (members.contains(items)) spec["sets"] = one_of_each_kind(members[items]);
  return spec;
}

void add_defaults(Json& schema, const Json& resolved);

// Adds the default of a part of a spec to its schema. For an object, adds the defaults of its members. For a list of
// objects, a member has a default if all objects that have it agree.
void add_default(Json& part, const Json& value) {
  const bool of_objects = value.is_array() && !value.empty() && value.front().is_object();
  if (of_objects && part.contains("/items/properties"_json_pointer)) {
    Json common = Json::object(), differing = Json::object();
    for (const Json& item : value)
      for (const auto& [name, member] : item.items())
        (common.value(name, member) == member ? common : differing)[name] = member;
    for (const auto& [name, member] : differing.items()) common.erase(name);
    add_defaults(part["items"], common);
  } else if (value.is_object()) {
    add_defaults(part, value);
    if (part.contains("oneOf"))
      for (Json& way : part["oneOf"]) add_defaults(way, value);
  } else if (!of_objects) {
    part["default"] = value;
  }
}

void add_defaults(Json& schema, const Json& resolved) {
  if (!schema.contains("properties")) return;
  for (auto& [name, part] : schema["properties"].items()) {
    const Json required = schema.value("required", Json::array());
    if (resolved.contains(name) && std::ranges::find(required, Json(name)) == required.end())
      add_default(part, resolved[name]);
  }
}

}  // namespace

Json spec_schema(const std::string& shipped) {
  add_python_method();
  Json schema = Json::parse(shipped);
  Json& parts = schema["$defs"];
  parts["method"] = method_schema();
  for (const auto& experiment : experiments()) {
    if (!parts.contains(experiment->name())) continue;
    Json& part = parts[experiment->name()];
    const Json spec = shortest_spec(experiment->name(), part["properties"]);
    add_defaults(part, resolve_spec(spec, std::filesystem::path()).resolved);
  }
  return schema;
}

}  // namespace engram::experiments
