// SPDX-License-Identifier: MIT
// The pairs of names of a question between which guesses look for a path.
#pragma once

#include <optional>
#include <vector>

#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// Two names of a question, or one if it asks for the other, and what the question states of them.
struct NamePair {
  ConceptId from = 0;
  std::optional<ConceptId> to = {};        // none: any name answers
  StepKind kind = StepKind::other;         // other: the question states nothing of the two
  std::optional<ConceptId> relation = {};  // of kind relation; none if the memory does not know it
  bool back = false;                       // the question states it of `to` and `from`, in this order
};

/// The pairs of a question. A statement about two names (core/retrieval/hops.hpp) gives one pair; if one of the names is a
/// variable, the pair has the other name alone. Any other cue gives each two of its ends (core/walks/question_ends.hpp), at
/// most the four ends that the fewest statements mention; a single end gives a pair without a second name.
/// Cost  O(size of all rules); O(n) more for a cue that is no statement about two names
std::vector<NamePair> name_pairs(const MemoryIndex& memory, const Cue& cue);

}  // namespace engram::core
