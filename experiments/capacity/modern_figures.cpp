// SPDX-License-Identifier: MIT
// Figures of modern Hopfield networks. Their bounds are theorems, so a single violation would be an error.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/capacity/figure.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments::capacity {
namespace {

using core::Regulariser;
using core::SimplexMap;

constexpr int cases_each = 100;

double length(const Vector& v) { return std::sqrt(core::dot(v, v)); }

double between(Rng& rng, double least, double most) { return least + (most - least) * rng.uniform(); }

// Random patterns and a query near one of them.
struct Case {
  Matrix x;
  Index wanted = 0;
  Vector query;
  double beta = 1, longest = 0;

  Case(Rng& rng, double most_noise) {
    const auto n = static_cast<Index>(2 + rng.below(9)), d = static_cast<Index>(2 + rng.below(15));
    // Separate statements fix the order of the draws, because compilers may evaluate operands in any order.
    const double scale = between(rng, 0.5, 3);
    x = scale * random_matrix(rng, n, d);
    wanted = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
    const double noise = between(rng, 0, most_noise);
    query = Vector(x.row(wanted).transpose()) + noise * random_vector(rng, d);
    beta = between(rng, 0.2, 12);
    for (Index i = 0; i < n; ++i) longest = std::max(longest, length(x.row(i).transpose()));
  }

  // For a state, the score of the wanted pattern minus the best other score.
  double gap(const Vector& state) const {
    const Vector s = core::multiply(x, state);
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < s.size(); ++j)
      if (j != wanted) least = std::min(least, s[wanted] - s[j]);
    return least;
  }
};

// Number of violations, and number of cases in which the bound is informative (below 2 M).
struct Bounds {
  double violations = 0, informative = 0;
};

Bounds ramsauer_bounds(Rng& rng, bool theorem) {
  Bounds found;
  for (int i = 0; i < cases_each; ++i) {
    const Case c(rng, 0.3);
    const auto recall = core::recall_modern(c.x, c.query, {.beta = c.beta, .max_steps = 1});
    const Vector pattern = c.x.row(c.wanted).transpose();
    const Vector fixed = core::recall_modern(c.x, pattern, {.beta = c.beta, .max_steps = 500}).state;
    const double away = std::max(length(c.query - pattern), length(fixed - pattern));
    const double bound = theorem ? 2 * static_cast<double>(c.x.rows() - 1) * c.longest *
                                       core::exp(-c.beta * (c.gap(pattern) - 2 * c.longest * away))
                                 : 2 * c.longest * (1 - recall.weights[c.wanted]);
    found.violations += length(recall.state - pattern) > bound * (1 + 1e-12) + 1e-12 ? 1 : 0;
    found.informative += bound < 2 * c.longest ? 1 : 0;
  }
  return found;
}

Figure bounds_figure() {
  Figure figure{
      "retrieval_bounds",
      "Violations of the bounds on the retrieval error",
      "",
      "violations in 100 cases",
      "Ramsauer et al. 2021, theorem 5; 2M(1 - p) is elementary",
      "Random patterns, queries and beta; the theorem's bound holds for the pattern's fixed point."};
  for (const bool theorem : {true, false})
    figure.points.push_back(
        claim(theorem ? "theorem 5" : "2 M (1 - p)", theorem ? 0 : 1, 0, 0, 20,
              [=](Rng& rng) { return std::vector{ramsauer_bounds(rng, theorem).violations}; }));
  figure.points.push_back(shown("cases in which theorem 5 says anything", 2, std::nullopt, 20, [](Rng& rng) {
                            return std::vector{ramsauer_bounds(rng, true).informative};
                          }).within(1, 100));  // without informative cases, no violations would mean nothing
  return figure;
}

// Measures how many patterns a retrieved state blends: e^entropy of the weights at the end of the retrieval. Median
// over ten patterns.
Measurement blended(double beta) {
  return [=](Rng& rng) {
    const Matrix x = unit_rows(rng, 10, 16);
    std::vector<double> counts;
    for (Index k = 0; k < x.rows(); ++k) {
      const Vector p =
          core::recall_modern(x, x.row(k).transpose(), {.beta = beta, .max_steps = 2000}).weights;
      double entropy = 0;
      for (const double share : p) entropy -= share > 0 ? share * core::log(share) : 0;
      counts.push_back(core::exp(entropy));
    }
    std::ranges::sort(counts);
    return std::vector{0.5 * (counts[4] + counts[5])};
  };
}

Figure regimes_figure() {
  Figure figure{"regimes",
                "How many of 10 patterns a fixed point blends, 16 dimensions",
                "beta",
                "e^entropy of the weights",
                "Ramsauer et al. 2021: mean of all, of some, a single pattern",
                "Retrieval from each pattern to its end, patterns random on the sphere, the median of the "
                "ten: two that happen to lie close blend up to a higher beta."};
  const double betas[] = {0.1, 0.5, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30};
  for (const double beta : betas)
    figure.points.push_back(shown("beta " + fixed(beta, 1), beta, std::nullopt, 8, blended(beta)));
  figure.plot = "regimes";
  figure.series = "fixed points";
  figure.points.front().low = 9.9, figure.points.front().high = 10.0000001;
  Point& late = figure.points[std::size(betas) - 2];
  late.low = 1, late.high = 1.001;
  figure.relations = {{"largest rise from one beta to the next", std::nullopt, -10, 1e-9,
                       [](const std::vector<double>& means) {
                         double rise = -10;
                         for (std::size_t i = 1; i < means.size(); ++i)
                           rise = std::max(rise, means[i] - means[i - 1]);
                         return rise;
                       }}};
  return figure;
}

bool one_hot(const Vector& p, Index at) {
  for (Index i = 0; i < p.size(); ++i)
    if (i != at && p[i] != 0) return false;
  return p[at] > 0;
}

constexpr double too_close = 1e-6;  // cases this close to the margin are skipped: rounding decides them

// Counts violations of the theorem: one step returns exactly the wanted pattern if and only if the gap of its start is
// at least margin/beta.
double wrong_verdicts(Rng& rng, const Regulariser& map, bool from_pattern) {
  double wrong = 0;
  for (int i = 0; i < cases_each; ++i) {
    const Case c(rng, from_pattern ? 0 : 1);
    const Vector start = from_pattern ? Vector(c.x.row(c.wanted).transpose()) : c.query;
    const double lead = c.beta * c.gap(start) - core::margin(map);
    if (std::abs(lead) < too_close) continue;
    const auto recall = core::recall_modern(c.x, start, {.beta = c.beta, .map = map, .max_steps = 1});
    wrong += one_hot(recall.weights, c.wanted) != (lead > 0) ? 1 : 0;
  }
  return wrong;
}

// Variant that starts from a query: exact recall.
double wrong_certificates(Rng& rng, const Regulariser& map) { return wrong_verdicts(rng, map, false); }

// Variant that starts from a pattern: fixed points.
double wrong_fixed_points(Rng& rng, const Regulariser& map) { return wrong_verdicts(rng, map, true); }

// Counts violations of the theorem: if the gap is margin/beta + 2 M eps, every query within eps of the pattern returns
// it.
double wrong_in_ball(Rng& rng, const Regulariser& map) {
  double wrong = 0;
  for (int i = 0; i < cases_each; ++i) {
    const Case c(rng, 0);
    const Vector pattern = c.x.row(c.wanted).transpose();
    const double reach = (c.gap(pattern) - core::margin(map) / c.beta) / (2 * c.longest);
    if (!(reach > too_close)) continue;
    const Vector direction = unit_rows(rng, 1, c.x.cols()).row(0).transpose();
    const Vector query = pattern + (reach - too_close) * direction;
    const auto recall = core::recall_modern(c.x, query, {.beta = c.beta, .map = map, .max_steps = 1});
    wrong += one_hot(recall.weights, c.wanted) ? 0 : 1;
  }
  return wrong;
}

Figure certificate_figure() {
  Figure figure{
      "certificates",
      "Wrong certificates of exact retrieval",
      "",
      "wrong in 100 cases",
      "Santos et al. 2024",
      "One step gives the pattern, every other weight 0, if and only if beta times the gap is at least the "
      "map's margin; cases within 1e-6 of it are left out."};
  const std::pair<const char*, Regulariser> maps[] = {{"sparsemax", Regulariser(SimplexMap::sparsemax)},
                                                      {"1.5-entmax", Regulariser(SimplexMap::entmax, 1.5)},
                                                      {"1.25-entmax", Regulariser(SimplexMap::entmax, 1.25)},
                                                      {"2-normmax", Regulariser(SimplexMap::normmax, 2)},
                                                      {"5-normmax", Regulariser(SimplexMap::normmax, 5)}};
  const std::pair<const char*, double (*)(Rng&, const Regulariser&)> tests[] = {
      {"query", wrong_certificates}, {"fixed point", wrong_fixed_points}, {"ball", wrong_in_ball}};
  double x = 0;
  for (const auto& [what, test] : tests)
    for (const auto& [name, map] : maps)
      figure.points.push_back(
          claim(std::string(name) + ", " + what, x++, 0, 0, 15,
                [test = test, map = map](Rng& rng) { return std::vector{test(rng, map)}; }));
  return figure;
}

// Counts violations of the theorem: the result consists of exactly the k best patterns if and only if the k-th score
// exceeds the next by 1/beta.
double wrong_subsets(Rng& rng) {
  double wrong = 0;
  for (int i = 0; i < cases_each; ++i) {
    const Case c(rng, 1);
    const auto k = static_cast<Index>(1 + rng.below(static_cast<std::uint64_t>(c.x.rows() - 1)));
    const Regulariser map(SimplexMap::budget, 1.5, k);
    Vector s = core::multiply(c.x, c.query);
    std::sort(s.begin(), s.end(), std::greater<>());
    const double lead = c.beta * (s[k - 1] - s[k]) - 1;
    if (std::abs(lead) < too_close) continue;
    const Vector p = core::recall_modern(c.x, c.query, {.beta = c.beta, .map = map, .max_steps = 1}).weights;
    const bool whole = (p.array() == 0 || p.array() > 1 - 1e-12).all();
    wrong += whole != (lead > 0) ? 1 : 0;
  }
  return wrong;
}

Figure subset_figure() {
  Figure figure{"subsets",
                "Wrong predictions of exact retrieval of k patterns",
                "",
                "wrong in 100 cases",
                "derived from the budget map; Niculae et al. 2018",
                "Budget of k: exact if and only if beta (s_(k) - s_(k+1)) is at least 1.",
                {claim("k-subsets", 0, 0, 0, 15, [](Rng& rng) { return std::vector{wrong_subsets(rng)}; })}};
  return figure;
}

}  // namespace

std::vector<Figure> modern_figures() {
  return {bounds_figure(), regimes_figure(), certificate_figure(), subset_figure()};
}

}  // namespace engram::experiments::capacity
