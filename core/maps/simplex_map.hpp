// SPDX-License-Identifier: MIT
// From scores s to weights p, in two sentences. To point weights p >= 0, sum p = 1, as far as possible along
// the scores is to maximise <p, s>, a linear function, and its maximum is a vertex: all weight on the best
// score (argmax). Take a convex regulariser Omega off, which is the larger the more p leans to one side,
//                        p(s) = argmax over the simplex of <p, s> - T Omega(p),
// and the weight spreads: evenly for a temperature T -> infinity, back to the vertex for T -> 0. Shannon's
// Omega never gives a weight of exactly 0 (softmax); the others do, and where the best score leads by T times
// their margin they give the vertex itself. The value reached, T Omega*(s/T), is convex in s; p is its
// gradient, and dp/ds, its second derivative, is symmetric.
// Source  Blondel, Martins and Niculae 2020, "Learning with Fenchel-Young Losses"
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Which Omega. [x]_+ is max(x, 0), tau makes the sum of the weights right, ~ leaves a common factor to that.
///   map        Omega(p)                              p_i
///   softmax    sum p log p                           ~ exp(s_i/T)
///   sparsemax  |p|^2 / 2                             [s_i/T - tau]_+
///   entmax     sum (p^alpha - p)/(alpha (alpha-1))   [(alpha-1) s_i/T - tau]_+^(1/(alpha-1)): softmax
///                                                    at alpha 1, sparsemax at 2, argmax at infinity
///   normmax    (sum p^alpha)^(1/alpha), alpha > 1    ~ [s_i/T - tau]_+^(1/(alpha-1))
///   budget     |p|^2 / 2 where p_i <= 1, sum p = k   min([s_i/T - tau]_+, 1): k things at once
///   argmax     0                                     1 for the best score, of the lowest index where tied
/// Sources  sparsemax: Martins and Astudillo 2016; entmax: Peters, Niculae and Martins 2019; normmax: Blondel
///          et al. 2020; budget: Niculae et al. 2018 (SparseMAP over k-subsets)
enum class SimplexMap : std::uint8_t { softmax, sparsemax, entmax, normmax, budget, argmax };

/// Omega with its parameters; each map reads only its own.
struct Regulariser {
  SimplexMap map;
  double alpha;  // entmax (>= 1) and normmax (> 1), infinity allowed
  Index k;       // budget, from 1 to the number of scores
  // NOLINTNEXTLINE(google-explicit-constructor): a map's name alone is a regulariser
  Regulariser(SimplexMap of_map, double of_alpha = 1.5, Index of_k = 1)
      : map(of_map), alpha(of_alpha), k(of_k) {}
  bool operator==(const Regulariser&) const = default;
  /// For so many scores: a budget for more than there are would have no weights to give.
  Regulariser at_most(Index scores) const { return {map, alpha, k < scores ? k : scores}; }
};

/// A map, its name, and what it does.
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
/// The map's row in that table.
constexpr const SimplexMapFacts& facts(SimplexMap map) { return row_of(simplex_maps, map); }

inline constexpr double usual_temperature = 1;  // of every map: scores as they are

/// The distribution p(s) (budget: weights of sum k).
/// Shapes   s (n) -> (n), n >= 1
/// Ranges   temperature > 0; p_i >= 0, their sum right up to rounding, equal for equal scores (not argmax)
/// Errors   std::invalid_argument for no scores, a score that is not finite, temperature <= 0, alpha or k out
///          of range; these hold for every function below
/// Cost     O(n) softmax and argmax, O(n log n) the others; entmax but for alpha 1.5 and 2, and normmax, find
///          tau to the last digits by Newton steps of O(n). Deterministic
Vector apply(const Regulariser& omega, const Vector& scores, double temperature = usual_temperature);

/// The maximised value <p, s> - T Omega(p): T log sum exp(s/T) for softmax.
double programme_value(const Regulariser& omega, const Vector& scores,
                       double temperature = usual_temperature);

/// J v with J = dp/ds; J is symmetric, so this is also the pull-back of a gradient by p to one by s. Where a
/// weight is just about to leave 0 (or 1), the derivative of the side on which it stays there.
/// Cost     that of apply
Vector jacobian_product(const Regulariser& omega, const Vector& scores, const Vector& tangent,
                        double temperature = usual_temperature);

/// The same from the weights, for those who have them already: it depends on s through p alone.
Vector jacobian_product_at(const Regulariser& omega, const Vector& p, const Vector& tangent,
                           double temperature = usual_temperature);

/// dp/dalpha of entmax (alpha = 1 included: softmax's way to sparsity) and normmax, from the weights.
/// Errors   std::invalid_argument for other maps and for alpha = infinity
/// Source   Correia, Niculae and Martins 2019 (entmax), here rewritten to lose nothing as alpha -> 1
Vector derivative_in_alpha_at(const Regulariser& omega, const Vector& p);

/// Omega(p).
double omega_of(const Regulariser& omega, const Vector& p);
/// Omega of n equal weights, of 1/n each, k/n for budget, to the last bit.  Cost  O(n), without room for them
double omega_uniform(const Regulariser& omega, Index n);

/// A score that leads every other by margin T gets everything, p = 1, and by less does not: 0 for argmax,
/// infinite (never) for softmax, 1/(alpha-1) for entmax, else 1. For budget: the k best get 1 each and the
/// others nothing where the k-th leads the next by T.
double margin(const Regulariser& omega);

/// tau of the table above, in its units; where an interval of them serves (budget at a vertex), the largest.
/// Errors   std::invalid_argument for softmax and argmax, entmax with alpha 1 or infinite: they have none
double threshold(const Regulariser& omega, const Vector& scores, double temperature = usual_temperature);

/// The indices of p_i > 0, in their order.
std::vector<Index> support(const Vector& p);

/// Hard attention: the first i with uniform < p_0 + ... + p_i; the last i with p_i > 0 where rounding leaves
/// none. With uniform drawn from [0, 1), i comes up with probability p_i.
/// Errors   std::invalid_argument if no p_i > 0 or uniform is outside [0, 1)
Index sample(const Vector& p, double uniform);

}  // namespace engram::core
