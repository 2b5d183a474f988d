// SPDX-License-Identifier: MIT
// Which names of a question are its ends: what it needs lies between them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/retrieval/memory_index.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

/// A name of the cue, and its place where the cue is in words.
struct QuestionEnd {
  ConceptId id = 0;
  std::optional<Position> place;
};

/// The cue's concepts that stand where rules have variables (`is_open`: there are individuals, elsewhere
/// names of relations), if there are two; else all but operators, which are hubs, if there are two; else all.
/// At most 16, by id.
/// Cost  O(names of the cue)
std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue,
                                       const std::function<bool(Position)>& is_open);

/// The same, with the places of a premise or conclusion at which any rule of the memory has a variable.
/// Cost  O(size of all rules)
std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue);

/// Whether the concept is an operation, such as ^go.
bool is_operator(const MemoryIndex& memory, ConceptId id);

}  // namespace engram::core
