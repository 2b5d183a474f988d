// SPDX-License-Identifier: MIT
// Simplex maps with a prior q, such as age, distance or an earlier budget:
//                        p(s) = argmax over the simplex of <p, s> - T D(p, q)
// for scores s, a temperature T, and a divergence D between the weights p and the prior. If all scores are equal, the
// weights are those of the prior.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/maps/simplex_map.hpp"

namespace engram::core {

/// Forms of the divergence D between the weights p and the prior q, for scores s and a temperature T. [x]_+ is max(x,
/// 0), tau is such that sum p = 1, and ~ omits a common factor. If all scores are equal and q is a distribution, p = q.
///   form       D(p, q)                       p_i
///   kl         sum p log(p/q)                ~ q_i exp(s_i/T): softmax of s + T log q
///   alpha      sum q_i phi(p_i/q_i)          q_i [(alpha-1) s_i/T - tau]_+^(1/(alpha-1)): entmax with a prior;
///                                            phi(u) = (u^alpha - u)/(alpha (alpha-1)), alpha >= 1 (1: kl)
///   euclidean  |p - q|^2 / 2                 [q_i + s_i/T - tau]_+: sparsemax; p_i may be above 0 for q_i = 0,
///                                            unlike in the other forms
enum class PriorForm : std::uint8_t { kl, alpha, euclidean };
/// Row of the table of forms: a form, its name in options, and the simplex map that it extends.
struct PriorFormFacts {
  PriorForm value;
  std::string_view name;
  SimplexMap map;  // the map without a prior
};
inline constexpr std::array<PriorFormFacts, 3> prior_forms{
    {{PriorForm::kl, "kl", SimplexMap::softmax},
     {PriorForm::alpha, "alpha", SimplexMap::entmax},
     {PriorForm::euclidean, "euclidean", SimplexMap::sparsemax}}};

/// A prior distribution q with the form of its divergence D. q need not be normalised; D uses q unchanged.
struct Prior {
  PriorForm form;
  Vector q;
  double alpha = 1.5;  // only for the form alpha
};

/// Computes the weights p for the scores s: the distribution that maximises <p, s> - T D(p, q), with the prior q and a
/// temperature T.
/// Shapes   q (n), s (n) -> (n), n >= 1
/// Ranges   q_i >= 0 with a finite sum, above 0 unless euclidean; T > 0; p sums to 1 up to rounding
/// Errors   std::invalid_argument for shapes or ranges that do not fit; this holds for all functions with a Prior
/// Cost     O(n) for kl, O(n log n) for euclidean, as entmax (core/maps/simplex_map.hpp) for alpha; deterministic
Vector apply(const Prior& prior, const Vector& scores, double temperature = default_temperature);

/// Divergence D(p, q) of a distribution p from the prior q. p is assumed to have a sum of exactly 1. The result is
/// infinite if some p_i > 0 has q_i = 0, except for euclidean.
double divergence(const Prior& prior, const Vector& p);

/// The maximum over distributions p of <p, s> - T D(p, q), which apply() attains. For kl it is T log sum q exp(s/T).
double programme_value(const Prior& prior, const Vector& scores, double temperature = default_temperature);

/// Product J v of the Jacobian J = dp/ds of apply() with a vector v (`tangent`). J is symmetric, so the function also
/// converts a gradient in p to one in s.
Vector jacobian_product(const Prior& prior, const Vector& scores, const Vector& tangent,
                        double temperature = default_temperature);

/// Makes the prior q_i ~ exp(-rate age_i), normalised to sum 1: exponential forgetting. A kl prior of this kind
/// subtracts T rate age_i from the scores, which is a linear age bias (ALiBi) with that slope.
/// Errors   std::invalid_argument for no age, or if an age or the rate is not finite
Vector age_prior(const Vector& ages, double rate);

/// Makes the prior q_i ~ e^(-u^2/2), u = distance_i / bandwidth, normalised to sum 1: the weights of a kernel smoother.
/// Errors   std::invalid_argument for no distance, one that is not finite, or bandwidth <= 0
/// Source   Nadaraya 1964; Watson 1964
Vector kernel_prior(const Vector& distances, double bandwidth);

}  // namespace engram::core
