// SPDX-License-Identifier: MIT
// The weights behind entmax, normmax and the sparse prior: powers of what rises above a threshold.
#pragma once

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// The law that weights follow (power_weights).
struct PowerLaw {
  double slope;     // a > 0
  double exponent;  // q > 0, of the sum that fixes the threshold
  double power;     // r >= 0, of the weights; above 1 needs q >= 1
};

/// p_i ~ m_i u_i^r with u_i = [a s_i/T - tau]_+ and tau such that sum_i m_i u_i^q = 1; p_i = 0 where u_i = 0.
/// The threshold is never formed. For r >= 1, where p is a Lipschitz function of s, what is sought is u of
/// the best score, the others being 1 + a (s_i - s_best)/(T u) times it, so that nothing is lost as r ->
/// infinity (softmax). For r < 1 a small u_i makes no small p_i, so what is sought is u of the least score
/// that keeps any weight, and the others are it plus positive numbers: it is right to a rounding of 1, and
/// above 0 however close to leaving it is.
/// Shapes   s (n), m (n) or empty for all 1 -> (n)
/// Ranges   s finite, T > 0, m_i >= 0 and not all 0, unchecked; p sums to 1 up to rounding
/// Cost     O(n) a Newton step (six to twenty), and for r < 1 a sort; deterministic
Vector power_weights(const PowerLaw& law, const Vector& scores, double temperature,
                     const Vector& masses = {});

}  // namespace engram::core
