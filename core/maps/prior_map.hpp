// SPDX-License-Identifier: MIT
// Simplex maps with a prior q, such as age, distance or an earlier budget:
//                        p(s) = argmax over the simplex of <p, s> - T D(p, q).
// If all scores are equal, the weights are those of the prior.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/maps/simplex_map.hpp"

namespace engram::core {

/// Forms of the divergence D. If all scores are equal and q is a distribution, p = q.
///   form       D(p, q)                       p_i
///   kl         sum p log(p/q)                ~ q_i exp(s_i/T): softmax of s + T log q
///   alpha      sum q_i phi(p_i/q_i)          q_i [(alpha-1) s_i/T - tau]_+^(1/(alpha-1)): entmax with a prior;
///                                            phi(u) = (u^alpha - u)/(alpha (alpha-1)), alpha >= 1 (1: kl)
///   euclidean  |p - q|^2 / 2                 [q_i + s_i/T - tau]_+: sparsemax; p_i may be above 0 for q_i = 0,
///                                            unlike in the other forms
enum class PriorForm : std::uint8_t { kl, alpha, euclidean };
/// Row of the table of forms.
struct PriorFormFacts {
  PriorForm value;
  std::string_view name;
  SimplexMap map;  // the map without a prior
};
inline constexpr std::array<PriorFormFacts, 3> prior_forms{
    {{PriorForm::kl, "kl", SimplexMap::softmax},
     {PriorForm::alpha, "alpha", SimplexMap::entmax},
     {PriorForm::euclidean, "euclidean", SimplexMap::sparsemax}}};

/// A prior. q need not be normalised; D uses q unchanged.
struct Prior {
  PriorForm form;
  Vector q;
  double alpha = 1.5;  // only for the form alpha
};

/// The distribution p(s).
/// Shapes   q (n), s (n) -> (n), n >= 1
/// Ranges   q_i >= 0 with a finite sum, above 0 unless euclidean; T > 0; p sums to 1 up to rounding
/// Errors   std::invalid_argument for shapes or ranges that do not fit; this holds for every function below
/// Cost     O(n) for kl, O(n log n) for euclidean, as entmax (core/maps/simplex_map.hpp) for alpha; deterministic
Vector apply(const Prior& prior, const Vector& scores, double temperature = default_temperature);

/// D(p, q) of a distribution p; its sum is assumed to be exactly 1. Infinite if p_i > 0 = q_i, except for euclidean.
double divergence(const Prior& prior, const Vector& p);

/// The maximised value <p, s> - T D(p, q): T log sum q exp(s/T) for kl.
double programme_value(const Prior& prior, const Vector& scores, double temperature = default_temperature);

/// J v with the Jacobian J = dp/ds, which is symmetric.
Vector jacobian_product(const Prior& prior, const Vector& scores, const Vector& tangent,
                        double temperature = default_temperature);

/// Prior q_i ~ exp(-rate age_i) of sum 1: exponential forgetting. A kl prior of this kind subtracts T rate age_i from
/// the scores, which is a linear age bias (ALiBi) with that slope.
/// Errors   std::invalid_argument for no age, or if an age or the rate is not finite
Vector age_prior(const Vector& ages, double rate);

/// Prior q_i ~ e^(-u^2/2), u = distance_i / bandwidth, of sum 1: the weights of a kernel smoother.
/// Errors   std::invalid_argument for no distance, one that is not finite, or bandwidth <= 0
/// Source   Nadaraya 1964; Watson 1964
Vector kernel_prior(const Vector& distances, double bandwidth);

}  // namespace engram::core
