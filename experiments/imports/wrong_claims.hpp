// SPDX-License-Identifier: MIT
// Wrong claims, mixed into the claims of a source.
#pragma once

#include <cstdint>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// Adds random wrong claims until they are `share` of all claims. A wrong claim is a random claim with the object of
/// another claim of the same kind and relation. It is distinct and not a claim or held-out claim of the source. Adds
/// fewer if ten draws for each do not suffice. A remark in the knowledge has the number.
/// Ranges   share in [0, 0.9]
/// Cost     O(claims log claims)
/// Errors   core::WorkStopped; SpecError beyond Knowledge::max_claims
void add_wrong_claims(Knowledge& knowledge, double share, std::uint64_t seed);

}  // namespace engram::experiments
