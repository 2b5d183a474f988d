// SPDX-License-Identifier: MIT
// From scores to a distribution. Maximising <p, s> over the simplex alone picks a vertex (argmax); taking
// T Omega(p) off spreads it:  p(s) = argmax over the simplex of <p, s> - T Omega(p).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/shapes.hpp"

namespace engram::core {

/// Which Omega.  Source  Blondel, Martins and Niculae 2020, "Learning with Fenchel-Young Losses"
enum class SimplexMap : std::uint8_t {
  softmax,    // sum p log p       p_i = exp(s_i/T) / sum_j exp(s_j/T), never 0
  sparsemax,  // |p|^2 / 2         p_i = max(s_i/T - tau, 0); Martins and Astudillo 2016
  argmax,     // 0                 the vertex of the largest score, of the lowest index where several are
};

struct SimplexMapFacts {
  SimplexMap map;
  std::string_view name;
  double margin;  // scores that lead by margin * T get p = 1 exactly (infinite: never)
};
extern const std::array<SimplexMapFacts, 3> simplex_maps;

const SimplexMapFacts& facts(SimplexMap map);
std::optional<SimplexMap> simplex_map_named(std::string_view name);

/// The distribution p(s).
/// Shapes   s (k) -> (k), k >= 1
/// Ranges   temperature > 0; p_i >= 0, sum p = 1 up to rounding
/// Errors   std::invalid_argument for no scores, a score that is not finite, or temperature <= 0
/// Cost     O(k) softmax and argmax, O(k log k) sparsemax; deterministic
Vector apply(SimplexMap map, const Vector& scores, double temperature = 1.0);

/// The maximised value <p, s> - T Omega(p), which is T Omega*(s/T): T log sum exp(s/T) for softmax.
double programme_value(SimplexMap map, const Vector& scores, double temperature = 1.0);

/// Omega at the uniform distribution of k weights: -log k, 1/(2k) or 0.
double omega_uniform(SimplexMap map, Index k);

}  // namespace engram::core
