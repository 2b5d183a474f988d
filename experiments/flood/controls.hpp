// SPDX-License-Identifier: MIT
// Controls by their names in specs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bridge/reasoner/control.hpp"

namespace engram::experiments::flood {

/// "first_in_first_out", "random", "simplest", "opennars_bags", "pynars_bags", "ona_queue".
std::vector<std::string> control_names();
/// The control of a name; `seed` is of those that draw lots.  Errors  std::invalid_argument
std::unique_ptr<bridge::Control> make_control(const std::string& name, std::uint64_t seed);

}  // namespace engram::experiments::flood
