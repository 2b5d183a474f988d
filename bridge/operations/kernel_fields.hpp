// SPDX-License-Identifier: MIT
// Parsers for the fields that several kernels share: a regulariser, patterns, edges, a precision. Private to this
// layer.
#pragma once

#include <vector>

#include "bridge/operations/request.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::bridge {

/// The regulariser of the fields `map`, `alpha` and `k`, for `scores` scores. Without `map` it is `otherwise`; if that
/// is empty, the field is required. Absent alpha and k have the defaults of core::Regulariser. A map ignores parameters
/// that it does not use, so a client that compares maps only changes one field.
/// Errors   RequestError: bad_value at /map, or at /alpha or /k if out of range
core::Regulariser regulariser_of(const Request& request, core::Index scores,
                                 std::optional<core::SimplexMap> otherwise = {});

/// The matrix in a field, with entries +1 and -1.    Errors  bad_value at the first other entry
core::Matrix spins_of(const Request& request, const char* name);

/// Weights learnt from patterns, one per row, by the rule in the field `rule`.
/// Errors   RequestError: bad_value at /rule; limit_exceeded before any large allocation
core::Matrix weights_of(const Request& request, const core::Matrix& patterns);

/// Parses triples [source, target, weight] for a graph of `nodes` nodes.
/// Errors   JsonError
std::vector<core::Edge> edges_in(const JsonValue& list, std::size_t nodes);

/// The storage precision in the field `precision`; empty for double, the default.
/// Errors   RequestError bad_value
inline std::optional<core::Precision> precision_of(const Request& request) {
  std::vector<std::string> names = names_in(core::precisions);
  names.insert(names.begin(), "double");
  return value_named(core::precisions, request.choice("precision", names, "double"));
}

/// Packs the rows as keys in this precision.
inline core::PackedKeys packed_keys(const core::Matrix& rows, core::Precision precision) {
  core::PackedKeys keys(rows.cols(), precision);
  keys.append(rows);
  return keys;
}

}  // namespace engram::bridge
