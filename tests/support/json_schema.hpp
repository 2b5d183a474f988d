// SPDX-License-Identifier: MIT
// A JSON Schema validator for C++ tests, for the schemas in bridge/schema/. Tests of the whole program also validate
// with python3-jsonschema.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace engram::testing {

/// A JSON Schema (draft 2020-12), limited to the keywords that Engram's schemas use. Any other keyword is an error, so
/// that no rule is silently ignored. References must stay within the file.
class JsonSchema {
 public:
  /// Errors  std::runtime_error if the file cannot be read; std::logic_error for an unknown keyword
  explicit JsonSchema(const std::string& file);

  /// Validates a value. Returns the error as "/POINTER: reason", or an empty string. `part` is a JSON pointer to a part
  /// of the schema, such as "/$defs/reply"; by default the whole schema.
  std::string flaw(const nlohmann::json& value, const std::string& part = "") const;
  bool has(const std::string& part) const { return schema_.contains(nlohmann::json::json_pointer(part)); }

 private:
  using Json = nlohmann::json;
  std::string flaw(const Json& value, const Json& schema, const std::string& place) const;
  std::string flaw_of_choice(const Json& value, const Json& schema, const std::string& place) const;
  std::string flaw_of_number(const Json& value, const Json& schema, const std::string& place) const;
  std::string flaw_of_object(const Json& value, const Json& schema, const std::string& place) const;
  std::string flaw_of_array(const Json& value, const Json& schema, const std::string& place) const;
  std::size_t fitting(const Json& value, const Json& schemas, const std::string& place) const;

  Json schema_;
};

}  // namespace engram::testing
