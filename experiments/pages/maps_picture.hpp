// SPDX-License-Identifier: MIT
// The picture of the simplex maps: one cue's scores under every map, at several temperatures.
#pragma once

#include "core/numbers/shapes.hpp"
#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// What every map makes of some statements' scores: the weights of the best few, and how many get any. With
/// the statements' texts it is a field of a row: {statements: [{narsese, score}], temperatures, maps: [{map,
/// weights: [[...] a temperature], support: [...]}]}.
/// Shapes   s (n) and n texts; one score at least is above 0
Json maps_json(const core::Vector& scores, const std::vector<std::string>& statements);

/// The picture of that field, one panel a map, and under it which statements they are.
Plot maps_plot(const Json& maps, const std::string& cue);

}  // namespace engram::experiments
