// SPDX-License-Identifier: MIT
// The fields that several kernels share: a regulariser, patterns, edges, a precision. For the .cpp files of
// this layer alone.
#pragma once

#include <vector>

#include "bridge/operations/request.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/edge_list.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::bridge {

/// The regulariser that `map`, `alpha` and `k` are over `scores` scores; without the field `map`, the one
/// `otherwise` (none: the field must be there). alpha and k are core::Regulariser's where they are left out. A
/// map passes over those it does not read, so that a client that compares maps changes one field alone.
/// Errors   RequestError: bad_value at /map, or at /alpha or /k for what is out of range
core::Regulariser regulariser_of(const Request& request, core::Index scores,
                                 std::optional<core::SimplexMap> otherwise = {});

/// The matrix in a field, of +1 and -1.    Errors  bad_value at the first other entry
core::Matrix spins_of(const Request& request, const char* name);

/// The couplings that the field `rule` makes of patterns, one a row.
/// Errors   RequestError: bad_value at /rule; limit_exceeded before anything large is made
core::Matrix weights_of(const Request& request, const core::Matrix& patterns);

/// Triples [source, target, weight] among so many nodes.
/// Errors   JsonError
std::vector<core::Edge> edges_in(const JsonValue& list, std::size_t nodes);

/// What `precision` has the rows of a request stored in: double, the default, is nothing.
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
