// SPDX-License-Identifier: MIT
// Questions that nothing answers, beside those that something does.
#pragma once

#include <cstdint>

#include "experiments/inputs/corpus.hpp"

namespace engram::experiments::answering {

/// After each question whose answer and proof the corpus knows, one that asks for no more than that answer
/// with one name changed: by the name that stands in the same place of another question's answer, both drawn
/// by the seed. It is asked for only if nothing says it or denies it, if it is no expected answer, and if
/// the search for proofs (core/proofs/proof_search.hpp, with its defaults) finds no proof of it. Where no such name is found in 50 draws there is none. A corpus with
/// refuted questions of its own stays as it is.
/// Cost  for each question up to 50 of such searches
void add_counterparts(Corpus& corpus, std::uint64_t seed);

}  // namespace engram::experiments::answering
