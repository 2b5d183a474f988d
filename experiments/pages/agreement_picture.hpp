// SPDX-License-Identifier: MIT
// Picture of the agreement between methods.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// Most methods in the picture; further ones are left out.
inline constexpr std::size_t most_pictured_methods = 32;

/// Draws a matrix with a coloured square for each pair of methods: darker blue for more agreement, orange for
/// disagreement. Squares show the correlation in hundredths. Columns have the numbers of the rows.
/// `correlations`  (m x m), each in [-1, 1]; empty for pairs that were not measured
/// Errors          std::invalid_argument if a row has another length
Drawing agreement_picture(const std::vector<std::string>& methods,
                          const std::vector<std::vector<std::optional<double>>>& correlations);

}  // namespace engram::experiments
