// SPDX-License-Identifier: MIT
// Valid and invalid values for a field of the table of operations, for tests and the request fuzzer.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "bridge/operations/operations.hpp"

namespace engram::testing {

/// Values that a field must reject in every request: values of wrong types, and numbers just outside the limits.
inline std::vector<nlohmann::json> wrong_values(const bridge::Field& field) {
  using Json = nlohmann::json;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Json> wrong{nullptr};
  const auto add = [&](std::initializer_list<Json> values) { wrong.insert(wrong.end(), values); };
  switch (field.kind) {
    case bridge::Field::Kind::number:
      add({"1", true, Json::array(), std::nextafter(field.least, -infinity)});
      if (field.most < std::numeric_limits<double>::max()) add({std::nextafter(field.most, infinity)});
      break;
    case bridge::Field::Kind::whole:
      add({"1", true, Json::array(), field.least + 0.5, field.least - 1, field.most + 1});
      break;
    case bridge::Field::Kind::choice:
      add({"none of them", "", 1, Json::array()});
      break;
    case bridge::Field::Kind::text:
      add({1, true, Json::array()});
      break;
    case bridge::Field::Kind::flag:
      add({1, "true"});
      break;
    case bridge::Field::Kind::vector:
    case bridge::Field::Kind::matrix:
    case bridge::Field::Kind::indices:
      add({1, "x", true, Json::object()});
      if (field.definition == "vector" || field.kind == bridge::Field::Kind::matrix) add({Json::array()});
      if (field.kind == bridge::Field::Kind::matrix) add({Json::array({1}), Json::array({Json::array()})});
      break;
    case bridge::Field::Kind::other:
      add({true, -0.5});
      break;
  }
  return wrong;
}

/// Valid values of a field: its limits, and values between them.
inline std::vector<nlohmann::json> right_values(const bridge::Field& field) {
  std::vector<nlohmann::json> right;
  if (field.kind == bridge::Field::Kind::number || field.kind == bridge::Field::Kind::whole)
    right = {field.least, field.most};
  if (field.kind == bridge::Field::Kind::choice) right.assign(field.names.begin(), field.names.end());
  if (field.kind == bridge::Field::Kind::flag) right = {false, true};
  return right;
}

}  // namespace engram::testing
