// SPDX-License-Identifier: MIT
// The field `precision` of a request. For the .cpp files of this layer alone.
#pragma once

#include "bridge/operations/request.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::bridge {

/// What the rows of a request are to be stored in: double, the default, is nothing.
/// Errors   RequestError bad_value
inline std::optional<core::Precision> precision_of(const Request& request) {
  std::vector<std::string> names = names_in(core::precisions);
  names.insert(names.begin(), "double");
  return value_named(core::precisions, request.choice("precision", names, "double"));
}

/// The rows as keys stored in that precision.
inline core::PackedKeys packed_keys(const core::Matrix& rows, core::Precision precision) {
  core::PackedKeys keys(rows.cols(), precision);
  keys.append(rows);
  return keys;
}

}  // namespace engram::bridge
