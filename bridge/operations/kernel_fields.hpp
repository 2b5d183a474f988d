// SPDX-License-Identifier: MIT
// Fields and checks that several kernels share: a regulariser, spins, edges, a precision. Private to this layer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bridge/operations/request.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::bridge {

/// The product of numbers of any types, without overflow. Use it for require_room().
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
void check_spins(const core::Vector& vector, const std::string& pointer);
/// Checks uniform random numbers in the field `uniforms`, which must be in [0, 1).
void check_uniforms(const core::Vector& uniforms);

/// The matrix in a field, with entries +1 and -1.    Errors  bad_value at the first other entry
core::Matrix spins_of(const Request& request, const char* name);

/// The regulariser of the fields `map`, `alpha` and `k`, for `scores` scores. A map ignores parameters that it does not
/// use, so a client that compares maps only changes one field.
/// Errors   RequestError: bad_value at /map, or at /alpha or /k if out of range
core::Regulariser regulariser_of(const Request& request, core::Index scores);

/// Parses triples [source, target, weight] for a graph of `nodes` nodes.
/// Errors   JsonError
std::vector<core::Edge> edges_in(const JsonValue& list, std::size_t nodes);

/// The storage precision in the field `precision`; empty for double, the default.
/// Errors   RequestError bad_value
std::optional<core::Precision> precision_of(const Request& request);

/// Packs the rows as keys in this precision.
core::PackedKeys packed_keys(const core::Matrix& rows, core::Precision precision);

}  // namespace engram::bridge
