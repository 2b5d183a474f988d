// SPDX-License-Identifier: MIT
// Reference implementations of all simplex maps: the regularisers Omega by their definitions in long double, and a
// solver of argmax <p, s>/T - Omega(p) that uses only the partial derivatives of Omega.
#pragma once

#include "core/maps/simplex_map.hpp"
#include "core/numbers/random.hpp"
#include "tests/core/samples.hpp"

namespace engram::core::samples {

/// All maps for n scores. The parameters of entmax and normmax cover every branch of their code.
inline std::vector<Regulariser> regularisers(Index n) {
  std::vector<Regulariser> all{SimplexMap::softmax, SimplexMap::sparsemax, SimplexMap::argmax};
  for (const double alpha : {1.0, 1.1, 1.5, 1.7, 2.0, 2.2, 3.0}) all.push_back({SimplexMap::entmax, alpha});
  for (const double alpha : {1.2, 1.5, 2.0, 3.0}) all.push_back({SimplexMap::normmax, alpha});
  for (const Index k : {Index{1}, (n + 1) / 2, n}) all.push_back({SimplexMap::budget, 1.5, k});
  return all;
}

inline std::string name_of(const Regulariser& omega) {
  return std::string(facts(omega.map).name) + " alpha " + std::to_string(omega.alpha) + " k " +
         std::to_string(omega.k);
}

inline double total_of(const Regulariser& omega) {
  return omega.map == SimplexMap::budget ? static_cast<double>(omega.k) : 1.0;
}

inline long double norm_by_definition(double alpha, const std::vector<long double>& p) {
  long double powers = 0;
  for (const long double x : p) powers += std::pow(x, static_cast<long double>(alpha));
  return std::pow(powers, 1 / static_cast<long double>(alpha));
}

inline long double omega_by_definition(const Regulariser& omega, const std::vector<long double>& p) {
  const long double alpha = omega.alpha;
  if (omega.map == SimplexMap::normmax) return norm_by_definition(omega.alpha, p);
  long double value = 0;
  for (const long double x : p) {
    const bool shannon = omega.map == SimplexMap::softmax || (omega.map == SimplexMap::entmax && alpha == 1);
    if (shannon)
      value += x > 0 ? x * std::log(x) : 0;
    else if (omega.map == SimplexMap::entmax)
      value += (std::pow(x, alpha) - x) / (alpha * (alpha - 1));
    else if (omega.map != SimplexMap::argmax)
      value += x * x / 2;
  }
  return value;
}

/// dOmega/dp_i. The unbounded derivative of the Shannon entropy is evaluated at 1e-300 for smaller p_i.
inline long double slope_by_definition(const Regulariser& omega, const std::vector<long double>& p,
                                       std::size_t i) {
  const long double alpha = omega.alpha, x = p[i];
  switch (omega.map) {
    case SimplexMap::normmax:
      return std::pow(x / norm_by_definition(omega.alpha, p), alpha - 1);
    case SimplexMap::entmax:
      if (alpha != 1) return (alpha * std::pow(x, alpha - 1) - 1) / (alpha * (alpha - 1));
      [[fallthrough]];
    case SimplexMap::softmax:
      return std::log(std::max(x, 1e-300L)) + 1;
    case SimplexMap::argmax:
      return 0;
    default:
      return x;
  }
}

inline std::vector<long double> in_long_double(const Vector& p) { return {p.begin(), p.end()}; }

/// The derivative of the objective with respect to p_i: s_i/T - dOmega/dp_i.
inline long double gain(const Regulariser& omega, const std::vector<long double>& p, std::size_t i,
                        const Vector& s, double temperature) {
  return static_cast<long double>(s[static_cast<Index>(i)]) / temperature - slope_by_definition(omega, p, i);
}

/// Maximises a concave function over 0 <= p <= 1 with a given sum. Exchanges weight between two entries at a time, and
/// finds the amount by bisection of the difference of their partial derivatives gain_of(p, i).
inline Vector solved_by_exchange(
    Index n, double sum,
    const std::function<long double(const std::vector<long double>&, std::size_t)>& gain_of) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<long double> p(size, static_cast<long double>(sum) / static_cast<long double>(n));
  for (int sweep = 0; sweep < 3000; ++sweep) {
    long double moved = 0;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const long double both = p[i] + p[j], before = p[i];
        const auto set = [&](long double x) {
          p[i] = x;
          p[j] = both - x;
          return gain_of(p, i) - gain_of(p, j);
        };
        long double low = std::max(0.0L, both - 1), high = std::min(1.0L, both);
        if (set(low) <= 0)
          high = low;
        else if (set(high) >= 0)
          low = high;
        for (int step = 0; step < 70 && low < high; ++step) {
          const long double middle = low + (high - low) / 2;
          (set(middle) > 0 ? low : high) = middle;
          if (middle == low && middle == high) break;
        }
        set(low);
        moved = std::max(moved, std::abs(p[i] - before));
      }
    if (moved < 1e-15L) break;
  }
  Vector solution(n);
  for (std::size_t i = 0; i < size; ++i) solution[static_cast<Index>(i)] = static_cast<double>(p[i]);
  return solution;
}

inline Vector random_scores(Rng& rng, Index n) {
  const double spread = std::ldexp(1.0, static_cast<int>(rng.below(9)) - 4);
  Vector s = normal_vector(rng, n) * spread;
  if (rng.below(4) == 0 && n > 1) s[n - 1] = s[0];  // ties
  return s;
}

inline double random_temperature(Rng& rng) {
  return std::ldexp(0.5 + rng.uniform(), static_cast<int>(rng.below(8)) - 4);
}

/// A random temperature near 1, at which rounding errors stay small.
inline double mild_temperature(Rng& rng) { return 0.5 + rng.uniform(); }

/// Calls check(map, scores, temperature) for every map, with `trials` random vectors of up to `most` scores.
template <class Check>
void for_each_map(Rng& rng, int trials, Index most, const Check& check,
                  Vector (*scores)(Rng&, Index) = random_scores,
                  double (*temperature)(Rng&) = random_temperature) {
  for (int trial = 0; trial < trials; ++trial) {
    const Vector s = scores(rng, 1 + below(rng, most));
    const double t = temperature(rng);
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      check(omega, s, t);
    }
  }
}

/// A random point of the simplex. About a third of its weights are 0.
inline Vector random_distribution(Rng& rng, Index n) {
  Vector p(n);
  for (double& x : p) x = rng.below(3) == 0 ? 0.0 : -std::log(rng.uniform());
  if (p.sum() == 0) p[0] = 1;
  return p / p.sum();
}

}  // namespace engram::core::samples
