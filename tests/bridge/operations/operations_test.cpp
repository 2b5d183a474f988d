// SPDX-License-Identifier: MIT
// Tests of the table of operations: the schema, from which the protocol page and the tests of limits are generated, has
// the same operations, fields, limits and defaults.
#include "bridge/operations/operations.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/attention/attention.hpp"
#include "core/hopfield/dense_memory.hpp"
#include "core/maps/simplex_map.hpp"
#include "tests/support/catch.hpp"

namespace engram::bridge {
namespace {

const Json& protocol_schema() {
  static const Json all = [] {
    std::ifstream file(ENGRAM_SOURCE_DIR "/bridge/schema/protocol.schema.json");
    return Json::parse(file);
  }();
  return all;
}

// A part of the schema without reference. A reference may have further members beside it.
Json resolved(Json part) {
  while (part.is_object() && part.contains("$ref")) {
    Json target = protocol_schema().at(Json::json_pointer(part["$ref"].get<std::string>().substr(1)));
    part.erase("$ref");
    target.update(part);
    part = std::move(target);
  }
  return part;
}

// The declarations of each field of an operation. There are several if its meaning depends on other fields.
using Declarations = std::map<std::string, std::vector<Json>>;

void add_fields(Declarations& fields, const Json& part) {
  if (part.contains("properties"))
    for (const auto& [name, field] : part["properties"].items())
      if (name != "op" && name != "id" && name != "limit" && field.is_object())
        fields[name].push_back(resolved(field));
  if (part.contains("oneOf"))
    for (const Json& alternative : part["oneOf"]) add_fields(fields, alternative);
}

std::map<std::string, Declarations> operations_of_schema() {
  std::map<std::string, Declarations> all;
  for (const Json& request : protocol_schema().at("$defs").at("requests"))
    add_fields(all[request.at("properties").at("op").at("const")], request);
  return all;
}

// The names that a choice allows.
std::vector<std::string> choices_in(const Json& declared) {
  if (declared.contains("const")) return {declared["const"]};
  if (declared.contains("enum")) return declared["enum"];
  std::vector<std::string> names;
  for (const Json& alternative : declared.value("anyOf", Json::array()))
    for (const std::string& name : choices_in(resolved(alternative))) names.push_back(name);
  return names;
}

// Limits near the range of double are not in the schema, except that a number must be above 0.
void check_number(const Field& field, const Json& declared) {
  CHECK(declared.at("type") == "number");
  if (declared.contains("minimum"))
    CHECK(declared["minimum"] == field.least);
  else if (declared.contains("exclusiveMinimum"))
    CHECK((declared["exclusiveMinimum"] == 0 && field.least >= 0 && field.least <= least_positive));
  else
    CHECK(field.least == -largest_number);
  if (declared.contains("maximum"))
    CHECK(declared["maximum"] == field.most);
  else
    CHECK(field.most >= 1e250);
}

void check_field(const Field& field, const Json& declared) {
  switch (field.kind) {
    case Field::Kind::number:
      check_number(field, declared);
      break;
    case Field::Kind::whole:
      CHECK(declared.at("type") == "integer");
      CHECK(declared.at("minimum") == field.least);
      CHECK(declared.at("maximum") == field.most);
      break;
    case Field::Kind::text:
      CHECK(declared.at("type") == "string");
      break;
    case Field::Kind::vector:
    case Field::Kind::matrix:
    case Field::Kind::indices:
      CHECK(declared.at("type") == "array");
      break;
    case Field::Kind::choice:
    case Field::Kind::other:
      break;
  }
  if (declared.contains("default")) CHECK(declared["default"] == field.otherwise);
}

}  // namespace

TEST_CASE("the schema has the operations of the table, with their fields, limits and defaults",
          "[bridge][operations]") {
  std::map<std::string, Declarations> in_schema = operations_of_schema();
  for (const Operation& operation : operations()) {
    CAPTURE(operation.name);
    REQUIRE(in_schema.contains(operation.name));
    Declarations& declared = in_schema[operation.name];
    for (const Field& field : operation.fields) {
      CAPTURE(field.name);
      REQUIRE(declared.contains(field.name));
      std::vector<std::string> names;
      for (const Json& one : declared[field.name]) {
        check_field(field, one);
        for (const std::string& name : choices_in(one)) names.push_back(name);
      }
      for (const std::string& name : field.names) CHECK(std::ranges::find(names, name) != names.end());
      declared.erase(field.name);
    }
    CHECK(declared.empty());
    in_schema.erase(operation.name);
  }
  CHECK(in_schema.empty());
}

TEST_CASE("the schema tells defaults that depend on other fields in words", "[bridge][operations]") {
  const auto words = [&](const char* op, const char* field) {
    const Json& request = protocol_schema().at("$defs").at("requests").at(op);
    return request.at("properties").at(field).at("description").get<std::string>();
  };
  const auto number = [](double value) { return Json(value).dump(); };
  CHECK(words("dense", "steps")
            .ends_with("at most " + std::to_string(core::ContinuousMemoryOptions().max_steps) +
                       " where left out"));
  CHECK(words("universal", "parameter")
            .starts_with(
                "softmax " +
                number(row_of(core::separations, core::Separation::softmax).parameter.value()).substr(0, 1) +
                ", entmax " + number(row_of(core::separations, core::Separation::entmax).parameter.value())));
}

}  // namespace engram::bridge
