// SPDX-License-Identifier: MIT
// A method as a spec chooses it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/methods/methods.hpp"

namespace engram::bridge {
class JsonValue;
}

namespace engram::experiments {

/// A method under the name that tables give it.
struct MethodChoice {
  std::string label;
  const core::Method* method = nullptr;
  core::Options options;  // complete
};

/// A name, or an object of "method", "label" and "options".  Errors  JsonError, SpecError
MethodChoice read_method(const bridge::JsonValue& entry);

/// The same as JSON, every option said.
nlohmann::ordered_json method_json(const MethodChoice& choice);

/// The names that tables give them.
std::vector<std::string> labels_of(const std::vector<MethodChoice>& methods);

/// What read_method takes, as JSON Schema: every method with its options, their ranges, choices and defaults.
nlohmann::ordered_json method_schema();

/// What every method has to beat, in each table, whether a spec names it or not: these methods and, where they
/// are not among them with their defaults, the baselines `overlap` (a simple rule: how many words are shared),
/// `frequency` and `uniform` (a constant: what chance gives).
std::vector<MethodChoice> with_baselines(const std::vector<MethodChoice>& methods);

/// The method's options, those given and the defaults.  Errors  SpecError at pointer/NAME
core::Options completed(const core::Method& method, const core::Options& given, const std::string& pointer);

}  // namespace engram::experiments
