// SPDX-License-Identifier: MIT
// The fields `patterns` and `rule` of a request: the couplings of a Hopfield network. For the .cpp files of
// this layer alone.
#pragma once

#include "bridge/operations/request.hpp"
#include "core/learning/pattern_weights.hpp"

namespace engram::bridge {

/// The matrix in a field, of +1 and -1.    Errors  bad_value at the first other entry
core::Matrix spins_of(const Request& request, const char* name);

/// The couplings that the field `rule` makes of patterns, one a row.
/// Errors   RequestError: bad_value at /rule; limit_exceeded before anything large is made
core::Matrix weights_of(const Request& request, const core::Matrix& patterns);

}  // namespace engram::bridge
