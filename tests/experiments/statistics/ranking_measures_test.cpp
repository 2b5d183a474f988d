// SPDX-License-Identifier: MIT
#include "experiments/statistics/ranking_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

namespace {

struct Expected {
  double reciprocal_rank = 0, recall = 0, ndcg = 0;
};

// Reference for expected measures: their mean over all orders that sort the items by descending score.
Expected over_all_orders(const core::Vector& scores, const std::vector<bool>& wanted,
                         const std::vector<bool>& counted, std::size_t k) {
  std::vector<core::Index> order;
  std::size_t all = 0;
  for (core::Index i = 0; i < scores.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (counted[at] && wanted[at]) ++all;
    if (counted[at] && scores[i] > 0) order.push_back(i);
  }
  double ideal = 0;
  for (std::size_t r = 1; r <= std::min(k, all); ++r) ideal += 1 / std::log2(1.0 + static_cast<double>(r));
  Expected sum;
  double orders = 0;
  do {
    if (!std::ranges::is_sorted(order, std::ranges::greater(), [&](core::Index i) { return scores[i]; }))
      continue;
    ++orders;
    bool first = true;
    for (std::size_t r = 1; r <= order.size(); ++r) {
      if (!wanted[static_cast<std::size_t>(order[r - 1])]) continue;
      const auto rank = static_cast<double>(r);
      if (first) sum.reciprocal_rank += 1 / rank;
      first = false;
      if (r > k) continue;
      sum.recall += 1 / static_cast<double>(all);
      sum.ndcg += 1 / std::log2(1 + rank) / ideal;
    }
  } while (std::ranges::next_permutation(order).found);
  return {sum.reciprocal_rank / orders, sum.recall / orders, sum.ndcg / orders};
}

}  // namespace

TEST_CASE("ranking measures without ties match values computed by hand", "[experiments][ranking]") {
  // The ranks of these scores are 1, 5, 3, 4 and 2.
  const core::Vector scores = (core::Vector(5) << 0.9, 0.1, 0.5, 0.3, 0.7).finished();
  const RankingMeasures measures(scores, {false, false, true, true, false});
  CHECK(measures.wanted() == 2);
  CHECK(measures.reciprocal_rank() == 1.0 / 3);
  CHECK(measures.recall(2) == 0);
  CHECK(measures.recall(3) == 0.5);
  CHECK(measures.recall(4) == 1);
  CHECK(measures.recall(400) == 1);
  const double ideal = 1 + 1 / std::log2(3.0);
  CHECK(std::abs(measures.ndcg(3) - 0.5 / ideal) < 1e-15);
  CHECK(std::abs(measures.ndcg(10) - (0.5 + 1 / std::log2(5.0)) / ideal) < 1e-15);
  const RankingMeasures best(scores, {true, false, false, false, true});
  CHECK(best.reciprocal_rank() == 1);
  CHECK(best.ndcg(2) == 1);
}

TEST_CASE("with ties, ranking measures are means over all orders of ties", "[experiments][ranking]") {
  std::size_t compared = 0;
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    core::Rng rng(3, "tied rankings", trial);
    const std::size_t n = 3 + rng.below(5);
    core::Vector scores(static_cast<core::Index>(n));
    std::vector<bool> wanted(n), counted(n);
    for (std::size_t i = 0; i < n; ++i) {
      scores[static_cast<core::Index>(i)] = static_cast<double>(rng.below(4)) / 3;
      wanted[i] = rng.below(3) == 0;
      counted[i] = rng.below(5) > 0;
    }
    const RankingMeasures measures(scores, wanted, counted);
    if (measures.wanted() == 0) continue;
    for (std::size_t k = 1; k <= n + 1; ++k, ++compared) {
      const Expected expected = over_all_orders(scores, wanted, counted, k);
      CHECK(std::abs(measures.reciprocal_rank() - expected.reciprocal_rank) < 1e-13);
      CHECK(std::abs(measures.recall(k) - expected.recall) < 1e-13);
      CHECK(std::abs(measures.ndcg(k) - expected.ndcg) < 1e-13);
    }
  }
  CHECK(compared > 150);
}

TEST_CASE("first_items equals a full sort with ties in the drawn order", "[experiments][ranking]") {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    core::Rng rng(4, "first items", trial);
    const auto n = static_cast<std::uint32_t>(rng.below(40));
    core::Vector scores(static_cast<core::Index>(n));
    for (double& score : scores) score = static_cast<double>(rng.below(5)) - 1;
    const std::vector<std::uint32_t> drawn = rng.permutation(n);
    std::vector<std::uint32_t> all;
    for (const double level : {3.0, 2.0, 1.0})
      for (const std::uint32_t item : drawn)
        if (scores[item] == level) all.push_back(item);
    for (std::size_t most = 0; most <= n + 1; ++most) {
      const std::vector<std::uint32_t> first(
          all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())));
      REQUIRE(first_items(scores, most, drawn) == first);
    }
  }
}

TEST_CASE("items with score 0 are not ranked, and without wanted items all measures are 0",
          "[experiments][ranking]") {
  const core::Vector zeros = core::Vector::Zero(3), ones = core::Vector::Ones(3);
  const RankingMeasures none(zeros, {true, true, false}), nobody(ones, {false, false, false});
  for (const RankingMeasures* measures : {&none, &nobody}) {
    CHECK(measures->reciprocal_rank() == 0);
    CHECK(measures->recall(3) == 0);
    CHECK(measures->ndcg(3) == 0);
  }
  CHECK(RankingMeasures(ones, {true, false, false}).recall(0) == 0);
  CHECK(RankingMeasures(core::Vector(), {}).recall(1) == 0);
  const core::Vector extreme = (core::Vector(3) << 1e-300, 1e300, 5e-324).finished();
  CHECK(RankingMeasures(extreme, {false, false, true}).reciprocal_rank() == 1.0 / 3);
  CHECK_THROWS_AS(RankingMeasures(ones, {true}), std::invalid_argument);
}

TEST_CASE("lost items count as wanted and are never ranked", "[experiments][statistics]") {
  core::Vector scores(4);
  scores << 4, 3, 2, 1;
  const std::vector<bool> wanted{true, false, true, false};
  const RankingMeasures whole(scores, wanted), lacking(scores, wanted, 2);
  CHECK(lacking.wanted() == 4);
  CHECK(lacking.reciprocal_rank() == whole.reciprocal_rank());
  CHECK(lacking.recall(4) == whole.recall(4) / 2);
  CHECK(lacking.ndcg(4) < whole.ndcg(4));
  const RankingMeasures nothing(scores, std::vector<bool>(4, false), 3);
  CHECK(nothing.wanted() == 3);
  CHECK(nothing.recall(4) == 0);
  CHECK(nothing.ndcg(4) == 0);
  CHECK(nothing.reciprocal_rank() == 0);
}

TEST_CASE("the optimistic and pessimistic ranks of a tied item are the ends of its tie",
          "[experiments][statistics]") {
  core::Rng rng(12, "ties");
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = 1 + rng.below(12);
    core::Vector scores(static_cast<core::Index>(n));
    std::vector<bool> counted;
    for (std::size_t i = 0; i < n; ++i) {
      scores[static_cast<core::Index>(i)] = static_cast<double>(rng.below(4));
      counted.push_back(rng.below(4) > 0);
    }
    const std::size_t item = rng.below(n);
    // Reference for the item's rank: its place in a sorted list before, or after, all items of equal score.
    std::vector<double> others;
    for (std::size_t i = 0; i < n; ++i)
      if (counted[i] && i != item) others.push_back(scores[static_cast<core::Index>(i)]);
    std::sort(others.rbegin(), others.rend());
    const auto [first, last] = std::equal_range(others.begin(), others.end(),
                                                scores[static_cast<core::Index>(item)], std::greater<>());
    const TiedRanks ranks = tied_ranks(scores, item, counted);
    CHECK(ranks.optimistic == static_cast<double>(first - others.begin()) + 1);
    CHECK(ranks.pessimistic == static_cast<double>(last - others.begin()) + 1);
    CHECK(ranks.average == (ranks.optimistic + ranks.pessimistic) / 2);
    double reciprocal = 0, within = 0, places = 0;
    for (double rank = ranks.optimistic; rank <= ranks.pessimistic; ++rank, ++places) {
      reciprocal += 1 / rank;
      within += rank <= 3 ? 1 : 0;
    }
    CHECK(ranks.expected_reciprocal() == Approx(reciprocal / places));
    CHECK(ranks.chance_within(3) == Approx(within / places));
  }
}

TEST_CASE("tied items share their mean rank, and uncounted items are ignored", "[experiments][statistics]") {
  const core::Vector scores = (core::Vector(5) << 3, 1, 2, 2, 9).finished();
  const std::vector<bool> counted{true, true, true, true, false};
  CHECK(tied_ranks(scores, 0, counted).average == 1);
  CHECK(tied_ranks(scores, 2, counted).average == 2.5);
  CHECK(tied_ranks(scores, 3, counted).average == 2.5);
  CHECK(tied_ranks(scores, 1, counted).average == 4);
}

TEST_CASE("the area under the curve is the share of ordered pairs", "[experiments][statistics]") {
  core::Rng rng(5, "area test");
  for (int trial = 0; trial < 200; ++trial) {
    const auto n = static_cast<core::Index>(2 + rng.below(12));
    core::Vector scores(n);
    std::vector<bool> wanted;
    for (core::Index i = 0; i < n; ++i) {
      // Only four distinct scores, so that many items are tied.
      scores[i] = static_cast<double>(rng.below(4));
      wanted.push_back(rng.below(2) == 1);
    }
    double pairs = 0, won = 0;
    for (core::Index i = 0; i < n; ++i)
      for (core::Index j = 0; j < n; ++j)
        if (wanted[static_cast<std::size_t>(i)] && !wanted[static_cast<std::size_t>(j)]) {
          pairs += 1;
          won += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        }
    const auto area = area_under_curve(scores, wanted);
    REQUIRE(area.has_value() == (pairs > 0));
    if (area) CHECK(*area == Approx(won / pairs));
  }
}
