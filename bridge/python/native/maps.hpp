// SPDX-License-Identifier: MIT
// A simplex map as the package's Python files hand it over.
#pragma once

#include <string>
#include <tuple>

#include "core/maps/prior_map.hpp"

namespace engram::python {

using MapArguments = std::tuple<std::string, double, core::Index>;  // name, alpha, k

/// Errors  std::invalid_argument for another name; what is out of range is left to core
core::Regulariser regulariser(const MapArguments& given);
/// Errors  std::invalid_argument for no number, one below 0 or one that is not finite
void require_weights(const core::Vector& p);

}  // namespace engram::python
