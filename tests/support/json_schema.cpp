// SPDX-License-Identifier: MIT
#include "tests/support/json_schema.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string_view>

#include "narsese/text.hpp"

namespace engram::testing {
namespace {

using Json = nlohmann::json;

// The keywords that this validator knows, each between two spaces.
constexpr std::string_view keywords =
    " $schema $id $defs $ref title type description default enum const oneOf anyOf if then required"
    " properties minItems items prefixItems maxItems additionalProperties minimum maximum uniqueItems"
    " minLength exclusiveMinimum pattern else minProperties maxProperties exclusiveMaximum $comment"
    " dependentRequired ";

// Checks that all nested schemas use only known keywords. An unknown keyword that is ignored would accept every value.
void require_known(const Json& schema) {
  if (schema.is_boolean()) return;
  for (const auto& [keyword, value] : schema.items()) {
    if (keywords.find(" " + keyword + " ") == keywords.npos)
      throw std::logic_error("JSON Schema keyword '" + keyword + "' is not known to this checker");
    const bool named = keyword == "properties" || keyword == "$defs";
    const bool listed = keyword == "oneOf" || keyword == "anyOf" || keyword == "prefixItems";
    if (keyword == "items" || keyword == "additionalProperties" || keyword == "if" || keyword == "then" ||
        keyword == "else")
      require_known(value);
    if (named || listed)
      for (const auto& [name, part] : value.items()) {
        // The members `requests` and `results` of $defs contain schemas themselves.
        const bool folder = keyword == "$defs" && (name == "requests" || name == "results");
        if (folder)
          for (const auto& [inner, schema_of] : part.items()) require_known(schema_of);
        else
          require_known(part);
      }
  }
}

bool is_of(const Json& value, const std::string& type) {
  if (type == "integer")
    return value.is_number_integer() ||
           (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
  return type == (value.is_number() ? "number" : value.type_name());
}

std::string at(const std::string& place, const std::string& why) { return place + ": " + why; }

}  // namespace

JsonSchema::JsonSchema(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  schema_ = Json::parse(in);
  require_known(schema_);
}

std::string JsonSchema::flaw(const Json& value, const std::string& part) const {
  return flaw(value, schema_.at(Json::json_pointer(part)), "");
}

std::size_t JsonSchema::fitting(const Json& value, const Json& schemas, const std::string& place) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(schemas, [&](const Json& one) { return flaw(value, one, place).empty(); }));
}

std::string JsonSchema::flaw(const Json& value, const Json& schema, const std::string& place) const {
  if (schema.is_boolean()) return schema.get<bool>() ? "" : at(place, "must not be there");
  std::string found = flaw_of_choice(value, schema, place);
  if (found.empty() && value.is_number()) found = flaw_of_number(value, schema, place);
  if (found.empty() && value.is_object()) found = flaw_of_object(value, schema, place);
  if (found.empty() && value.is_array()) found = flaw_of_array(value, schema, place);
  if (!found.empty() || !value.is_string()) return found;
  const auto text = value.get<std::string>();
  if (schema.contains("minLength") &&
      narsese::count_code_points(text) < schema.at("minLength").get<std::size_t>())
    return at(place, "too short a text");
  if (schema.contains("pattern") &&
      !std::regex_search(text, std::regex(schema.at("pattern").get<std::string>())))
    return at(place, "a text of another pattern");
  return {};
}

std::string JsonSchema::flaw_of_choice(const Json& value, const Json& schema,
                                       const std::string& place) const {
  if (schema.contains("$ref")) {
    const auto to = schema.at("$ref").get<std::string>();
    if (!to.starts_with("#")) throw std::logic_error("a reference to another file: " + to);
    const std::string found = flaw(value, schema_.at(Json::json_pointer(to.substr(1))), place);
    if (!found.empty()) return found;
  }
  if (schema.contains("type")) {
    const Json& types = schema.at("type");
    const bool fits = types.is_string() ? is_of(value, types.get<std::string>())
                                        : std::ranges::any_of(types, [&](const Json& type) {
                                            return is_of(value, type.get<std::string>());
                                          });
    if (!fits) return at(place, "expected " + types.dump() + ", found " + value.type_name());
  }
  if (schema.contains("const") && value != schema.at("const"))
    return at(place, "must be " + schema.at("const").dump());
  if (schema.contains("enum") && std::ranges::find(schema.at("enum"), value) == schema.at("enum").end())
    return at(place, "must be one of " + schema.at("enum").dump());
  if (schema.contains("oneOf") && fitting(value, schema.at("oneOf"), place) != 1)
    return at(place, "must fit one of several schemas, and fits " +
                         std::to_string(fitting(value, schema.at("oneOf"), place)));
  if (schema.contains("anyOf") && fitting(value, schema.at("anyOf"), place) == 0)
    return at(place, "fits none of several schemas");
  if (schema.contains("if")) {
    const char* branch = flaw(value, schema.at("if"), place).empty() ? "then" : "else";
    if (schema.contains(branch)) return flaw(value, schema.at(branch), place);
  }
  return {};
}

std::string JsonSchema::flaw_of_number(const Json& value, const Json& schema,
                                       const std::string& place) const {
  const auto number = value.get<double>();
  const auto bound = [&](const char* name, double otherwise) { return schema.value(name, otherwise); };
  const bool fits = number >= bound("minimum", number) && number <= bound("maximum", number) &&
                    number > bound("exclusiveMinimum", number - 1 - std::abs(number)) &&
                    number < bound("exclusiveMaximum", number + 1 + std::abs(number));
  return fits ? "" : at(place, "out of range: " + value.dump());
}

std::string JsonSchema::flaw_of_object(const Json& value, const Json& schema,
                                       const std::string& place) const {
  for (const Json& name : schema.value("required", Json::array()))
    if (!value.contains(name.get<std::string>())) return at(place, "without " + name.dump());
  const Json dependent = schema.value("dependentRequired", Json::object());
  for (const auto& [name, others] : dependent.items())
    for (const Json& other : others)
      if (value.contains(name) && !value.contains(other.get<std::string>()))
        return at(place, "with '" + name + "' but without " + other.dump());
  if (value.size() < schema.value("minProperties", std::size_t{0})) return at(place, "too few members");
  if (value.size() > schema.value("maxProperties", value.size())) return at(place, "too many members");
  const Json known = schema.value("properties", Json::object());
  for (const auto& [name, member] : value.items()) {
    const std::string inner = place + "/" + name;
    std::string found;
    if (known.contains(name))
      found = flaw(member, known.at(name), inner);
    else if (schema.contains("additionalProperties"))
      found = flaw(member, schema.at("additionalProperties"), inner);
    if (!found.empty()) return found;
  }
  return {};
}

std::string JsonSchema::flaw_of_array(const Json& value, const Json& schema, const std::string& place) const {
  if (value.size() < schema.value("minItems", std::size_t{0})) return at(place, "too few items");
  if (value.size() > schema.value("maxItems", value.size())) return at(place, "too many items");
  if (schema.value("uniqueItems", false))
    for (std::size_t i = 0; i < value.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (value[i] == value[j]) return at(place, "an item stands twice");
  const Json first = schema.value("prefixItems", Json::array());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string inner = place + "/" + std::to_string(i);
    std::string found;
    if (i < first.size())
      found = flaw(value[i], first[i], inner);
    else if (schema.contains("items"))
      found = flaw(value[i], schema.at("items"), inner);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace engram::testing
