// SPDX-License-Identifier: MIT
// Conversion of simplex maps from the arguments of the Python files.
#pragma once

#include <string>
#include <tuple>

#include "core/maps/prior_map.hpp"

namespace engram::python {

using MapArguments = std::tuple<std::string, double, core::Index>;  // name, alpha, k

/// Converts the arguments.  Errors  std::invalid_argument for an unknown name; core checks the ranges
core::Regulariser regulariser(const MapArguments& given);
/// Checks weights.  Errors  std::invalid_argument if there are none, or if one is negative or not finite
void require_weights(const core::Vector& p);

}  // namespace engram::python
