// SPDX-License-Identifier: MIT
// Attention with a starting importance q: what is known before looking (age, nearness, an earlier budget) is
// what the weights fall back to where the scores say nothing,
//                        p(s) = argmax over the simplex of <p, s> - T D(p, q).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/maps/simplex_map.hpp"

namespace engram::core {

/// Which D. Where all scores are equal and q is a distribution, p = q.
///   form       D(p, q)                       p_i
///   kl         sum p log(p/q)                ~ q_i exp(s_i/T): softmax of s + T log q
///   alpha      sum q_i phi(p_i/q_i)          q_i [(alpha-1) s_i/T - tau]_+^(1/(alpha-1)): entmax with a q;
///                                            phi(u) = (u^alpha - u)/(alpha (alpha-1)), alpha >= 1 (1: kl)
///   euclidean  |p - q|^2 / 2                 [q_i + s_i/T - tau]_+: sparsemax; here alone q_i = 0 does not
///                                            forbid i
enum class PriorForm : std::uint8_t { kl, alpha, euclidean };
/// A form, its name, and what it does.
struct PriorFormFacts {
  PriorForm value;
  std::string_view name;
  SimplexMap map;  // what it is without a prior
};
inline constexpr std::array<PriorFormFacts, 3> prior_forms{
    {{PriorForm::kl, "kl", SimplexMap::softmax},
     {PriorForm::alpha, "alpha", SimplexMap::entmax},
     {PriorForm::euclidean, "euclidean", SimplexMap::sparsemax}}};

/// q need not be normalised; D is taken of q as it stands.
struct Prior {
  PriorForm form;
  Vector q;
  double alpha = 1.5;  // of the form alpha
};

/// The distribution p(s).
/// Shapes   q (n), s (n) -> (n), n >= 1
/// Ranges   q_i >= 0 with a finite sum, above 0 unless euclidean; T > 0; p sums to 1 up to rounding
/// Errors   std::invalid_argument for shapes or ranges that do not fit; these hold for every function below
/// Cost     O(n) kl, O(n log n) euclidean, alpha as entmax (core/maps/simplex_map.hpp); deterministic
Vector apply(const Prior& prior, const Vector& scores, double temperature = usual_temperature);

/// D(p, q) of a distribution p, whose sum is taken to be 1 exactly; infinite where p_i > 0 = q_i, unless it
/// is euclidean.
double divergence(const Prior& prior, const Vector& p);

/// The maximised value <p, s> - T D(p, q): T log sum q exp(s/T) for kl.
double programme_value(const Prior& prior, const Vector& scores, double temperature = usual_temperature);

/// J v with J = dp/ds, symmetric as without a prior.
Vector jacobian_product(const Prior& prior, const Vector& scores, const Vector& tangent,
                        double temperature = usual_temperature);

/// q_i ~ exp(-rate age_i), of sum 1: forgetting at a constant rate. As a kl prior it takes T rate age_i off
/// the scores, which is a linear age bias (ALiBi) of that slope.
/// Errors   std::invalid_argument for no age, or if an age or the rate is not finite
Vector age_prior(const Vector& ages, double rate);

/// q_i ~ e^(-u^2/2), u = distance_i / bandwidth, of sum 1: a kernel smoother's weights (Nadaraya and Watson
/// 1964).
/// Errors   std::invalid_argument for no distance, one that is not finite, or bandwidth <= 0
Vector kernel_prior(const Vector& distances, double bandwidth);

}  // namespace engram::core
