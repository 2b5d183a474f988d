// SPDX-License-Identifier: MIT
// Simplex maps: functions from scores s to weights p >= 0 with sum p = 1, such as softmax and sparsemax. A map solves
//                        p(s) = argmax over the simplex of <p, s> - T Omega(p).
// Without the convex regulariser Omega, the best score gets all the weight (argmax). Omega is larger for more uneven p,
// so it spreads the weight: evenly for a temperature T -> infinity, not at all for T -> 0. With softmax all weights are
// above 0. The other maps also give weights of exactly 0; if the best score leads by T times the map's margin, it gets
// all the weight. The maximum, T Omega*(s/T), is a convex function of s with gradient p, so the Jacobian dp/ds is
// symmetric.
// Source  Blondel, Martins and Niculae 2020, "Learning with Fenchel-Young Losses"
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// Simplex maps by their regulariser. [x]_+ is max(x, 0); tau is such that sum p = 1; ~ omits a common factor.
///   map        Omega(p)                              p_i
///   softmax    sum p log p                           ~ exp(s_i/T)
///   sparsemax  |p|^2 / 2                             [s_i/T - tau]_+
///   entmax     sum (p^alpha - p)/(alpha (alpha-1))   [(alpha-1) s_i/T - tau]_+^(1/(alpha-1)): softmax
///                                                    for alpha 1, sparsemax for 2, argmax for infinity
///   normmax    (sum p^alpha)^(1/alpha), alpha > 1    ~ [s_i/T - tau]_+^(1/(alpha-1))
///   budget     |p|^2 / 2 with p_i <= 1, sum p = k    min([s_i/T - tau]_+, 1): selects k items
///   argmax     0                                     1 for the best score; ties: the lowest index
/// Sources  sparsemax: Martins and Astudillo 2016; entmax: Peters, Niculae and Martins 2019; normmax: Blondel
///          et al. 2020; budget: Niculae et al. 2018 (SparseMAP over k-subsets)
enum class SimplexMap : std::uint8_t { softmax, sparsemax, entmax, normmax, budget, argmax };

/// A map with its parameters; a map ignores those of other maps.
struct Regulariser {
  SimplexMap map;
  double alpha;  // entmax (>= 1) and normmax (> 1), infinity allowed
  Index k;       // budget, from 1 to the number of scores
  // NOLINTNEXTLINE(google-explicit-constructor): a map alone is a regulariser
  Regulariser(SimplexMap of_map, double of_alpha = 1.5, Index of_k = 1)
      : map(of_map), alpha(of_alpha), k(of_k) {}
  bool operator==(const Regulariser&) const = default;
  /// The same map with k limited to the number of scores.
  Regulariser at_most(Index scores) const { return {map, alpha, k < scores ? k : scores}; }
};

/// Row of the table of maps.
struct SimplexMapFacts {
  SimplexMap value;
  std::string_view name;
  bool has_alpha;
};
inline constexpr std::array<SimplexMapFacts, 6> simplex_maps{{
    {SimplexMap::softmax, "softmax", false},
    {SimplexMap::sparsemax, "sparsemax", false},
    {SimplexMap::entmax, "entmax", true},
    {SimplexMap::normmax, "normmax", true},
    {SimplexMap::budget, "budget", false},
    {SimplexMap::argmax, "argmax", false},
}};
/// The row of a map.
constexpr const SimplexMapFacts& facts(SimplexMap map) { return row_of(simplex_maps, map); }

inline constexpr double default_temperature = 1;  // leaves scores unchanged

/// The weights p(s).
/// Shapes   s (n) -> (n), n >= 1
/// Ranges   temperature > 0; p_i >= 0 of sum 1 (budget: k) up to rounding, equal for equal scores (except argmax)
/// Errors   std::invalid_argument for no scores, a score that is not finite, temperature <= 0, alpha or k out
///          of range; this holds for every function below
/// Cost     O(n) for softmax and argmax, O(n log n) for the others. Normmax, and entmax with an alpha other than 1.5
///          and 2, compute tau to full precision by Newton steps of O(n). Deterministic
Vector apply(const Regulariser& omega, const Vector& scores, double temperature = default_temperature);

/// The maximised value <p, s> - T Omega(p): T log sum exp(s/T) for softmax.
double programme_value(const Regulariser& omega, const Vector& scores,
                       double temperature = default_temperature);

/// J v with the Jacobian J = dp/ds. J is symmetric, so J v also converts a gradient in p to one in s. If a weight is at
/// the point of leaving 0 (or 1), the one-sided derivative with the weight fixed is used.
/// Cost     as apply
Vector jacobian_product(const Regulariser& omega, const Vector& scores, const Vector& tangent,
                        double temperature = default_temperature);

/// J v computed from the weights p = p(s), if they are already known.
Vector jacobian_product_at(const Regulariser& omega, const Vector& p, const Vector& tangent,
                           double temperature = default_temperature);

/// dp/dalpha of entmax (also for alpha = 1, which is softmax) and normmax, from the weights.
/// Errors   std::invalid_argument for other maps and for alpha = infinity
/// Source   Correia, Niculae and Martins 2019 (entmax), here rewritten to be accurate for alpha -> 1
Vector derivative_in_alpha_at(const Regulariser& omega, const Vector& p);

/// Omega(p).
double omega_of(const Regulariser& omega, const Vector& p);
/// Omega of n equal weights (1/n, for budget k/n), with the same bits as omega_of.  Cost  O(n) time, O(1) memory
double omega_uniform(const Regulariser& omega, Index n);

/// The margin: if the best score leads every other by at least margin times T, it gets all the weight. Margins are 0
/// for argmax, infinite for softmax, 1/(alpha-1) for entmax, else 1. For budget, the k best scores get 1 each if the
/// k-th leads the next by T.
double margin(const Regulariser& omega);

/// The threshold tau of the table above. If it is not unique (budget at a vertex), the largest.
/// Errors   std::invalid_argument for softmax, argmax, and entmax with alpha 1 or infinity, which have no threshold
double threshold(const Regulariser& omega, const Vector& scores, double temperature = default_temperature);

/// The indices i with p_i > 0, ascending.
std::vector<Index> support(const Vector& p);

/// Samples an index with probability p_i (hard attention), if `uniform` is drawn from [0, 1). Returns the first i with
/// uniform < p_0 + ... + p_i, or the last i with p_i > 0 if rounding leaves no such i.
/// Errors   std::invalid_argument if no p_i > 0 or uniform is outside [0, 1)
Index sample(const Vector& p, double uniform);

/// The weights p(s) if only the largest of n scores are known and all others are at most `others`. Returns nothing if
/// one of the others may have a weight; with softmax this is always so. Use it to stop a search for large scores early:
/// further scores only raise the threshold of a map.
/// Shapes   known (scores of a vector of `size`, ascending), others >= 0 -> (size)
/// Ranges   the same bits as `apply` to all scores for sparsemax, argmax, and entmax with alpha 1.5 and 2; equal up to
///          rounding for other maps
/// Errors   as apply
/// Cost     as apply to 16 times the known scores that are within T times the map's margin of the best
std::optional<SparseVector> weights_of_largest(const Regulariser& omega, Index size,
                                               const std::vector<SparseVector::Entry>& known, double others,
                                               double temperature = default_temperature);

}  // namespace engram::core
