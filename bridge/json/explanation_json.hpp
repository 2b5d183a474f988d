// SPDX-License-Identifier: MIT
// Why a recall gave what it gave, as replies and `engram recall --json --explain` tell it. For .cpp files alone.
#pragma once

#include "bridge/json/json_reader.hpp"
#include "core/session/explained_recall.hpp"

namespace engram::bridge {

/// {"concepts": [..], "statements": [..]}, best first; of each its budget, score, accounts (sums of named parts), the
/// way from the cue, and where there is one the separation, or the note that says why there is no sum.
Json to_json(const core::ExplainedRecall& recall);

}  // namespace engram::bridge
