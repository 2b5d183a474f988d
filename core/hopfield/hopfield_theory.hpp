// SPDX-License-Identifier: MIT
// Theory of Hopfield networks with random patterns: quality of recall and capacity. With N spins and P patterns the
// load is P/N. Functions without N are limits for N -> infinity. Overlaps are in [-1, 1]; m = 1 is the pattern itself,
// and a state of overlap m has (1-m)/2 of its bits wrong.
#pragma once

namespace engram::core {

/// Standard normal distribution function Phi(x).   Relative error below 1e-13 for x > -30
double normal_cdf(double x);

/// Critical load of a Hopfield network at temperature 0: the load above which no stable state is near a pattern, and
/// the overlap at that load. Replica-symmetric theory; full symmetry breaking raises the load from 0.137906 to about
/// 0.138186.
/// Source  Amit, Gutfreund and Sompolinsky 1985, 1987; Stojnic 2024 (breaking)
struct CriticalLoad {
  double load, overlap;
};
CriticalLoad critical_load();

/// Overlap m of the retrieval state with its pattern at temperature 0. It is m = erf(y) with y the largest root of
///     erf(y)/y - 2 exp(-y^2)/sqrt(pi) = sqrt(2 load);    0 above the critical load.
/// Errors  std::invalid_argument unless load >= 0
/// Source  Amit, Gutfreund and Sompolinsky 1987
double retrieval_overlap(double load);

/// Overlap m of the retrieval state with its pattern at temperature T. It is the fixed point, iterated from m = 1, of
///     m = E tanh((m + sqrt(load r) z)/T),  q = E tanh^2(...),  r = q/(1 - (1-q)/T)^2,
/// with the expectation E over a standard normal z. Without load the result is the ferromagnet's m = tanh(m/T). Near
/// the transition the iteration is slow; it stops after 100,000 steps.
/// Errors   std::invalid_argument unless load >= 0 and temperature > 0
double retrieval_overlap(double load, double temperature);

/// Probability that a spin of a stored pattern flips at the first step of recall: Phi(-sqrt((N-1)/(P-1))) for N spins
/// and P patterns; 0 for P = 1. Phi is normal_cdf().
/// Errors  std::invalid_argument unless N >= 2 and P >= 1
/// Source  Hertz, Krogh and Palmer 1991, section 2.2
double one_step_error(double spins, double patterns);

/// Probability that a pattern is a fixed point, if the flips of its N spins were independent, each with the probability
/// one_step_error().
/// Errors  as one_step_error()
/// Source  McEliece et al. 1987
double stable_pattern_chance(unsigned spins, double patterns);

/// Overlap m of the retrieval state with its pattern on a sparse directed graph with C inputs of every spin. With P
/// patterns the load is P/C, and m is the largest root of m = erf(m / sqrt(2 load)); it is 0 for loads of at least
/// 2/pi.
/// Errors  std::invalid_argument unless load >= 0
/// Source  Derrida, Gardner and Zippelius 1987
double diluted_overlap(double load);

/// Probability that a spin of a stored pattern flips at the first step in a dense associative memory with F = x^n
/// (`degree` n), N spins and P patterns:
///     Phi(-sqrt(N^(n-1) / ((2n-3)!! (P-1)))).
/// Errors  as one_step_error(), and std::invalid_argument unless degree >= 2
/// Source  Krotov and Hopfield 2016
double dense_one_step_error(double spins, double patterns, unsigned degree);

/// Number of patterns P at which dense_one_step_error() equals `error`: N^(n-1) / ((2n-3)!! z^2) with Phi(-z) = error,
/// N spins and the degree n. Use it as the capacity of a dense memory.
/// Errors  as dense_one_step_error(), and std::invalid_argument unless 0 < error < 1/2
double dense_capacity(double spins, double error, unsigned degree);

}  // namespace engram::core
