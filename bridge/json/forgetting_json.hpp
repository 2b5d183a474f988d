// SPDX-License-Identifier: MIT
// JSON for the state of forgetting, in replies and snapshots. Include this only in .cpp files, because it includes a
// JSON library.
#pragma once

#include "bridge/json/object_reader.hpp"
#include "core/budgets/forgetting.hpp"

namespace engram::bridge {

/// Summary for people: the policy, the amount forgotten, the reasons, and the latest events.
Json forgetting_json(const core::Forgetting& forgetting);

/// Complete state, for snapshots.
Json forgetting_state_json(const core::Forgetting::State& state);
/// Parses the complete state.  Errors  JsonError
core::Forgetting::State forgetting_state_in(const JsonValue& value);

}  // namespace engram::bridge
