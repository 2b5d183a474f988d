// SPDX-License-Identifier: MIT
// The form that attention and associative memories share: similarity -> separation -> projection.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/attention/scores.hpp"

namespace engram::core {

/// What sets the best match apart from the others, by a parameter where it has one.
enum class Separation : std::uint8_t {
  identity,  // s: with the dot product and K = V the Hebbian memory sum x x' q
  softmax,   // softmax(parameter s), parameter an inverse temperature: attention, modern Hopfield
  poly,      // s^parameter: dense associative memory
  max,       // 1 at the first of the largest, 0 elsewhere: the nearest neighbour
  entmax,    // entmax of s with alpha = parameter
};

/// A separation, its name, and its parameter.
struct SeparationFacts {
  Separation value;
  std::string_view name;
  std::optional<double> parameter;  // what it is where none is given; none: it must be given or has none
};
inline constexpr std::array<SeparationFacts, 5> separations{{
    {Separation::identity, "identity", {}},
    {Separation::softmax, "softmax", 1.0},
    {Separation::poly, "poly", {}},
    {Separation::max, "max", {}},
    {Separation::entmax, "entmax", 1.5},
}};

/// sep(s).
/// Shapes   s (k) -> (k), k >= 1
/// Ranges   entmax: parameter >= 1; poly: a whole parameter unless all s >= 0
/// Errors   std::invalid_argument outside these, or for scores that are not finite
Vector separate(Separation separation, const Vector& scores, double parameter);

/// The three steps of one retrieval.
struct Universal {
  Vector similarity, separated;  // (k)
  Vector output;                 // (d_v)
};

/// output = V' sep(sim(K, q)).
/// Shapes   K (k, d), V (k, d_v), q (d)
/// Errors   std::invalid_argument if shapes or ranges do not fit, or for a score with maps of its own
/// Cost     O(k (d + d_v)); deterministic
/// Source   Millidge et al. 2022, "Universal Hopfield Networks"
Universal recall_universal(const Matrix& keys, const Matrix& values, const Vector& query, Score similarity,
                           Separation separation, double parameter);

}  // namespace engram::core
