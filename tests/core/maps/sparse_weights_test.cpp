// SPDX-License-Identifier: MIT
// Tests of weights_of_largest against apply() to all scores.
#include "core/maps/simplex_map.hpp"

#include "tests/core/regularisers.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Entries = std::vector<SparseVector::Entry>;

// A few large scores among small ones, like similarities.
Vector similarities(Rng& rng, Index n) {
  Vector scores(n);
  for (double& s : scores) s = rng.below(6) == 0 ? rng.uniform() : 0.3 * rng.uniform() * rng.uniform();
  if (rng.below(3) == 0) scores[n - 1] = scores[0];  // ties
  return scores;
}

// The entries with scores above `cut` and some others, in ascending order of their index.
Entries known_of(Rng& rng, const Vector& scores, double cut) {
  Entries known;
  for (Index i = 0; i < scores.size(); ++i)
    if (scores[i] > cut || rng.below(10) == 0) known.emplace_back(static_cast<std::uint32_t>(i), scores[i]);
  return known;
}

double greatest_unknown(const Vector& scores, const Entries& known) {
  double most = 0;
  for (Index i = 0; i < scores.size(); ++i)
    if (std::ranges::find(known, static_cast<std::uint32_t>(i), &SparseVector::Entry::first) == known.end())
      most = std::max(most, scores[i]);
  return most;
}

// Whether the weights have the same bits as those of all scores. Maps with roots, or with sums of more terms than
// lanes, have last digits that depend on the other scores.
bool is_same_to_the_bit(const Regulariser& omega) {
  return omega.map == SimplexMap::sparsemax || omega.map == SimplexMap::argmax ||
         (omega.map == SimplexMap::entmax && (omega.alpha == 1.5 || omega.alpha == 2));
}

TEST_CASE("weights_of_largest equals the weights of all scores, or returns nothing", "[maps]") {
  Rng rng(1, "sparse_weights_test");
  std::size_t told = 0, not_told = 0, needlessly = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const auto n = static_cast<Index>(5 + rng.below(120));
    const Vector scores = similarities(rng, n);
    const double temperature = std::ldexp(1.0, -static_cast<int>(rng.below(7)));
    for (const double cut : {0.0, 0.2, 0.5, 0.9}) {
      const Entries known = known_of(rng, scores, cut);
      const double others = greatest_unknown(scores, known);
      for (const Regulariser& omega : regularisers(n)) {
        INFO(name_of(omega) << " n " << n << " cut " << cut << " temperature " << temperature);
        const Vector whole = apply(omega, scores, temperature);
        const auto weights = weights_of_largest(omega, n, known, others, temperature);
        double unknown = 1;  // the total weight of the unknown scores
        if (omega.map == SimplexMap::budget) unknown = static_cast<double>(omega.k);
        for (const auto& [i, score] : known) unknown -= whole[i];
        if (!weights) {
          ++not_told;
          needlessly += unknown < 1e-12 && others < 0.9 * whole.maxCoeff() ? 1 : 0;
          continue;
        }
        ++told;
        CHECK(std::abs(unknown) < 1e-9);
        CHECK(weights->size() == n);
        if (is_same_to_the_bit(omega))
          CHECK(weights->whole() == whole);
        else
          CHECK(distance(weights->whole(), whole) < 1e-9);
      }
    }
  }
  CHECK(told > 2000);
  CHECK(not_told > 2000);
  CHECK(needlessly < not_told / 4);
}

TEST_CASE("weights_of_largest returns nothing for softmax, or if an unknown score may have a weight",
          "[maps]") {
  const Entries known{{2, 0.9}, {40, 0.8}};
  CHECK_FALSE(weights_of_largest(SimplexMap::softmax, 50, known, 0, 1e-6));
  CHECK_FALSE(weights_of_largest({SimplexMap::entmax, 1.0}, 50, known, 0, 1e-6));
  CHECK_FALSE(weights_of_largest(SimplexMap::sparsemax, 50, {}, 0, 0.1));
  CHECK_FALSE(
      // The budget of 3 needs a third score.
      weights_of_largest({SimplexMap::budget, 1.5, 3}, 50, known, 0, 0.1));
  CHECK_FALSE(
      // The second score may be an unknown one of 0.85.
      weights_of_largest(SimplexMap::sparsemax, 50, known, 0.85, 0.1));
  const auto shared = weights_of_largest(SimplexMap::sparsemax, 50, known, 0.3, 0.2);
  REQUIRE(shared);
  CHECK((*shared)[2] == Approx(0.75));
  CHECK((*shared)[40] == Approx(0.25));
  CHECK((*shared)[3] == 0);
  const auto best = weights_of_largest(SimplexMap::argmax, 50, known, 0.89, 1);
  REQUIRE(best);
  CHECK((*best)[2] == 1);
  CHECK_FALSE(weights_of_largest(SimplexMap::argmax, 50, known, 0.9,
                                 1));  // an unknown score of 0.9 may come first
}

}  // namespace
}  // namespace engram::core
