// SPDX-License-Identifier: MIT
// What theory says of Hopfield networks that hold random patterns: how good a recall is, and how many
// patterns are too many. N spins, P patterns, the load is P/N; results hold for N -> infinity where N is no
// argument. Overlaps are in [-1, 1], m = 1 the pattern itself, and an overlap m has (1-m)/2 of its bits
// wrong.
#pragma once

namespace engram::core {

/// Phi(x), the share of a standard normal distribution below x.   Relative error below 1e-13 for x > -30
double normal_cdf(double x);

/// Where retrieval ends without noise: the load above which no state is near a pattern, and the overlap
/// there. Replica-symmetric theory; full symmetry breaking raises the load from 0.137906 to some 0.138186.
/// Source  Amit, Gutfreund and Sompolinsky 1985, 1987; Stojnic 2024 (breaking)
struct CriticalLoad {
  double load, overlap;
};
CriticalLoad critical_load();

/// Overlap of the retrieval state with its pattern without noise: m = erf(y), y the largest root of
///     erf(y)/y - 2 exp(-y^2)/sqrt(pi) = sqrt(2 load);    0 above the critical load.
/// Errors  std::invalid_argument unless load >= 0
/// Source  Amit, Gutfreund and Sompolinsky 1987
double retrieval_overlap(double load);

/// The same at temperature T: m = E tanh((m + sqrt(load r) z)/T), q = E tanh^2(...), r = q/(1 - (1-q)/T)^2
/// over a standard normal z, iterated from m = 1. Without load it is the ferromagnet's m = tanh(m/T). Near
/// where the state ceases to exist the iteration is slow, and ends after 100,000 steps wherever it is.
/// Errors   std::invalid_argument unless load >= 0 and temperature > 0
double retrieval_overlap(double load, double temperature);

/// Chance that a spin of a stored pattern turns at the first step, Phi(-sqrt((N-1)/(P-1))); 0 for P = 1.
/// Errors  std::invalid_argument unless N >= 2 and P >= 1: so all that follow
/// Source  Hertz, Krogh and Palmer 1991, section 2.2
double one_step_error(double spins, double patterns);

/// Chance that none of its N spins does, if they were independent: the pattern is a fixed point.
/// Source  McEliece et al. 1987
double stable_pattern_chance(unsigned spins, double patterns);

/// Overlap on a sparse directed graph where every spin hears C others, load = P/C: m = erf(m / sqrt(2 load)),
/// 0 from load 2/pi on.
/// Source  Derrida, Gardner and Zippelius 1987
double diluted_overlap(double load);

/// Chance that a spin turns at the first step in a dense associative memory, F = x^n:
///     Phi(-sqrt(N^(n-1) / ((2n-3)!! (P-1)))).
/// Errors  std::invalid_argument also unless degree >= 2
/// Source  Krotov and Hopfield 2016
double dense_one_step_error(double spins, double patterns, unsigned degree);

/// How many patterns bring that chance to `error`, N^(n-1) / ((2n-3)!! z^2) with Phi(-z) = error.
/// Errors  std::invalid_argument unless 0 < error < 1/2
double dense_capacity(double spins, double error, unsigned degree);

}  // namespace engram::core
