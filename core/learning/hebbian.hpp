// SPDX-License-Identifier: MIT
// Hebbian learning rules for activity over time. They link units that fire together or in sequence. An activity (T, n)
// has a row a(t) per time and a column per unit. core/learning/principal_components.hpp has the rules of Oja and
// Sanger, core/learning/pattern_weights.hpp has rules for +1/-1 patterns.
#pragma once

#include "core/learning/principal_components.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// One step of Hebb's rule with decay for the weights W and an activity a:  W <- (1 - decay) W + eta a a', with zero
/// diagonal. Without decay W grows without bound; with decay it converges to eta / decay times the mean of a a'.
/// Shapes   W (n, n), a (n).
/// Ranges   decay in [0, 1]; eta < 0 unlearns.
/// Cost     O(n^2)
/// Errors   std::invalid_argument if shapes do not fit, outside the ranges or for a number that is not finite
void hebb_step(Matrix& w, const Vector& a, double eta, double decay);

/// Applies hebb_step() to each row of an activity in order, starting from W = 0, and returns the weights W.
/// Shapes   (T, n) -> (n, n), symmetric.    Cost  O(T n^2)
Matrix hebb_decay_weights(const Matrix& activity, double eta, double decay);

/// Covariance rule for an activity with rows a(t): W = (1/T) sum_t (a(t) - mean)(a(t) - mean)', with zero diagonal. Use
/// it for sparse 0/1 codes: Hebb's rule would link frequent units to all others, the covariance does not.
/// Shapes   (T, n), T >= 1 -> (n, n), symmetric.    Cost  O(T n^2)
/// Errors   std::invalid_argument for T = 0 or a number that is not finite
Matrix covariance_weights(const Matrix& activity);

/// Sequence rule for an activity with rows a(t): W = (1/n) sum_t a(t+1) a(t)', with diagonal. The weights map each
/// state to the next one.
/// Shapes   (T, n) -> (n, n), not symmetric; 0 for T < 2.    Cost  O(T n^2)
/// Errors   std::invalid_argument for a number that is not finite
Matrix sequence_weights(const Matrix& activity);

/// Applies oja_step() or sanger_step() to each row of an activity in order, starting from the weights w0, and returns
/// the weights.
/// Shapes   activity (T, n), w0 (k, n) -> (k, n).    Cost  O(T k n)
/// Errors   std::invalid_argument if shapes do not fit or a number is not finite
Matrix learn_units(ComponentRule rule, Matrix w0, const Matrix& activity, double eta);

/// Unit of the BCM rule (Bienenstock, Cooper, Munro) with the output y = w.x for an input x. The weights w move towards
/// x if y exceeds the threshold theta, otherwise away from x. theta follows y^2, so that the unit becomes selective for
/// few inputs.
struct BcmUnit {
  Vector w;          // (n)
  double theta = 0;  // the sliding threshold
};

/// One step of the BCM rule for an input x with output y = w.x: w += eta x y (y - theta), then theta += (y^2 - theta) /
/// tau. eta is the learning rate and tau the time constant of the threshold.
/// Errors   std::invalid_argument if shapes do not fit, unless tau > 0, or if a number is not finite
/// Source   Bienenstock, Cooper and Munro 1982; the threshold of Intrator and Cooper 1992
void bcm_step(BcmUnit& unit, const Vector& x, double eta, double tau);

/// Parameters of spike-timing-dependent plasticity (STDP), which links a unit to units that fire shortly after it.
struct StdpWindow {
  double a_plus = 1, a_minus = 1;        // largest increase and decrease
  double tau_plus = 20, tau_minus = 20;  // time constants of the decay, in the unit of dt; chosen
};

/// Weight change by STDP for spikes at times dt = t_post - t_pre apart: a_plus e^(-dt / tau_plus) for dt > 0, -a_minus
/// e^(dt / tau_minus) for dt < 0, and 0 for dt = 0.
/// Errors   std::invalid_argument unless both tau > 0, both a are finite and dt is a number
double stdp_change(double dt, const StdpWindow& window);

}  // namespace engram::core
