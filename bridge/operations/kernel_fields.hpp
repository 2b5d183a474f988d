// SPDX-License-Identifier: MIT
// Parsers and checks of fields that several kernels share. Private to this layer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bridge/operations/request.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::bridge {

/// Multiplies numbers of any types as doubles, without overflow. Use it for the costs in Request::require_room().
template <class... Factors>
double product(Factors... factors) {
  return (1.0 * ... * static_cast<double>(factors));
}

/// Checks each entry of a vector.  Errors  RequestError bad_value at the first entry for which `good` is false
template <class Good>
void check_entries(const core::Vector& vector, const std::string& pointer, Good good, const char* message) {
  for (core::Index i = 0; i < vector.size(); ++i)
    if (!good(vector[i])) throw bad_value(pointer + "/" + std::to_string(i), message);
}
/// Checks that each entry is +1 or -1.  Errors  RequestError bad_value
void check_spins(const core::Vector& vector, const std::string& pointer);
/// Checks that each number of the field `uniforms` is in [0, 1).  Errors  RequestError bad_value
void check_uniforms(const core::Vector& uniforms);

/// Reads a matrix with the entries +1 and -1.  Errors  RequestError bad_value at the first other entry
core::Matrix spins_of(const Request& request, const char* name);

/// Reads a simplex map and its parameters from the fields `map`, `alpha` and `k`, for `scores` scores. A map ignores
/// parameters that it does not use, so a client that compares maps only changes one field.
/// Errors   RequestError bad_value with the pointer /map, /alpha or /k
core::Regulariser regulariser_of(const Request& request, core::Index scores);

/// Parses a list of links [source, target, weight] for a graph of `nodes` nodes.
/// Errors   JsonError
std::vector<core::Edge> edges_in(const JsonValue& list, std::size_t nodes);

/// Reads the field `precision`. Returns nothing for double, the default, which is not a packed precision.
/// Errors   JsonError
std::optional<core::Precision> precision_of(const Request& request);

/// Packs the rows of a matrix as keys in this precision.
core::PackedKeys packed_keys(const core::Matrix& rows, core::Precision precision);

}  // namespace engram::bridge
