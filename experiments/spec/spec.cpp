// SPDX-License-Identifier: MIT
#include "experiments/spec/spec.hpp"

#include <algorithm>

#include "experiments/formats/markup.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/python_file.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {
namespace {

void check_text(const std::string& text, const std::string& pointer) {
  constexpr std::size_t most_bytes = 4096;  // chosen: the length limit of a path
  if (text.size() > most_bytes)
    throw SpecError(pointer, "must be a text of at most " + std::to_string(most_bytes) + " bytes, found " +
                                 std::to_string(text.size()));
  if (const auto flaw = illegible(text))
    throw SpecError(pointer, "must be a text without control characters and the like, found " + *flaw +
                                 " of '" + text + "'");
}

// Checks all strings of the spec. Member names count too, because error messages repeat them.
void check_texts(const Json& json, const std::string& pointer) {
  if (json.is_string()) check_text(json.get_ref<const std::string&>(), pointer);
  std::size_t place = 0;
  for (const auto& [name, value] : json.items()) {
    if (!json.is_structured()) return;
    if (json.is_object()) check_text(name, pointer);
    check_texts(value, pointer + "/" + (json.is_object() ? name : std::to_string(place++)));
  }
}

void check_learnt_links(const Spec& spec) {
  if (spec.memory.learning) return;
  for (std::size_t i = 0; i < spec.methods.size(); ++i) {
    const auto& options = spec.methods[i].method.options();
    if (options.contains("links") && options.at("links") == core::OptionValue("learnt"))
      throw SpecError("/methods/" + std::to_string(i) + "/options/links",
                      "nothing is learnt: /memory/learning names no rule");
  }
}

// Rejects names from earlier versions with a message that gives the new name.
void refuse_former_names(const JsonValue& experiment) {
  if (experiment && experiment.json() == "priming")
    throw SpecError(experiment.pointer(),
                    "must be 'answering', as 'priming' is called now, with \"sets\" for \"generated\"");
}

}  // namespace

Spec resolve_spec(const Json& json, const std::vector<std::filesystem::path>& folders) {
  check_texts(json, "");
  add_python_method();
  return checked([&] {
    SpecReader reader(JsonValue(json), folders);
    refuse_former_names(reader["experiment"]);
    std::vector<std::unique_ptr<Experiment>> all = experiments();
    std::vector<std::string> names;
    for (const auto& experiment : all) names.emplace_back(experiment->name());
    const auto chosen = std::ranges::find(names, reader.choice("experiment", "", names)) - names.begin();
    const std::shared_ptr<Experiment> experiment = std::move(all[static_cast<std::size_t>(chosen)]);
    Spec spec;
    spec.experiment = experiment;
    experiment->read(reader, spec);
    check_learnt_links(spec);
    reader.refuse_others();
    spec.resolved = reader.resolved;
    return spec;
  });
}

namespace {

// Returns a list of question sets, one of each kind that the schema allows.
Json one_of_each_kind(const Json& items) {
  Json sets = Json::array();
  for (const Json& kind : items["properties"]["kind"]["enum"]) sets.push_back({{"kind", kind}});
  return sets;
}

// A spec with only the required members.
Json shortest_spec(const std::string& name, const Json& members) {
  Json spec{{"experiment", name}};
  if (members.contains("inputs")) spec["inputs"] = {"a", "b", "c"};  // experiment `links` needs three
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

Json sha256_of(std::span<const Input> inputs) {
  Json digests = Json::object();
  for (const Input& input : inputs) digests[input.name] = sha256_of_file(input.path);
  return digests;
}

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
