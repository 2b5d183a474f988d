// SPDX-License-Identifier: MIT
// Attention over continuous time: a probability density over moments in place of weights on events. Use it to read out
// what happened around a time of interest, even between events. The density p maximises E_p[-(t-mu)^2 / (2 sigma^2)] -
// Omega_alpha(p), with mean mu, width sigma and the regulariser Omega_alpha of entmax. The output is the mean under p
// of a curve V(t) that is fitted to the events' values.
#pragma once

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Density over time t with centre mu, squared width sigma^2 and sparsity alpha: Gaussian for alpha = 1, otherwise 0
/// beyond a distance a from mu. With m = 1/(alpha-1) and B = B(1/2, m+1), Euler's beta function,
///   alpha = 1:  N(mu, sigma^2)
///   alpha > 1:  p(t) = [1 - ((t-mu)/a)^2]_+^m / (a B),  a = ((2 m sigma^2)^m / B)^(1/(2m+1)), which is
///               [(alpha-1)(-tau - (t-mu)^2/(2 sigma^2))]_+^m with -tau = a^2/(2 sigma^2).
/// Here [x]_+ is max(x, 0). Special cases by alpha: 4/3 is the triweight density, a^7 = (945/4) sigma^6; 3/2 the
/// biweight density, a^5 = 15 sigma^4; 2 a parabola, a^3 = (3/2) sigma^2. For alpha > 1, a is not proportional to
/// sigma, so the unit of time matters.
/// Source   Martins et al. 2020, "Sparse and Continuous Attention Mechanisms"; 2022, JMLR 23(257)
class TimeDensity {
 public:
  /// Creates the density with these parameters.
  /// Errors  std::invalid_argument unless 1 <= alpha <= 100, mu is finite, and sigma^2 is finite and > 0
  TimeDensity(double alpha, double mu, double sigma_squared);

  /// Half the length of the interval around mu in which the density is above 0: a, or infinite for alpha = 1.
  double half_support() const;
  /// Variance of the density: sigma^2 for alpha = 1, a^2 / (2m + 3) otherwise.
  double variance() const;
  /// The density at time t, with a relative error of about 1e-14 (for alpha near 1: relative to the peak).
  double at(double t) const;
  /// Expectation under the density of a Gaussian basis function psi = N(centre, width^2). Uses a closed form for alpha
  /// = 1. Otherwise integrates over the common support, in pieces as narrow as the narrower function and in coordinates
  /// relative to mu or the centre. Large |mu| and very different widths therefore do not lose digits.
  /// Errors   std::invalid_argument unless centre and width are finite and width > 0
  /// Cost     at most about 80 pieces of 30 points
  double expectation(double centre, double width) const;

 private:
  double at_offset(double offset) const;

  double mu_, sigma_;        // sigma for alpha = 1
  double m_ = 0;             // 1/(alpha-1); 0 for alpha = 1
  double a_ = 0, peak_ = 0;  // half support, p(mu)
};

/// Basis of b Gaussian functions of time, psi_j(t) = N(t; centre_j, width_j^2). A curve over time is a weighted sum of
/// them.
struct GaussianBasis {
  Vector centres, widths;  // (b), in the unit of time; widths > 0

  Index size() const { return centres.size(); }
  /// Values of the basis functions at l times: a matrix (b, l) with psi_j(t_l) in row j.
  Matrix at(const Vector& times) const;
  /// Expectations (b) of the basis functions under a density over time.
  Vector expectations(const TimeDensity& density) const;
};

/// Fit of curves over time to values of l events, by ridge regression with b basis functions psi. For values H (l, d),
/// the curve is V(t) = B' psi(t) with B = (F'F + ridge I)^-1 F'H; row i of F (l, b) holds the basis functions at the
/// time of event i. The object stores only the factorisation, so one fit serves any H. All processors give the same
/// bits.
class RidgeFit {
 public:
  /// Factorises the fit for events at `times` (l). A larger ridge makes the curves smoother.
  /// Errors  std::invalid_argument unless l >= 1, b >= 1, widths > 0, ridge >= 0 and F'F + ridge I is positive definite
  ///         to working precision (ridge > 0 makes it so unless it is tiny)
  /// Cost    O(l b^2 + b^3)
  RidgeFit(const Vector& times, const GaussianBasis& basis, double ridge);

  /// Weights (l) of the events in the output of attention, for explanations. r (b) are the expectations of the basis
  /// functions (GaussianBasis::expectations). For any values H (l, d) of the events, the output is the mean of their
  /// fitted curve, B' r, and equals H' w with these weights w. Weights can be negative.
  /// Cost  O(l b + b^2)
  Vector event_weights(const Vector& r) const;

 private:
  Matrix features_;  // F'
  Matrix factor_;    // L, lower, with L L' = F'F + ridge I
};

/// Result of continuous attention to l events with values of d numbers.
struct ContinuousContext {
  double mu = 0, sigma_squared = 0;  // mean and variance of the events' times, by their weights
  Vector r;                          // (b): expectations of the basis functions under the density
  Vector context;                    // (d): the output, the mean of the fitted curve under the density
};

/// Attends over time to l events. The events get the weights softmax(scores); mu and sigma^2 are the mean and variance
/// of their times by these weights, the variance at least `least_sigma_squared`. The context is the mean of the curve
/// that fits the values (RidgeFit), under the density TimeDensity(alpha, mu, sigma^2).
/// Shapes   values H (l, d), scores and times (l)
/// Errors   std::invalid_argument if shapes do not fit, or as the constructors of TimeDensity and RidgeFit
ContinuousContext continuous_context(const Matrix& values, const Vector& scores, const Vector& times,
                                     double alpha, double ridge, const GaussianBasis& basis,
                                     double least_sigma_squared);

/// Mean and variance of times under weights that sum to 1; time_moments() computes them.
struct TimeMoments {
  double mean = 0, variance = 0;
};
TimeMoments time_moments(const Vector& weights, const Vector& times);

}  // namespace engram::core
