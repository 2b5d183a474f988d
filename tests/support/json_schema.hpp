// SPDX-License-Identifier: MIT
// Checks JSON against the schemas in bridge/schema/, for tests in C++. What the program says is checked once
// more from outside, by python3-jsonschema.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace engram::testing {

/// A schema of draft 2020-12, as far as ours go: a keyword that is not known here is an error, never passed
/// over. References lead to places within the same file.
class JsonSchema {
 public:
  /// Errors  std::runtime_error if the file cannot be read; std::logic_error for an unknown keyword
  explicit JsonSchema(const std::string& file);

  /// What is wrong with a value, "/POINTER: why"; empty where nothing is. `part`: a JSON Pointer into the
  /// schema, such as "/$defs/reply"; the whole where it is empty.
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
