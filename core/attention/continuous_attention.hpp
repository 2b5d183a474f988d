// SPDX-License-Identifier: MIT
// Attention over continuous time: a probability density over moments in place of weights on events. The density
// maximises E_p[-(t-mu)^2 / (2 sigma^2)] - Omega_alpha(p), and the output is the mean of a curve V(t) fitted to the
// events' values.
#pragma once

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// The density with parameters alpha, mu and sigma^2. With m = 1/(alpha-1) and B = B(1/2, m+1), Euler's beta function,
///   alpha = 1:  N(mu, sigma^2)
///   alpha > 1:  p(t) = [1 - ((t-mu)/a)^2]_+^m / (a B),  a = ((2 m sigma^2)^m / B)^(1/(2m+1)), which is
///               [(alpha-1)(-tau - (t-mu)^2/(2 sigma^2))]_+^m with -tau = a^2/(2 sigma^2): 0 beyond mu +- a.
/// 4/3: triweight, a^7 = (945/4) sigma^6; 3/2: biweight, a^5 = 15 sigma^4; 2: parabola, a^3 = (3/2) sigma^2.
/// For alpha > 1, a is not proportional to sigma, so the unit of time matters.
/// Source   Martins et al. 2020, "Sparse and Continuous Attention Mechanisms"; 2022, JMLR 23(257)
class TimeDensity {
 public:
  /// Errors  std::invalid_argument unless 1 <= alpha <= 100, mu is finite, and sigma^2 is finite and > 0
  TimeDensity(double alpha, double mu, double sigma_squared);

  /// a; infinite for alpha = 1.
  double half_support() const;
  /// sigma^2 for alpha = 1, a^2 / (2m + 3) otherwise.
  double variance() const;
  /// p(t), with a relative error of about 1e-14 (for alpha near 1: relative to the peak).
  double at(double t) const;
  /// E_p[psi] for the Gaussian basis function psi = N(centre, width^2). Uses a closed form for alpha = 1. Otherwise
  /// integrates over the common support, in pieces as narrow as the narrower function and in coordinates relative to mu
  /// or the centre. Large |mu| and very different widths therefore do not lose digits.
  /// Errors   std::invalid_argument unless centre and width are finite and width > 0
  /// Cost     at most about 80 pieces of 30 points
  double expectation(double centre, double width) const;

 private:
  double at_offset(double offset) const;

  double mu_, sigma_;        // sigma for alpha = 1
  double m_ = 0;             // 1/(alpha-1); 0 for alpha = 1
  double a_ = 0, peak_ = 0;  // half support, p(mu)
};

/// Gaussian basis functions psi_j(t) = N(t; centre_j, width_j^2).
struct GaussianBasis {
  Vector centres, widths;  // (b), widths > 0

  Index size() const { return centres.size(); }
  /// F' (b, l): psi_j(t_l) in row j.
  Matrix at(const Vector& times) const;
  /// r (b): r_j = E_p[psi_j].
  Vector expectations(const TimeDensity& density) const;
};

/// Ridge regression with basis functions, V(t) = B' psi(t) with B = (F'F + ridge I)^-1 F'H for values H (l, d) of l
/// events. Stores the factorisation, so one fit serves any H. All processors give the same bits.
class RidgeFit {
 public:
  /// Errors  std::invalid_argument unless l >= 1, b >= 1, widths > 0, ridge >= 0 and F'F + ridge I is
  ///         positive definite to working precision (ridge > 0 makes it so unless it is tiny)
  /// Cost    O(l b^2 + b^3)
  RidgeFit(const Vector& times, const GaussianBasis& basis, double ridge);

  /// w (l) with B' r = H' w: the weight of each event's value in the context. Weights can be negative.
  /// Cost  O(l b + b^2)
  Vector event_weights(const Vector& r) const;

 private:
  Matrix features_;  // F'
  Matrix factor_;    // L, lower, with L L' = F'F + ridge I
};

/// The result of continuous attention.
struct ContinuousContext {
  double mu = 0, sigma_squared = 0;
  Vector r;        // (b)
  Vector context;  // (d): B' r
};

/// Attends over time: p = softmax(scores), mu = sum p t, sigma^2 = max(sum p (t-mu)^2, least_sigma_squared), r = E[psi]
/// under the density, context = B' r.
/// Shapes   values H (l, d), scores and times (l)
/// Errors   std::invalid_argument if shapes do not fit, or as TimeDensity and RidgeFit
ContinuousContext continuous_context(const Matrix& values, const Vector& scores, const Vector& times,
                                     double alpha, double ridge, const GaussianBasis& basis,
                                     double least_sigma_squared);

/// Mean and variance of times under weights that sum to 1.
struct TimeMoments {
  double mean = 0, variance = 0;
};
TimeMoments time_moments(const Vector& weights, const Vector& times);

}  // namespace engram::core
