// SPDX-License-Identifier: MIT
// JSON for explanations of a recall, in replies and in `engram recall --json --explain`. Include this only in .cpp
// files, because it includes a JSON library.
#pragma once

#include "bridge/json/json_reader.hpp"
#include "core/session/explained_recall.hpp"

namespace engram::bridge {

/// Writes {"concepts": [..], "statements": [..]}, best first. Each item has its budget, score, accounts (sums of named
/// parts), and the path from the cue. An item also has the separation, if there is one, or a note that explains why
/// there is no sum.
Json to_json(const core::ExplainedRecall& recall);

}  // namespace engram::bridge
