// SPDX-License-Identifier: MIT
// Hebbian rules on activity: what fires together, or one after the other, is linked. a(t) is row t of an
// activity (T, n), one unit a column. Oja's and Sanger's steps are in core/learning/principal_components.hpp,
// rules for +1/-1 patterns in core/learning/pattern_weights.hpp.
#pragma once

#include "core/learning/principal_components.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Hebb's rule with forgetting, one step:  W <- (1 - decay) W + eta a a', zero diagonal. Without decay W
/// grows for as long as it learns; with it W comes to (eta / decay) <a a'>.
/// Shapes   W (n, n), a (n).
/// Ranges   decay in [0, 1]; eta < 0 unlearns.
/// Cost     O(n^2)
/// Errors   std::invalid_argument if shapes do not fit, outside the ranges or for a number that is not finite
void hebb_step(Matrix& w, const Vector& a, double eta, double decay);

/// hebb_step over the rows of an activity, from W = 0.
/// Shapes   (T, n) -> (n, n), symmetric.    Cost  O(T n^2)
Matrix hebb_decay_weights(const Matrix& activity, double eta, double decay);

/// W = (1/T) sum_t (a(t) - mean)(a(t) - mean)', zero diagonal. What is always on is linked to nothing: needed
/// for sparse 0/1 codes, whose common units would be linked to everything.
/// Shapes   (T, n), T >= 1 -> (n, n), symmetric.    Cost  O(T n^2)
/// Errors   std::invalid_argument for T = 0 or a number that is not finite
Matrix covariance_weights(const Matrix& activity);

/// W = (1/n) sum_t a(t+1) a(t)', diagonal kept: from each state to the next.
/// Shapes   (T, n) -> (n, n), not symmetric; 0 for T < 2.    Cost  O(T n^2)
/// Errors   std::invalid_argument for a number that is not finite
Matrix sequence_weights(const Matrix& activity);

/// oja_step or sanger_step over the rows of an activity, from W = w0.
/// Shapes   activity (T, n), w0 (k, n) -> (k, n).    Cost  O(T k n)
/// Errors   std::invalid_argument if shapes do not fit or a number is not finite
Matrix learn_units(ComponentRule rule, Matrix w0, const Matrix& activity, double eta);

/// A unit of Bienenstock, Cooper and Munro: y = w.x drives w towards x where y is above the threshold theta
/// and away where it is below, and theta follows y^2, so that the unit comes to answer few inputs strongly.
struct BcmUnit {
  Vector w;          // (n)
  double theta = 0;  // the sliding threshold
};

/// w += eta x y (y - theta) by the old theta, then theta += (y^2 - theta) / tau.
/// Errors   std::invalid_argument if shapes do not fit, unless tau > 0, or if a number is not finite
/// Source   Bienenstock, Cooper and Munro 1982; the threshold of Intrator and Cooper 1992
void bcm_step(BcmUnit& unit, const Vector& x, double eta, double tau);

/// Learning by the time between two spikes: who fires first is linked to who fires next.
struct StdpWindow {
  double a_plus = 1, a_minus = 1;        // the greatest change up and down
  double tau_plus = 20, tau_minus = 20;  // how fast it falls with the distance; chosen, in units of the times
};

/// dw = a_plus e^(-dt / tau_plus) for dt = t_post - t_pre > 0, -a_minus e^(dt / tau_minus) for dt < 0, 0 at
/// 0.
/// Errors   std::invalid_argument unless both tau > 0, both a are finite and dt is a number
double stdp_change(double dt, const StdpWindow& window);

}  // namespace engram::core
