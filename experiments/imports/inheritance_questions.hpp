// SPDX-License-Identifier: MIT
// Questions that inheritance answers, step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/imports/asked_fact.hpp"

namespace engram::experiments {

/// Whether a name is of a class above it: `most` questions, the class's distance (the fewest claims of
/// inheritance or instance that lead there) in turn 2, 3, 4, 5 and 6. After each, where there is one, the same
/// of a class that is below that one and neither above nor below the name: what is claimed does not say it.
/// Fewer questions where not so many can be found.
/// Proofs   all ways upwards that pass no name twice, the shortest first, of at most 6 claims, at most
///          most_proofs
/// Cost     O(claims), and for a question the ways that begin at it
/// Errors   core::WorkStopped
std::vector<AskedFact> inheritance_questions(const Knowledge& knowledge, std::size_t most,
                                             std::uint64_t seed);

}  // namespace engram::experiments
