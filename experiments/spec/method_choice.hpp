// SPDX-License-Identifier: MIT
// Methods in specs: parsing, JSON Schema, and the baselines that are added.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/methods/method.hpp"

namespace engram::bridge {
class JsonValue;
}

namespace engram::experiments {

/// A configured method with its label in tables.
struct MethodChoice {
  std::string label;
  core::ConfiguredMethod method;
};

/// Reads a method: a name, or an object with "method", "label" and "options".  Errors  JsonError, SpecError
MethodChoice read_method(const bridge::JsonValue& entry);

/// The method as a JSON object with the values of all options.
nlohmann::ordered_json method_json(const MethodChoice& choice);

/// The labels of the methods.
std::vector<std::string> labels_of(const std::vector<MethodChoice>& methods);

/// JSON Schema of the input of read_method: all methods with their options, ranges, choices and defaults.
nlohmann::ordered_json method_schema();

/// Adds the baselines `overlap` (number of shared words), `frequency` and `uniform` (chance level), unless a method
/// with the same options is in the list. Every table compares methods with them, even if the spec does not name them.
std::vector<MethodChoice> with_baselines(const std::vector<MethodChoice>& methods);

/// Configures a method; options that are not given have their defaults.  Errors  SpecError at pointer/NAME
core::ConfiguredMethod configured(const core::Method& method, const core::Options& given,
                                  const std::string& pointer);

}  // namespace engram::experiments
