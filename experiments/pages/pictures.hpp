// SPDX-License-Identifier: MIT
// Pictures of methods: their agreement, and the weights of one cue under every simplex map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// Number of methods that agreement_picture() draws; it ignores further methods.
inline constexpr std::size_t most_pictured_methods = 32;

/// Picture of the agreement between methods: a matrix with a coloured square for each pair of methods: darker blue for
/// more agreement, orange for disagreement. Squares show the correlation in hundredths. Columns have the numbers of the
/// rows.
/// `correlations`  (m x m), each in [-1, 1]; empty for pairs that were not measured
/// Errors          std::invalid_argument if a row has another length
Drawing agreement_picture(const std::vector<std::string>& methods,
                          const std::vector<std::vector<std::optional<double>>>& correlations);

/// Weights that every simplex map gives to statements by their scores. The result is a field of a row. It has the
/// weights of the best few statements, and the number of statements with a positive weight (`support`):
///   {statements: [{narsese, score}], temperatures,
///    maps: [{map, weights: [[...] for each temperature], support: [...]}]}
/// Shapes   scores (n) and n texts; at least one score is positive
Json maps_json(const core::Vector& scores, const std::vector<std::string>& statements);

/// Plot of the result of maps_json(), with one panel for each map and the statements below.
Plot maps_plot(const Json& maps, const std::string& cue);

}  // namespace engram::experiments
