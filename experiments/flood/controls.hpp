// SPDX-License-Identifier: MIT
// Inference controls by name, for specs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/reasoner/control.hpp"

namespace engram::experiments::flood {

/// Names of all controls: "first_in_first_out", "random", "simplest", "opennars_bags", "pynars_bags", "ona_queue".
std::vector<std::string> control_names();
/// Creates a control. Randomised controls use `seed`.  Errors  std::invalid_argument for an unknown name
std::unique_ptr<core::InferenceControl> make_control(const std::string& name, std::uint64_t seed);

}  // namespace engram::experiments::flood
