// SPDX-License-Identifier: MIT
// Simplex maps: functions from scores s to weights p >= 0 with sum p = 1, such as softmax and sparsemax. A map solves
//                        p(s) = argmax over the simplex of <p, s> - T Omega(p).
// Here T > 0 is a temperature and Omega a convex regulariser. Without Omega, the best score gets all the weight
// (argmax). Omega is larger for more uneven p, so it spreads the weight: evenly for T -> infinity, not at all for T ->
// 0. With softmax all weights are above 0. The other maps also give weights of exactly 0; if the best score leads by T
// times the map's margin, it gets all the weight. The maximum, T Omega*(s/T), is a convex function of s with gradient
// p, so the Jacobian dp/ds is symmetric.
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

/// Simplex maps, which turn scores s into weights p at a temperature T, each with its regulariser Omega. [x]_+ is
/// max(x, 0), tau is such that sum p = 1, and ~ omits a common factor.
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

/// A simplex map with its parameters. The map ignores parameters of other maps.
struct Regulariser {
  SimplexMap map;
  double alpha;  // entmax (>= 1) and normmax (> 1), infinity allowed
  Index k;       // budget, from 1 to the number of scores
  // NOLINTNEXTLINE(google-explicit-constructor): a map alone is a regulariser
  Regulariser(SimplexMap of_map, double of_alpha = 1.5, Index of_k = 1)
      : map(of_map), alpha(of_alpha), k(of_k) {}
  bool operator==(const Regulariser&) const = default;
  /// Returns this regulariser with k limited to the number of scores, because a budget cannot select more items.
  Regulariser at_most(Index scores) const { return {map, alpha, k < scores ? k : scores}; }
};

/// Row of the table of maps: a map, its name in options, and whether it uses alpha.
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
/// Returns the row of a map in the table simplex_maps.
constexpr const SimplexMapFacts& facts(SimplexMap map) { return row_of(simplex_maps, map); }

inline constexpr double default_temperature = 1;  // leaves scores unchanged

/// Computes the weights p of the scores s: the maximum of <p, s> - T Omega(p) over the simplex, with a temperature T.
/// Shapes   s (n) -> (n), n >= 1
/// Ranges   temperature > 0; p_i >= 0 of sum 1 (budget: k) up to rounding, equal for equal scores (except argmax)
/// Errors   std::invalid_argument for no scores, a score that is not finite, temperature <= 0, alpha or k out
///          of range; this holds for all functions with a Regulariser
/// Cost     O(n) for softmax and argmax, O(n log n) for the others. Normmax, and entmax with an alpha other than 1.5
///          and 2, compute tau to full precision by Newton steps of O(n). Deterministic
Vector apply(const Regulariser& omega, const Vector& scores, double temperature = default_temperature);

/// The maximum over the simplex of <p, s> - T Omega(p), which the weights p of apply() attain. For softmax it is T log
/// sum exp(s/T).
double programme_value(const Regulariser& omega, const Vector& scores,
                       double temperature = default_temperature);

/// Product J v of the Jacobian J = dp/ds of apply() with a vector v (`tangent`). J is symmetric, so the function also
/// converts a gradient in p to one in s. If a weight is at the point of leaving 0 (or 1), the one-sided derivative with
/// the weight fixed is used.
/// Cost     as apply
Vector jacobian_product(const Regulariser& omega, const Vector& scores, const Vector& tangent,
                        double temperature = default_temperature);

/// Product of the Jacobian dp/ds with `tangent`, like jacobian_product(), but computed from the weights p = p(s) if
/// they are already known.
Vector jacobian_product_at(const Regulariser& omega, const Vector& p, const Vector& tangent,
                           double temperature = default_temperature);

/// Derivative dp/dalpha of the weights p of entmax (also for alpha = 1, which is softmax) or normmax, computed from the
/// weights.
/// Errors   std::invalid_argument for other maps and for alpha = infinity
/// Source   Correia, Niculae and Martins 2019 (entmax), here rewritten to be accurate for alpha -> 1
Vector derivative_in_alpha_at(const Regulariser& omega, const Vector& p);

/// Value Omega(p) of the regulariser for the weights p. The table of SimplexMap has the formulas.
double omega_of(const Regulariser& omega, const Vector& p);
/// Value of the regulariser for n equal weights (1/n, for budget k/n), with the same bits as omega_of().
/// Cost  O(n) time, O(1) memory
double omega_uniform(const Regulariser& omega, Index n);

/// Margin of a map: if the best score leads every other by at least the margin times the temperature T, it gets all the
/// weight. The margin is 0 for argmax, infinite for softmax, 1/(alpha-1) for entmax, and 1 for the others. For budget,
/// the k best scores get 1 each if the k-th leads the next by T.
double margin(const Regulariser& omega);

/// Threshold tau of a map, as in the table of SimplexMap: an item gets a weight if its scaled score is above tau. If
/// tau is not unique (budget at a vertex), the function returns the largest.
/// Errors   std::invalid_argument for softmax, argmax, and entmax with alpha 1 or infinity, which have no threshold
double threshold(const Regulariser& omega, const Vector& scores, double temperature = default_temperature);

/// Returns the indices of the weights above 0, ascending.
std::vector<Index> support(const Vector& p);

/// Samples an index with probability p_i (hard attention), if `uniform` is drawn from [0, 1). Returns the first i with
/// uniform < p_0 + ... + p_i, or the last i with p_i > 0 if rounding leaves no such i.
/// Errors   std::invalid_argument if no p_i > 0 or uniform is outside [0, 1)
Index sample(const Vector& p, double uniform);

/// Computes the weights of a map if only the largest of n scores are known and all others are at most `others`. Returns
/// nothing if one of the other scores might get a weight; with softmax that is always so. Use it to stop a search for
/// large scores early.
/// Shapes   known (scores of a vector of `size`, by ascending index), others >= 0 -> (size)
/// Ranges   the same bits as apply() on all scores for sparsemax, argmax, and entmax with alpha 1.5 and 2; equal up to
///          rounding for other maps
/// Errors   as for apply()
/// Cost     at most that of apply() on the known scores
std::optional<SparseVector> weights_of_largest(const Regulariser& omega, Index size,
                                               const std::vector<SparseVector::Entry>& known, double others,
                                               double temperature = default_temperature);

}  // namespace engram::core
