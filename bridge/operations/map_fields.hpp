// SPDX-License-Identifier: MIT
// The fields `map`, `alpha` and `k` of a request: a regulariser. For the .cpp files of this layer alone.
#pragma once

#include "bridge/operations/request.hpp"
#include "core/maps/simplex_map.hpp"

namespace engram::bridge {

/// The regulariser of a request over `scores` scores; without the field `map`, the one `otherwise` (none: the
/// field must be there). alpha is 1.5 and k is 1 where they are left out. A map passes over those it does not
/// read, so that a client that compares maps changes one field alone.
/// Errors   RequestError: bad_value at /map, or at /alpha or /k for what is out of range
core::Regulariser regulariser_of(const Request& request, core::Index scores,
                                 std::optional<core::SimplexMap> otherwise = {});

}  // namespace engram::bridge
