// SPDX-License-Identifier: MIT
// What a source does not say, mixed in among what it does.
#pragma once

#include <cstdint>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// Adds claims until `share` of all are wrong: of a claim that is drawn, with the object of another one of the
/// same kind and relation; never one that the source makes, or makes to be asked, and none twice. Fewer where
/// that many are not found in ten draws for each. A remark of the knowledge says how many.
/// Ranges   share in [0, 0.9]
/// Cost     O(claims log claims)
/// Errors   core::WorkStopped; SpecError beyond Knowledge::max_claims
void add_wrong_claims(Knowledge& knowledge, double share, std::uint64_t seed);

}  // namespace engram::experiments
