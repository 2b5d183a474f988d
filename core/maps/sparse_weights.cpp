// SPDX-License-Identifier: MIT
#include "core/maps/sparse_weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr std::size_t lanes = 16;  // of sum (core/numbers/numeric.hpp)

bool never_gives_nothing(const Regulariser& omega) {
  return omega.map == SimplexMap::softmax || (omega.map == SimplexMap::entmax && omega.alpha == 1);
}

bool takes_the_best(const Regulariser& omega) {
  return omega.map == SimplexMap::argmax || (omega.map == SimplexMap::entmax && std::isinf(omega.alpha));
}

// Whether a score that is at most `others` stays below the threshold, by more than rounding may move it.
bool is_out(const Regulariser& omega, const Vector& scores, double others, double temperature, double top) {
  constexpr double rounding = 1e-9;
  if (takes_the_best(omega)) return others < top * (1 - rounding);
  const double scale = omega.map == SimplexMap::entmax ? omega.alpha - 1 : 1.0;
  const double size = std::max(1.0, scale * top / temperature);
  return scale * others / temperature < threshold(omega, scores, temperature) - rounding * size;
}

}  // namespace

std::optional<SparseVector> weights_of_largest(const Regulariser& omega, Index size,
                                               const std::vector<SparseVector::Entry>& known, double others,
                                               double temperature) {
  const auto winners = static_cast<std::size_t>(omega.map == SimplexMap::budget ? omega.k : 1);
  if (never_gives_nothing(omega) || known.size() < winners) return {};
  charge(4 * known.size());
  std::vector<double> best;
  for (const auto& [i, score] : known) best.push_back(score);
  std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(winners - 1), best.end(),
                   std::greater<>());
  const double top = best[winners - 1], cut = top - temperature * margin(omega) * (1 + 1e-9);
  if (!takes_the_best(omega) && !(top > others)) return {};
  // Each in the lane of the sums in which it is among all scores; between them what has no weight.
  std::vector<double> laid;
  std::vector<std::size_t> places, of;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const auto& [i, score] = known[k];
    if (score < cut) continue;
    while (laid.size() % lanes != i % lanes) laid.push_back(std::min(others, cut));
    places.push_back(laid.size());
    of.push_back(k);
    laid.push_back(score);
  }
  const Reservation claim(2 * lanes * sizeof(double) * places.size());
  const Vector scores = Eigen::Map<const Vector>(laid.data(), static_cast<Index>(laid.size()));
  if (!is_out(omega, scores, others, temperature, top)) return {};
  const Vector weights = apply(omega, scores, temperature);
  std::vector<SparseVector::Entry> entries;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (const double p = weights[static_cast<Index>(places[k])]; p > 0)
      entries.emplace_back(known[of[k]].first, p);
  return SparseVector(size, std::move(entries));
}

}  // namespace engram::core
