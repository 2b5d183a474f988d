// SPDX-License-Identifier: MIT
// What methods share that push ranks along links. For the .cpp files of methods alone.
#pragma once

#include "core/retrieval/retriever.hpp"
#include "core/walks/forward_push.hpp"

namespace engram::core {

inline constexpr double usual_push_threshold = 1e-5;  // chosen: a million links or less
inline constexpr double least_push_threshold = 1e-9;
inline constexpr const char* push_threshold_meaning =
    "of what waits at a concept, for each of its links: below it stays there";
inline constexpr const char* waiting_words = "not gone on with, being below the threshold";

/// Concepts by their ranks.
Recall from_pushed(const MemoryIndex& memory, const PushedRank& pushed);

}  // namespace engram::core
