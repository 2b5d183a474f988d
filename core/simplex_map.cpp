// SPDX-License-Identifier: MIT
#include "core/simplex_map.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/numeric.hpp"

namespace engram::core {
namespace {

void check(const Vector& scores, double temperature) {
  require(scores.size() > 0, "a simplex map needs at least one score");
  require(temperature > 0 && std::isfinite(temperature), "temperature must be above 0");
  for (const double s : scores) require(std::isfinite(s), "scores must be finite");
}

// exp(s/T - max) before normalisation; the shift keeps the largest at 1, so nothing overflows.
Vector shifted_exponentials(const Vector& scores, double temperature) {
  const double top = max(scores);
  Vector p(scores.size());
  for (Index i = 0; i < p.size(); ++i) p[i] = exp((scores[i] - top) / temperature);
  return p;
}

Vector sparsemax(const Vector& scores, double temperature) {
  // Shifted by the maximum: the threshold is then in [-1, 0) whatever the size of the scores.
  const double top = max(scores);
  std::vector<double> sorted(static_cast<std::size_t>(scores.size()));
  for (Index i = 0; i < scores.size(); ++i)
    sorted[static_cast<std::size_t>(i)] = (scores[i] - top) / temperature;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double cumulative = 0, tau = 0;
  for (std::size_t k = 1; k <= sorted.size(); ++k) {
    cumulative += sorted[k - 1];
    if (1.0 + static_cast<double>(k) * sorted[k - 1] <= cumulative) break;
    tau = (cumulative - 1.0) / static_cast<double>(k);
  }
  Vector p(scores.size());
  for (Index i = 0; i < p.size(); ++i) p[i] = std::max((scores[i] - top) / temperature - tau, 0.0);
  return p;
}

Vector argmax(const Vector& scores) {
  Index best = 0;
  for (Index i = 1; i < scores.size(); ++i)
    if (scores[i] > scores[best]) best = i;
  Vector p = Vector::Zero(scores.size());
  p[best] = 1.0;
  return p;
}

}  // namespace

const std::array<SimplexMapFacts, 3> simplex_maps{{
    {SimplexMap::softmax, "softmax", std::numeric_limits<double>::infinity()},
    {SimplexMap::sparsemax, "sparsemax", 1.0},
    {SimplexMap::argmax, "argmax", 0.0},
}};

const SimplexMapFacts& facts(SimplexMap map) { return simplex_maps[static_cast<std::size_t>(map)]; }

std::optional<SimplexMap> simplex_map_named(std::string_view name) {
  for (const SimplexMapFacts& map : simplex_maps)
    if (map.name == name) return map.map;
  return {};
}

Vector apply(SimplexMap map, const Vector& scores, double temperature) {
  check(scores, temperature);
  if (map == SimplexMap::argmax) return argmax(scores);
  if (map == SimplexMap::sparsemax) return sparsemax(scores, temperature);
  Vector p = shifted_exponentials(scores, temperature);
  const double total = sum(p);
  for (double& x : p) x /= total;
  return p;
}

double programme_value(SimplexMap map, const Vector& scores, double temperature) {
  check(scores, temperature);
  if (map == SimplexMap::argmax) return max(scores);
  if (map == SimplexMap::softmax)
    return max(scores) + temperature * log(sum(shifted_exponentials(scores, temperature)));
  const Vector p = sparsemax(scores, temperature);
  return dot(p, scores) - 0.5 * temperature * dot(p, p);
}

double omega_uniform(SimplexMap map, Index k) {
  require(k > 0, "a distribution needs at least one weight");
  if (map == SimplexMap::softmax) return -log(static_cast<double>(k));
  return map == SimplexMap::sparsemax ? 0.5 / static_cast<double>(k) : 0.0;
}

}  // namespace engram::core
