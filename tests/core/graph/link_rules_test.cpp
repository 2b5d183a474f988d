// SPDX-License-Identifier: MIT
#include "core/graph/link_rules.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/methods/methods.hpp"
#include "core/retrieval/memory_index.hpp"
#include "core/walks/page_rank.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

Matrix weighed(LinkRule rule, const MemoryIndex& memory) {
  return samples::dense(link_weights(rule, memory.links(), memory.activity(), memory.total()));
}

// Episodes within groups of concepts, each with one hub that is nearly everywhere.
// Concept 0 is the hub; group g has the concepts 1 + g size ... g size + size.
struct World {
  static constexpr int groups = 12, size = 5;
  Memory memory;
  std::vector<std::vector<ConceptId>> members{groups};
  ConceptId hub = 0;

  explicit World(std::uint64_t seed) {
    Rng rng(seed, "link_rules_test world");
    const auto name = [](std::uint64_t group, std::uint64_t i) {
      return "c" + std::to_string(group) + "_" + std::to_string(i);
    };
    for (int e = 0; e < 240; ++e) {
      const std::uint64_t group = rng.below(groups), i = rng.below(size);
      const std::uint64_t j = (i + 1 + rng.below(size - 1)) % size;
      const std::string pair = name(group, i) + "," + name(group, j);
      samples::say(memory, rng.below(10) == 0 ? "(*," + pair + ")." : "(*," + pair + ",hub).");
    }
    hub = samples::concept_of(memory, "hub");
    for (std::uint32_t g = 0; g < groups; ++g)
      for (std::uint32_t i = 0; i < size; ++i) members[g].push_back(samples::concept_of(memory, name(g, i)));
  }
};

// The share of pairs (concept of the cue's group, concept outside) that a walk ranks rightly, the hub among
// those outside; and how often the hub is above all but the cue.
struct Verdict {
  double right = 0, hub_first = 0;
};

Verdict judge(const World& world, LinkRule rule) {
  const MemoryIndex readings(world.memory);
  Verdict verdict;
  double pairs = 0, cues = 0;
  for (const auto& group : world.members)
    for (const ConceptId cued : group) {
      Vector cue = Vector::Zero(readings.concepts());
      cue[cued] = 1;
      Vector rank =
          samples::recalled("pagerank", {{"links", std::string(name_of(link_rules, rule))}}, readings, cue)
              .concepts;
      rank[cued] = -1;
      Index first = 0;
      rank.maxCoeff(&first);
      verdict.hub_first += first == static_cast<Index>(world.hub);
      ++cues;
      for (const ConceptId mate : group)
        for (const ConceptId other : readings.holders()) {
          if (mate == cued || std::find(group.begin(), group.end(), other) != group.end()) continue;
          verdict.right += rank[mate] > rank[other];
          ++pairs;
        }
    }
  verdict.right /= pairs;
  verdict.hub_first /= cues;
  return verdict;
}

TEST_CASE("rules for links have names and are found by them", "[core][link_rules]") {
  for (const auto& facts : link_rules) CHECK(value_named(link_rules, facts.name) == facts.value);
  CHECK_FALSE(value_named(link_rules, "Hebb"));
}

TEST_CASE("each rule is its formula over the episodes, decayed or not", "[core][link_rules]") {
  for (const double decay : {0.0, 0.1}) {
    MemoryOptions options;
    options.decay = decay;
    Memory memory(options);
    Rng rng(1, "link_rules_test formula");
    for (int e = 0; e < 60; ++e) {
      std::string text = "(*,a" + std::to_string(rng.below(9)) + ",b" + std::to_string(rng.below(4));
      if (rng.below(2) == 0) text += ",c" + std::to_string(rng.below(3));
      samples::say(memory, text + "). %1.0;0." + std::to_string(1 + rng.below(9)) + "%");
    }
    const MemoryIndex readings(memory);
    const Matrix a = samples::dense(readings.episodes()), cosine = weighed(LinkRule::cosine, readings),
                 covariance = weighed(LinkRule::covariance, readings),
                 correlation = weighed(LinkRule::correlation, readings);
    const Vector share = readings.evidence() / readings.evidence().sum(), mean = a.transpose() * share;
    const Matrix moments = a.transpose() * share.asDiagonal() * a;
    CHECK(weighed(LinkRule::hebb, readings) == samples::dense(readings.links()));
    int below_chance = 0;
    for (Index i = 0; i < a.cols(); ++i)
      for (Index j = 0; j < a.cols(); ++j) {
        const bool linked = i != j && moments(i, j) > 0;
        const double beyond = linked ? std::max(moments(i, j) - mean[i] * mean[j], 0.0) : 0.0;
        below_chance += linked && beyond == 0;
        const double variances = mean[i] * (1 - mean[i]) * mean[j] * (1 - mean[j]);
        CHECK(std::abs(cosine(i, j) - (linked ? moments(i, j) / std::sqrt(mean[i] * mean[j]) : 0)) < 1e-13);
        CHECK(std::abs(covariance(i, j) - readings.total() * beyond) < 1e-12);
        CHECK(std::abs(correlation(i, j) - (linked ? beyond / std::sqrt(variances) : 0)) < 1e-12);
      }
    CHECK(below_chance > 0);
    CHECK(covariance == covariance.transpose());
    CHECK(correlation == correlation.transpose());
  }
}

TEST_CASE("a concept that is always there is linked to nothing beyond chance", "[core][link_rules]") {
  Memory memory;
  for (const char* line : {"(*,hub,a,b). %1.0;0.3%", "(*,hub,c). %1.0;0.7%", "(*,hub,a). %1.0;0.123%"})
    samples::say(memory, line);
  const MemoryIndex readings(memory);
  const auto hub = static_cast<Index>(samples::concept_of(memory, "hub"));
  for (const LinkRule rule : {LinkRule::covariance, LinkRule::correlation}) {
    const SparseRows links = link_weights(rule, readings.links(), readings.activity(), readings.total());
    CHECK(links.columns_of(hub).empty());
    CHECK(links.entries() == 2);  // a and b
  }
  CHECK(weighed(LinkRule::cosine, readings).row(hub).maxCoeff() > 0.5);
}

TEST_CASE("rounding is no link: as often together as by chance", "[core][link_rules]") {
  for (int n = 2; n < 14; ++n)
    for (int m = 2; m < 14; ++m) {
      // Of n m episodes, one concept is in n, the other in m, both in 1.
      SparseRows together(2);
      for (const std::uint32_t other : {1u, 0u})
        together.push_row(std::vector<std::uint32_t>{other}, std::vector<double>{0.9});
      const Vector activity = samples::vector({0.9 * n, 0.9 * m});
      for (const LinkRule rule : {LinkRule::covariance, LinkRule::correlation})
        CHECK(link_weights(rule, together, activity, 0.9 * n * m).entries() == 0);
    }
}

TEST_CASE("links of nothing, or of what is forgotten, have no weight", "[core][link_rules]") {
  for (const auto& facts : link_rules) {
    CHECK(link_weights(facts.value, SparseRows(0), Vector(0), 0).entries() == 0);
    SparseRows forgotten(2);
    for (const std::uint32_t other : {1u, 0u})
      forgotten.push_row(std::vector<std::uint32_t>{other}, std::vector<double>{0});
    const SparseRows links = link_weights(facts.value, forgotten, Vector::Zero(2), 0);
    CHECK(samples::dense(links) == Matrix::Zero(2, 2));
    CHECK_THROWS_AS(link_weights(facts.value, forgotten, Vector::Zero(3), 1), std::invalid_argument);
  }
  SparseRows tiny(2);
  for (const std::uint32_t other : {1u, 0u})
    tiny.push_row(std::vector<std::uint32_t>{other}, std::vector<double>{1e-300});
  const Vector activity = Vector::Constant(2, 1e-300);
  CHECK(samples::dense(link_weights(LinkRule::cosine, tiny, activity, 1))(0, 1) == Approx(1).epsilon(1e-14));
  CHECK(samples::dense(link_weights(LinkRule::correlation, tiny, activity, 1))(0, 1) ==
        Approx(1).epsilon(1e-14));
  CHECK(samples::dense(link_weights(LinkRule::cosine, tiny, activity, 2e-300))(0, 1) ==
        Approx(1).epsilon(1e-15));
  CHECK(samples::dense(link_weights(LinkRule::correlation, tiny, activity, 2e-300))(0, 1) ==
        Approx(1).epsilon(1e-15));
}

TEST_CASE("a hub draws a walk along plain Hebbian links, and is held back by the other rules",
          "[core][link_rules]") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const World world(seed);
    const Verdict hebb = judge(world, LinkRule::hebb);
    CHECK(hebb.hub_first > 0.9);
    for (const LinkRule rule : {LinkRule::cosine, LinkRule::covariance, LinkRule::correlation}) {
      const Verdict held = judge(world, rule);
      INFO(hebb.right << " " << held.right << " " << hebb.hub_first << " " << held.hub_first);
      CHECK(held.hub_first < (rule == LinkRule::cosine ? 0.7 : 0.01));
      CHECK(held.right > (rule == LinkRule::cosine ? hebb.right + 0.005 : 0.99));
    }
  }
}

TEST_CASE("PageRank takes the rule for links by name", "[core][link_rules]") {
  const World world(4);
  const MemoryIndex readings(world.memory);
  Vector cue = Vector::Zero(readings.concepts());
  cue[world.members[0][0]] = 1;
  const Method& method = *find_method("pagerank");
  for (const auto& facts : link_rules) {
    const SparseRows weighed =
        link_weights(facts.value, readings.links(), readings.activity(), readings.total());
    CHECK(samples::recalled("pagerank", {{"links", std::string(facts.name)}}, readings, cue).concepts ==
          personalized_page_rank(weighed, cue, 0.85).rank);
  }
  CHECK(samples::recalled("pagerank", {}, readings, cue).concepts ==
        personalized_page_rank(readings.links(), cue, 0.85).rank);
  CHECK_THROWS_AS(make_retriever(method, {{"links", std::string("storkey")}}), OptionError);
}

}  // namespace
}  // namespace engram::core
