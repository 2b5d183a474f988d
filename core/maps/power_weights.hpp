// SPDX-License-Identifier: MIT
// Weights that are powers of scores above a threshold, for entmax, normmax and the alpha prior.
#pragma once

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Parameters of power_weights(): the constants of its formula.
struct PowerLaw {
  double slope;     // a > 0
  double exponent;  // q > 0, of the sum that determines the threshold
  double power;     // r >= 0, of the weights; above 1 needs q >= 1
};

/// Computes weights p that sum to 1 from scores s and masses m (for example a prior) at a temperature T. The weights
/// are proportional to powers of the scores above a threshold tau:
///     p_i ~ m_i u_i^r  with  u_i = max(a s_i/T - tau, 0)  and tau such that  sum_i m_i u_i^q = 1.
/// Here a is the slope, q the exponent and r the power of the law. If u_i = 0, then p_i = 0, also for r = 0.
/// The function does not compute tau itself, which would lose precision. For r >= 1 the unknown is u of the best score.
/// The other u_i are 1 + a (s_i - s_best)/(T u) times it, which is accurate for r -> infinity (softmax). For r < 1 a
/// small u_i may have a large p_i. The unknown is then u of the least score with a weight, and the other u_i are it
/// plus positive numbers.
/// Shapes   s (n), m (n) or empty for all 1 -> (n)
/// Ranges   s finite, T > 0, m_i >= 0 and not all 0, unchecked; p sums to 1 up to rounding
/// Cost     O(n) per Newton step (6 to 20 steps), and a sort for r < 1; deterministic
Vector power_weights(const PowerLaw& law, const Vector& scores, double temperature,
                     const Vector& masses = {});

}  // namespace engram::core
