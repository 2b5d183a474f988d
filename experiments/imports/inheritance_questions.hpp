// SPDX-License-Identifier: MIT
// Questions that chains of inheritance answer.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/imports/asked_fact.hpp"

namespace engram::experiments {

/// Creates `most` questions whether a name belongs to a class above it. Its distance is the fewest claims of
/// inheritance or instance that lead there: 2, 3, 4, 5 and 6 in turn. Each is followed by a false question, if there is
/// one, about a class below that class and neither above nor below the name. Returns fewer questions if there are not
/// enough.
/// Proofs   all simple paths upwards of at most 6 claims, the shortest first, at most most_proofs
/// Cost     O(claims), and for each question the paths from its name
/// Errors   core::WorkStopped
std::vector<AskedFact> inheritance_questions(const Knowledge& knowledge, std::size_t most,
                                             std::uint64_t seed);

}  // namespace engram::experiments
