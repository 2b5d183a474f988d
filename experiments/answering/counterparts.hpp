// SPDX-License-Identifier: MIT
// Questions that nothing answers, beside those that something does.
#pragma once

#include <cstdint>

#include "experiments/inputs/corpus.hpp"

namespace engram::experiments::answering {

/// Adds a counterpart after each question whose answer and proof the corpus knows. The counterpart asks for the same answer with
/// one name replaced by the name in the same place of another question's answer; the seed draws both. It is added only if no
/// statement states or denies it, no question expects it, and the search for proofs (core/proofs/proof_search.hpp, with its
/// defaults) finds no proof of it. After 50 draws without such a name the question has no counterpart. A corpus with refuted
/// questions of its own stays as it is.
/// Cost  for each question up to 50 of such searches
void add_counterparts(Corpus& corpus, std::uint64_t seed);

}  // namespace engram::experiments::answering
