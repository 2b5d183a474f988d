// SPDX-License-Identifier: MIT
// Questions without an answer, derived from questions that have one.
#pragma once

#include <cstdint>

#include "experiments/inputs/corpus.hpp"

namespace engram::experiments::answering {

/// Adds a counterpart after each question with a known answer and proof. The counterpart asks for the same answer with
/// one name replaced by the name at the same place of another answer; the seed selects both. A counterpart must be
/// false as far as known: no statement states or denies it, no question expects it, and a proof search
/// (core/proofs/proof_search.hpp, default options) finds no proof. If 50 draws give no such name, the question has no
/// counterpart. A corpus that already has refuted questions is left unchanged.
/// Cost  up to 50 proof searches for each question
void add_counterparts(Corpus& corpus, std::uint64_t seed);

}  // namespace engram::experiments::answering
