// SPDX-License-Identifier: MIT
#include "core/budgets/learnt_budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_uses.hpp"

namespace engram::core {
namespace {

using UseEpisodes = std::vector<std::vector<BoundedMemory::Id>>;

UseEpisodes drawn_uses(std::uint64_t seed, std::size_t count, std::uint32_t concepts) {
  return random_uses(Rng(seed, "learnt budget episodes"), count, concepts);
}

bool is_active(const std::vector<BoundedMemory::Id>& episode, std::uint32_t id) {
  return std::ranges::binary_search(episode, id);
}

int uses_until(const UseEpisodes& episodes, std::size_t t, std::uint32_t id) {
  int uses = 0;
  for (std::size_t s = 0; s <= t; ++s) uses += is_active(episodes[s], id) ? 1 : 0;
  return uses;
}

// What is said of a concept after episode t, from the whole past by the sums of the contract.
std::vector<double> plain_features(const UseEpisodes& episodes, std::size_t t, std::uint32_t id,
                                   const LearntBudgetRule& rule) {
  std::vector<double> features;
  for (const double d : rule.durabilities) {
    double b = 0, all = 0;
    for (std::size_t s = 0; s <= t; ++s) {
      const double kept = std::pow(d, static_cast<double>(t - s));
      b += is_active(episodes[s], id) ? kept : 0;
      all += kept;
    }
    features.push_back(std::log((b + 0.5) / (all + 1)));
  }
  for (const double g : rule.discounts) {
    double relevance = 0, all = 0;
    for (std::size_t s = 0; s <= t; ++s)
      for (const auto from : episodes[s]) {
        double followed = 0;  // sum over uses of `from` before a use of `id` up to s
        for (std::size_t use = 0; use <= s; ++use)
          for (std::size_t before = 0; is_active(episodes[use], id) && before < use; ++before)
            if (is_active(episodes[before], from))
              followed += std::pow(g, static_cast<double>(use - before - 1));
        const double kept = std::pow(g, static_cast<double>(t - s));
        relevance += kept * followed / (uses_until(episodes, s, from) + 1);
        all += kept;
      }
    features.push_back(std::log(0.03 + (1 - g) * relevance / std::max(all, 1.0)));
  }
  return features;
}

double plain_score(const std::vector<double>& features, const std::vector<double>& weights) {
  double score = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) score += features[k] * weights[k];
  return score;
}

// The sum of log p of what is active at `now` under the budgets given after episode `then`.
double log_likelihood(const UseEpisodes& episodes, std::size_t then, std::size_t now,
                      const LearntBudgetRule& rule, const std::vector<double>& weights) {
  std::set<std::uint32_t> known;
  for (std::size_t s = 0; s <= then; ++s) known.insert(episodes[s].begin(), episodes[s].end());
  double all = 0, sum = 0;
  for (const auto id : known) all += std::exp(plain_score(plain_features(episodes, then, id, rule), weights));
  for (const auto id : episodes[now])
    if (known.contains(id))
      sum += plain_score(plain_features(episodes, then, id, rule), weights) - std::log(all);
  return sum;
}

std::vector<double> plain_weights(const LearntBudgets& budgets) {
  return {budgets.weights().data(), budgets.weights().data() + budgets.weights().size()};
}

}  // namespace

TEST_CASE("learnt budgets are what their sums over the whole past say", "[core][learnt_budget]") {
  LearntBudgetRule rule;
  rule.durabilities = {0.7, 0.95};
  rule.discounts = {0.4, 0.8};
  const UseEpisodes episodes = drawn_uses(3, 25, 12);
  LearntBudgets budgets(rule);
  for (std::size_t t = 0; t < episodes.size(); ++t) {
    budgets.experience(episodes[t]);
    for (const auto id : budgets.known())
      REQUIRE(
          budgets.log_budget(id) ==
          Approx(plain_score(plain_features(episodes, t, id, rule), plain_weights(budgets))).epsilon(1e-10));
    REQUIRE(budgets.log_budget(99) == -std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("weights climb the likelihood of what came, seen from 1, 2 and 4 episodes before",
          "[core][learnt_budget]") {
  LearntBudgetRule rule;
  rule.durabilities = {0.6, 0.9};
  rule.discounts = {0.5};
  rule.farthest = 5;
  const UseEpisodes episodes = drawn_uses(8, 18, 8);
  LearntBudgets budgets(rule);
  std::vector<double> squares(3, 1), weights = plain_weights(budgets);
  CHECK(weights == std::vector<double>{0.5, 0.5, 1});
  for (std::size_t t = 0; t < episodes.size(); ++t) {
    for (const std::size_t ago : {1U, 2U, 4U}) {
      if (t < ago) break;
      std::vector<double> gradient(3);
      for (std::size_t k = 0; k < 3; ++k) {  // by finite differences
        auto more = weights, less = weights;
        more[k] += 1e-5;
        less[k] -= 1e-5;
        gradient[k] = (log_likelihood(episodes, t - ago, t, rule, more) -
                       log_likelihood(episodes, t - ago, t, rule, less)) /
                      2e-5;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        squares[k] += gradient[k] * gradient[k];
        weights[k] += rule.rate * gradient[k] / std::sqrt(squares[k]);
      }
    }
    budgets.experience(episodes[t]);
    for (std::size_t k = 0; k < 3; ++k)
      REQUIRE(budgets.weights()[static_cast<Index>(k)] == Approx(weights[k]).epsilon(1e-7));
  }
}

TEST_CASE("at rate 0 with one durability a learnt budget ranks as experience that fades",
          "[core][learnt_budget]") {
  LearntBudgetRule rule;
  rule.durabilities = {0.9};
  rule.discounts = {};
  rule.rate = 0;
  const UseEpisodes episodes = drawn_uses(5, 200, 20);
  const auto learnt = keep_by_learnt_budget(4, rule), faded = keep_by_budget(4, {0.9, 0, 1, 100});
  for (const auto& episode : episodes) {
    learnt->experience(episode);
    faded->experience(episode);
    for (std::uint32_t id = 0; id < 20; ++id) REQUIRE(learnt->holds(id) == faded->holds(id));
  }
}

TEST_CASE("what is forgotten leaves no trace in the budgets to come", "[core][learnt_budget]") {
  LearntBudgetRule rule;
  rule.rate = 0;           // else the weights remember
  rule.discounts = {0.5};  // so that how many were active before does not matter at the end
  const UseEpisodes before = drawn_uses(1, 60, 10);
  LearntBudgets used(rule), other(rule);
  for (const auto& episode : before) used.experience(episode);
  const std::vector<BoundedMemory::Id> all(used.known().begin(), used.known().end());
  for (std::size_t t = 0; t < before.size(); ++t) other.experience(std::vector<BoundedMemory::Id>{50});
  used.forget(all);
  other.forget(std::vector<BoundedMemory::Id>{50});
  CHECK(used.log_budget(all.front()) == -std::numeric_limits<double>::infinity());
  // Lookers-back stay: how many episodes there were, and how many were active of late.
  const UseEpisodes after = drawn_uses(2, 40, 10);
  for (const auto& episode : after) {
    used.experience(episode);
    other.experience(episode);
    REQUIRE(std::ranges::equal(used.known(), other.known()));
  }
  for (const auto a : used.known())
    for (const auto b : used.known()) {
      const double difference = used.log_budget(a) - used.log_budget(b);
      REQUIRE(difference == Approx(other.log_budget(a) - other.log_budget(b)).margin(1e-9));
    }
}

TEST_CASE("who takes the place of a forgotten concept does not follow what that one followed",
          "[core][learnt_budget]") {
  LearntBudgetRule rule;
  rule.rate = 0;
  rule.discounts = {0.5};
  const auto after = [](LearntBudgets& budgets) {
    for (int t = 0; t < 60; ++t) budgets.experience({});  // so that nothing is left of the order before
    for (const std::uint32_t id : {3U, 2U, 0U}) budgets.experience(std::vector<BoundedMemory::Id>{id});
    return budgets.log_budget(3) - budgets.log_budget(2);
  };
  LearntBudgets used(rule), fresh(rule);
  for (std::uint32_t t = 0; t < 40; ++t) used.experience(std::vector<BoundedMemory::Id>{t % 2});
  used.forget(std::vector<BoundedMemory::Id>{1});
  const double found = after(used);
  CHECK(std::abs(found - after(fresh)) < 1e-9);
}

TEST_CASE("a learnt budget finds by itself what to go by", "[core][learnt_budget]") {
  // 1, 2, 3 announce 0, which nothing recent tells; others never come again.
  UseEpisodes announced;
  for (std::uint32_t round = 0; round < 80; ++round)
    for (const std::uint32_t id : {0U, 10 + 3 * round, 11 + 3 * round, 12 + 3 * round, 1U, 2U, 3U})
      announced.push_back({id});
  const auto hits_late = [&](BoundedMemory& memory) {
    int hits = 0;
    for (std::size_t t = 0; t < announced.size(); ++t) {
      if (t >= announced.size() / 2) hits += memory.holds(announced[t].front()) ? 1 : 0;
      memory.experience(announced[t]);
    }
    return hits;
  };
  CHECK(hits_late(*keep_recent(4)) == 0);
  CHECK(hits_late(*keep_by_learnt_budget(4)) >= 150);  // of 160 that came before
  LearntBudgets budgets;
  for (const auto& episode : announced) budgets.experience(episode);
  CHECK(budgets.log_budget(0) > budgets.log_budget(10 + 3 * 70));
}

TEST_CASE("a learnt budget holds no more than it may, in any odd stream", "[core][learnt_budget]") {
  for (const std::size_t capacity : {1U, 3U, 30U}) {
    LearntBudgetRule rule;
    rule.ghosts = 0.5;
    rule.fewest_ghosts = 0;
    UseEpisodes episodes = drawn_uses(capacity, 150, 25);
    episodes.insert(episodes.begin(), std::vector<BoundedMemory::Id>{});  // nothing at first
    episodes.insert(episodes.begin() + 40, std::vector<BoundedMemory::Id>{});
    episodes.insert(episodes.begin() + 50, std::vector<BoundedMemory::Id>{0, 4294967295U});
    const auto memory = keep_by_learnt_budget(capacity, rule), same = keep_by_learnt_budget(capacity, rule);
    std::set<std::uint32_t> seen;
    for (const auto& episode : episodes) {
      seen.insert(episode.begin(), episode.end());
      memory->experience(episode);
      same->experience(episode);
      std::size_t held = 0;
      for (const auto id : seen) {
        held += memory->holds(id) ? 1 : 0;
        REQUIRE(memory->holds(id) == same->holds(id));
      }
      REQUIRE(held == std::min(capacity, seen.size()));
    }
  }
}

TEST_CASE("learnt budgets refuse what makes no sense", "[core][learnt_budget]") {
  const auto refused = [](auto change) {
    LearntBudgetRule rule;
    change(rule);
    CHECK_THROWS_AS(keep_by_learnt_budget(3, rule), std::invalid_argument);
  };
  CHECK_THROWS_AS(keep_by_learnt_budget(0), std::invalid_argument);
  refused([](auto& rule) { rule.durabilities = {}; });
  refused([](auto& rule) { rule.durabilities = {1}; });
  refused([](auto& rule) { rule.discounts = {0}; });
  refused([](auto& rule) { rule.rate = -1; });
  refused([](auto& rule) { rule.rate = std::numeric_limits<double>::quiet_NaN(); });
  refused([](auto& rule) { rule.farthest = 0; });
  refused([](auto& rule) { rule.ghosts = -1; });
  refused([](auto& rule) { rule.ghosts = std::numeric_limits<double>::quiet_NaN(); });
}

}  // namespace engram::core
