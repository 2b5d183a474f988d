// SPDX-License-Identifier: MIT
// What a memory has forgotten, as replies and snapshots tell it. For .cpp files alone.
#pragma once

#include "bridge/json/object_reader.hpp"
#include "core/budgets/forgetting.hpp"

namespace engram::bridge {

/// For people: the policy, how much is gone, why, and the last times of it.
Json forgetting_json(const core::Forgetting& forgetting);

/// For snapshots: all that forgetting goes on with.
Json forgetting_state_json(const core::Forgetting::State& state);
/// Errors  JsonError
core::Forgetting::State forgetting_state_in(const JsonValue& value);

}  // namespace engram::bridge
