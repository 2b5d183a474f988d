// SPDX-License-Identifier: MIT
// State of a gradient descent in core, as JSON.
#pragma once

#include "bridge/json/object_reader.hpp"
#include "core/numbers/optimiser.hpp"
#include "experiments/formats/files.hpp"

namespace engram::experiments {

Json json_of(const core::TrainingState& state);
/// Reads the JSON of json_of().  Errors  JsonError
core::TrainingState training_state_in(const bridge::JsonValue& given);

}  // namespace engram::experiments
