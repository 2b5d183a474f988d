// SPDX-License-Identifier: MIT
// Picture of the simplex maps: the weights of one cue under every map, at several temperatures.
#pragma once

#include "core/numbers/shapes.hpp"
#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// Applies every map to the scores of some statements: the weights of the best few, and the number of statements with
/// any weight. The result is a field of a row:
///   {statements: [{narsese, score}], temperatures,
///    maps: [{map, weights: [[...] for each temperature], support: [...]}]}
/// Shapes   scores (n) and n texts; at least one score is positive
Json maps_json(const core::Vector& scores, const std::vector<std::string>& statements);

/// Plot of that field, with one panel for each map and the statements below.
Plot maps_plot(const Json& maps, const std::string& cue);

}  // namespace engram::experiments
