// SPDX-License-Identifier: MIT
// Where a training by core's descent is, as JSON.
#pragma once

#include "bridge/json/object_reader.hpp"
#include "core/numbers/optimiser.hpp"
#include "experiments/formats/json.hpp"

namespace engram::experiments {

Json json_of(const core::TrainingState& state);
/// Errors  JsonError
core::TrainingState training_state_in(const bridge::JsonValue& given);

}  // namespace engram::experiments
