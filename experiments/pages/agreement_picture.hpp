// SPDX-License-Identifier: MIT
// Picture of how far methods agree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// Most methods that the picture shows: the first ones.
inline constexpr std::size_t most_pictured_methods = 32;

/// A square of colour for each pair of methods: the darker, the more they agree, orange if they disagree; in it the
/// correlation in hundredths. Columns have the numbers of the rows.
/// `correlations`  (m x m), each in [-1, 1]; nothing for a pair that was not measured
/// Errors  std::invalid_argument if a row has another length
Drawing agreement_picture(const std::vector<std::string>& methods,
                          const std::vector<std::vector<std::optional<double>>>& correlations);

}  // namespace engram::experiments
