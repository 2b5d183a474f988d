// SPDX-License-Identifier: MIT
// Between which names paths are looked for, and what is asked of them.
#pragma once

#include <vector>

#include "core/paths/path_features.hpp"

namespace engram::core {

/// Of a question that says something of two names (core/retrieval/passes.hpp): from one to the other; of
/// <a --> ?1> and the like from the one that is known, and what is asked is turned where that is the second.
/// Of any other cue, or of names that are not known, between each two of its ends
/// (core/walks/question_ends.hpp), of more than four the four that the fewest statements mention, or from
/// its only one.
/// Cost  O(size of all rules); O(n) more where the cue does not say its names
std::vector<PathQuestion> path_questions(const Readings& memory, const Cue& cue);

}  // namespace engram::core
