// SPDX-License-Identifier: MIT
#include "core/graph/link_learning.hpp"

#include "core/index/memory_index.hpp"
#include "core/learning/hebbian.hpp"
#include "core/methods/method.hpp"
#include "core/walks/page_rank.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

struct Episode {
  std::vector<ConceptId> active;
  double evidence = 1;
  Time time = 0;
};

// Random episodes over n concepts, some of them empty. Low ids are much more frequent than high ones.
std::vector<Episode> random_episodes(Rng& rng, std::uint32_t n, int count, bool plain) {
  std::vector<Episode> episodes;
  Time now = 0;
  for (int t = 0; t < count; ++t) {
    now += plain ? 1 : 1 + rng.below(5);
    Episode episode{{}, plain ? 1.0 : rng.uniform(), now};
    for (ConceptId i = 0; i < n; ++i)
      if (rng.uniform() < 0.8 / (1 + i)) episode.active.push_back(i);
    episodes.push_back(episode);
  }
  return episodes;
}

Matrix activity_of(const std::vector<Episode>& episodes, Index n) {
  Matrix activity = Matrix::Zero(static_cast<Index>(episodes.size()), n);
  for (std::size_t t = 0; t < episodes.size(); ++t)
    for (const ConceptId i : episodes[t].active) activity(static_cast<Index>(t), i) = 1;
  return activity;
}

LinkLearner taught(const LinkLearning& options, const std::vector<Episode>& episodes) {
  LinkLearner learner(options);
  for (const Episode& e : episodes) learner.learn(e.active, e.evidence, e.time);
  return learner;
}

Matrix matrix_of(const LinkLearner& learner, Index n) { return learner.weights(n).dense(); }

constexpr std::uint32_t n = 7;

TEST_CASE("hebb, decay, covariance and sequence match the dense rules", "[link_learning]") {
  Rng rng(601, "rules");
  for (int round = 0; round < 30; ++round) {
    const auto episodes = random_episodes(rng, n, static_cast<int>(2 + rng.below(40)), true);
    const Matrix activity = activity_of(episodes, n);
    const double rate = uniform(rng, 0.01, 1), decay = rng.uniform();
    CHECK(distance(matrix_of(taught({.rule = LearningRule::hebb, .rate = rate}, episodes), n),
                   hebb_decay_weights(activity, rate, 0)) < 1e-13);
    CHECK(
        distance(matrix_of(taught({.rule = LearningRule::decay, .rate = rate, .decay = decay}, episodes), n),
                 hebb_decay_weights(activity, rate, decay)) < 1e-13);
    // sequence_weights() divides by n, the learner does not.
    Matrix ahead = sequence_weights(activity) * (rate * n);
    ahead.diagonal().setZero();
    CHECK(distance(matrix_of(taught({.rule = LearningRule::sequence, .rate = rate}, episodes), n), ahead) <
          1e-13);
    Matrix covariance = covariance_weights(activity);
    const Matrix together = hebb_decay_weights(activity, 1, 0);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (together(i, j) == 0) {
          CHECK(covariance(i, j) < 1e-15);  // pairs that were never active together are below chance
          covariance(i, j) = 0;
        }
    CHECK(distance(matrix_of(taught({.rule = LearningRule::covariance}, episodes), n), covariance) < 1e-13);
  }
}

Vector activity_in(const Episode& episode) {
  Vector a = Vector::Zero(n);
  for (const ConceptId i : episode.active) a[i] = 1;
  return a;
}

// Reference implementation of Oja's rule on a full matrix. The evidence of an episode scales its rate.
Matrix oja_written_out(const std::vector<Episode>& episodes, double rate) {
  Matrix w = Matrix::Zero(n, n);
  for (const Episode& e : episodes) {
    const Vector a = activity_in(e);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (i != j) w(i, j) += rate * e.evidence * a[i] * (a[j] - a[i] * w(i, j));
  }
  return w;
}

Matrix bcm_written_out(const std::vector<Episode>& episodes, double rate, double time) {
  Matrix w = Matrix::Zero(n, n);
  Vector theta = Vector::Zero(n);
  for (const Episode& e : episodes) {
    const Vector a = activity_in(e);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j)
        if (i != j) w(i, j) += rate * e.evidence * a[i] * a[j] * (a[i] - theta[i]);
      theta[i] += (a[i] * a[i] - theta[i]) / time;
    }
  }
  return w;
}

// Reference implementation of Storkey's rule on a full matrix. `linked` holds the pairs that may have a link. Pairs
// that are active together are added.
Matrix storkey_written_out(const std::vector<Episode>& episodes, double rate, Matrix linked, bool fill) {
  Matrix w = Matrix::Zero(n, n);
  for (const Episode& e : episodes) {
    const Vector a = activity_in(e);
    const Vector h = w * a;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        if (i == j) continue;
        if (a[i] * a[j] > 0) linked(i, j) = 1;
        if (fill || linked(i, j) > 0)
          w(i, j) += rate * e.evidence * (a[i] * a[j] - a[i] * h[j] - h[i] * a[j]);
      }
  }
  return w;
}

TEST_CASE("oja, bcm and storkey match their formulas on full matrices", "[link_learning]") {
  Rng rng(602, "rules");
  double apart = 0;
  for (int round = 0; round < 30; ++round) {
    auto episodes = random_episodes(rng, n, static_cast<int>(2 + rng.below(40)), false);
    const double rate = uniform(rng, 0.01, 0.3), time = uniform(rng, 1, 30);
    CHECK(distance(matrix_of(taught({.rule = LearningRule::oja, .rate = rate}, episodes), n),
                   oja_written_out(episodes, rate)) < 1e-13);
    CHECK(distance(matrix_of(taught({.rule = LearningRule::bcm, .rate = rate, .time = time}, episodes), n),
                   bcm_written_out(episodes, rate, time)) < 1e-13);
    const LinkLearning storkey{.rule = LearningRule::storkey, .rate = rate};
    CHECK(distance(matrix_of(taught(storkey, episodes), n),
                   storkey_written_out(episodes, rate, Matrix::Zero(n, n), false)) < 1e-12);
    apart = std::max(apart, distance(matrix_of(taught(storkey, episodes), n),
                                     storkey_written_out(episodes, rate, Matrix::Zero(n, n), true)));
    // If all pairs are linked from the start, the learner drops no link and is exact.
    Episode everything{{0, 1, 2, 3, 4, 5, 6}, 0.5, 1};
    for (Episode& e : episodes) e.time += 1;
    episodes.insert(episodes.begin(), everything);
    CHECK(distance(matrix_of(taught(storkey, episodes), n),
                   storkey_written_out(episodes, rate, Matrix::Zero(n, n), true)) < 1e-12);
  }
  CHECK(apart > 0.01);  // dropping links changes the result, as link_learning.hpp documents
}

TEST_CASE("stdp matches a sum over all pairs of events", "[link_learning]") {
  Rng rng(603, "rules");
  for (int round = 0; round < 30; ++round) {
    const auto episodes = random_episodes(rng, n, static_cast<int>(2 + rng.below(40)), false);
    const double time = uniform(rng, 1, 10);
    std::size_t events = 0;
    Matrix dense = Matrix::Zero(n, n);  // sum of the changes by all pairs of events
    for (const Episode& post : episodes) {
      events += post.active.size();
      for (const Episode& pre : episodes)
        for (const ConceptId i : post.active)
          for (const ConceptId j : pre.active)
            if (i != j)
              dense(i, j) += stdp_change(static_cast<double>(post.time) - static_cast<double>(pre.time),
                                         {1, 1, time, time});
    }
    auto certain = episodes;
    for (Episode& e : certain) e.evidence = 1;
    const LinkLearning all{.rule = LearningRule::stdp, .rate = 1, .time = time, .reach = 1000};
    CHECK(distance(matrix_of(taught(all, certain), n), dense) < 1e-12);
    LinkLearning near = all;
    near.reach = 3;
    const double left_out = distance(matrix_of(taught(near, certain), n), dense);
    CHECK(left_out < std::exp(-3.0) * static_cast<double>(events));
  }
  const LinkLearning options{.rule = LearningRule::stdp, .rate = 0.5, .time = 2, .reach = 2};
  const Matrix pair = matrix_of(taught(options, {{{0}, 1, 1}, {{1}, 0.5, 3}, {{2}, 1, 6}}), 3);
  CHECK(pair(1, 0) == Approx(0.25 * std::exp(-1.0)).epsilon(1e-14));
  CHECK(pair(0, 1) == -pair(1, 0));
  CHECK(pair(2, 1) == Approx(0.5 * std::exp(-1.5)).epsilon(1e-14));
  CHECK(pair(2, 0) == 0);  // a gap of 5 cycles exceeds the reach of 2 time constants of 2 cycles
}

TEST_CASE("covariance weights episodes by evidence, and an always active concept has no link",
          "[link_learning]") {
  const LinkLearner learner =
      taught({.rule = LearningRule::covariance}, {{{0, 1}, 0.5, 1}, {{0, 2}, 0.25, 2}, {{0, 1, 2}, 0.25, 3}});
  CHECK(matrix_of(learner, 3)(0, 1) == 0);
  CHECK(matrix_of(learner, 3)(2, 1) == Approx(0.25 - 0.75 * 0.5).epsilon(1e-15));
  CHECK(walk_weights(learner.weights(3)).entries() == 0);
}

TEST_CASE("weights are clipped after each step", "[link_learning]") {
  LinkLearner clipped({.rule = LearningRule::sequence, .rate = 1, .bound = 2.5});
  LinkLearner stdp({.rule = LearningRule::stdp, .rate = 1, .bound = 0.25});
  for (Time t = 1; t <= 10; ++t) {
    const std::vector<ConceptId> active{static_cast<ConceptId>(t % 2)};
    clipped.learn(active, 1, t);
    stdp.learn(active, 1, t);
    CHECK(std::abs(matrix_of(stdp, 2)(0, 1)) <= 0.25);
  }
  CHECK(matrix_of(clipped, 2)(0, 1) == 2.5);
  CHECK(matrix_of(clipped, 2)(1, 0) == 2.5);
  CHECK(matrix_of(stdp, 2)(0, 1) != 0);
  // A clipped weight keeps no excess, so a decrease has an effect at once.
  LinkLearner decaying({.rule = LearningRule::decay, .rate = 1, .decay = 0.5, .bound = 1});
  decaying.learn(std::vector<ConceptId>{0, 1}, 1, 1);
  decaying.learn(std::vector<ConceptId>{0, 1}, 1, 2);
  decaying.learn(std::vector<ConceptId>{2}, 1, 3);
  CHECK(matrix_of(decaying, 3)(0, 1) == 0.5);
}

TEST_CASE("oja's weight tends to a conditional share, and storkey's stays bounded", "[link_learning]") {
  Rng rng(604, "rules");
  LinkLearner oja({.rule = LearningRule::oja, .rate = 0.01}),
      storkey({.rule = LearningRule::storkey, .rate = 0.2});
  for (Time t = 1; t <= 20000; ++t) {
    std::vector<ConceptId> active{0};  // a hub; concept 1 is in a fifth of its episodes
    if (rng.below(5) == 0) active.push_back(1);
    oja.learn(active, 1, t);
    std::vector<ConceptId> pattern;
    for (ConceptId i = 0; i < 40; ++i)
      if (rng.below(8) == 0) pattern.push_back(i);
    storkey.learn(pattern, 1, t);
  }
  CHECK(matrix_of(oja, 2)(0, 1) == Approx(0.2).margin(0.1));
  CHECK(matrix_of(oja, 2)(1, 0) == Approx(1).margin(1e-9));
  double largest = 0;
  const Matrix all = storkey.weights(40).dense();
  for (Index i = 0; i < all.size(); ++i) largest = std::max(largest, std::abs(all.data()[i]));
  CHECK(largest < 2);
  CHECK(largest > 0.01);
}

TEST_CASE("a step adds links only among the concepts it touches", "[link_learning]") {
  Rng rng(605, "rules");
  for (const LearningRuleFacts& facts : learning_rules) {
    LinkLearner learner({.rule = facts.value});
    std::size_t before = 0;
    for (Time t = 1; t <= 300; ++t) {
      std::vector<ConceptId> active;
      for (int k = 0; k < 3; ++k) active.push_back(static_cast<ConceptId>(rng.below(1000000)));
      std::sort(active.begin(), active.end());
      active.erase(std::unique(active.begin(), active.end()), active.end());
      const std::size_t most = learner.max_new_links(active.size());
      learner.learn(active, 0.5, t);
      CHECK(learner.links() - before <= most);
      CHECK(most <= (facts.value == LearningRule::stdp ? 2u * 3 * 3 * 33 : 9u));
      before = learner.links();
    }
    CHECK(before > 300);
    CHECK(value_named(learning_rules, facts.name) == facts.value);
    CHECK(&facts ==
          // The table has the order of the enumerators.
          &learning_rules[static_cast<std::size_t>(facts.value)]);
  }
  CHECK_FALSE(value_named(learning_rules, "sanger"));
}

TEST_CASE("episodes without concepts, pairs or evidence teach nothing", "[link_learning]") {
  for (const LearningRuleFacts& facts : learning_rules) {
    LinkLearner learner({.rule = facts.value});
    learner.learn({}, 1, 1);
    learner.learn(std::vector<ConceptId>{5}, 1, 2);
    learner.learn({}, 1, 3);
    learner.learn(std::vector<ConceptId>{3, 4}, 0, 90);
    INFO(facts.name);
    CHECK(walk_weights(learner.weights(9)).entries() == 0);
    CHECK(matrix_of(learner, 9)(0, 8) == 0);
    CHECK_INVALID(learner.learn(std::vector<ConceptId>{3}, 1.5, 91));
    CHECK_INVALID(learner.learn(std::vector<ConceptId>{3}, std::nan(""), 91));
    CHECK_INVALID(learner.learn(std::vector<ConceptId>{3}, 1, 90));
  }
  using R = LearningRule;
  for (const LinkLearning& wrong : {LinkLearning{.rule = R::hebb, .rate = 0},
                                    {.rule = R::hebb, .rate = 1.1},
                                    {.rule = R::decay, .decay = -0.1},
                                    {.rule = R::decay, .decay = 2},
                                    {.rule = R::bcm, .time = 0.5},
                                    {.rule = R::stdp, .reach = 0},
                                    {.rule = R::hebb, .bound = 0},
                                    {.rule = R::hebb, .rate = std::nan("")},
                                    {.rule = R::stdp, .time = infinity}})
    CHECK_INVALID(LinkLearner(wrong));
}

TEST_CASE("a memory trains its learner with each episode, and walks use its weights", "[link_learning]") {
  MemoryOptions options = with_rule(LinkLearning{.rule = LearningRule::sequence, .rate = 0.5});
  Memory memory(options);
  say(memory, "<a --> b>. %1;0.8%");
  CHECK(memory.accept(sentence(memory, "<c --> d>?")));  // a question is not an episode
  say(memory, "<c --> d>. %1;0.5%");
  const MemoryIndex index(memory);
  const auto a = concept_of(memory, "a"), c = concept_of(memory, "c");
  CHECK(index.has_learner());
  CHECK(index.learnt().dense()(a, c) == 0.25);  // leads from a to c
  CHECK(index.learnt().dense()(c, a) == 0);
  const Vector cue = cue_for(memory, term(memory, "a")).activation;
  const Method& walk = method_named("pagerank");
  CHECK(ConfiguredMethod(walk, {{"links", "learnt"}}).recall(index, Cue(cue)).concepts[c] > 0);
  CHECK(ConfiguredMethod(walk).recall(index, Cue(cue)).concepts[c] == 0);
  Memory plain = told({"<a --> b>."});
  CHECK_THROWS_AS(ConfiguredMethod(walk, {{"links", "learnt"}})
                      .recall(MemoryIndex(plain), cue_for(plain, term(plain, "a"))),
                  OptionError);
  options.limits.max_hebbian_links = 12;
  Memory small(options);
  say(small, "<(*,a,b) --> c>.");
  say(small, "<(*,d,b) --> c>.");  // now the memory has 9 learned links
  CHECK_FALSE(small.accept(sentence(small, "<(*,a,b) --> c>.")));
}

Matrix weighed(LinkRule rule, const MemoryIndex& memory) {
  return samples::dense(link_weights(rule, memory.links(), memory.activity(), memory.total()));
}

// A memory of random pairs within groups of concepts. A hub takes part in nine of ten pairs.
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
      say(memory, rng.below(10) == 0 ? "(*," + pair + ")." : "(*," + pair + ",hub).");
    }
    hub = concept_of(memory, "hub");
    for (std::uint32_t g = 0; g < groups; ++g)
      for (std::uint32_t i = 0; i < size; ++i) members[g].push_back(concept_of(memory, name(g, i)));
  }
};

// Results of many walks. `right` is the share of pairs (a concept of the cue's group, another concept or the hub) that
// a walk ranks correctly. `hub_first` is the share of walks that rank the hub first after the cue.
struct Verdict {
  double right = 0, hub_first = 0;
};

Verdict judge(const World& world, LinkRule rule) {
  const MemoryIndex index(world.memory);
  Verdict verdict;
  double pairs = 0, cues = 0;
  for (const auto& group : world.members)
    for (const ConceptId cued : group) {
      Vector cue = Vector::Zero(index.concepts());
      cue[cued] = 1;
      Vector rank =
          recalled("pagerank", {{"links", std::string(name_of(link_rules, rule))}}, index, cue).concepts;
      rank[cued] = -1;
      Index first = 0;
      rank.maxCoeff(&first);
      verdict.hub_first += first == static_cast<Index>(world.hub);
      ++cues;
      for (const ConceptId mate : group)
        for (const ConceptId other : index.active_concepts()) {
          if (mate == cued || std::find(group.begin(), group.end(), other) != group.end()) continue;
          verdict.right += rank[mate] > rank[other];
          ++pairs;
        }
    }
  verdict.right /= pairs;
  verdict.hub_first /= cues;
  return verdict;
}

TEST_CASE("link rules are found by name", "[link_rules]") {
  for (const auto& facts : link_rules) CHECK(value_named(link_rules, facts.name) == facts.value);
  CHECK_FALSE(value_named(link_rules, "Hebb"));
}

TEST_CASE("each rule matches its formula, with and without decay", "[link_rules]") {
  for (const double decay : {0.0, 0.1}) {
    Memory memory(with_decay(decay));
    Rng rng(1, "link_rules_test formula");
    for (int e = 0; e < 60; ++e) {
      std::string text = "(*,a" + std::to_string(rng.below(9)) + ",b" + std::to_string(rng.below(4));
      if (rng.below(2) == 0) text += ",c" + std::to_string(rng.below(3));
      say(memory, text + "). %1.0;0." + std::to_string(1 + rng.below(9)) + "%");
    }
    const MemoryIndex index(memory);
    const Matrix a = samples::dense(index.episodes()), cosine = weighed(LinkRule::cosine, index),
                 covariance = weighed(LinkRule::covariance, index),
                 correlation = weighed(LinkRule::correlation, index);
    const Vector share = index.evidence() / index.evidence().sum(), mean = a.transpose() * share;
    const Matrix moments = a.transpose() * share.asDiagonal() * a;
    CHECK(weighed(LinkRule::hebb, index) == samples::dense(index.links()));
    int below_chance = 0;
    for (Index i = 0; i < a.cols(); ++i)
      for (Index j = 0; j < a.cols(); ++j) {
        const bool linked = i != j && moments(i, j) > 0;
        const double beyond = linked ? std::max(moments(i, j) - mean[i] * mean[j], 0.0) : 0.0;
        below_chance += linked && beyond == 0;
        const double variances = mean[i] * (1 - mean[i]) * mean[j] * (1 - mean[j]);
        CHECK(std::abs(cosine(i, j) - (linked ? moments(i, j) / std::sqrt(mean[i] * mean[j]) : 0)) < 1e-13);
        CHECK(std::abs(covariance(i, j) - index.total() * beyond) < 1e-12);
        CHECK(std::abs(correlation(i, j) - (linked ? beyond / std::sqrt(variances) : 0)) < 1e-12);
      }
    CHECK(below_chance > 0);
    CHECK(covariance == covariance.transpose());
    CHECK(correlation == correlation.transpose());
  }
}

TEST_CASE("an always active concept has no links beyond chance", "[link_rules]") {
  Memory memory;
  for (const char* line : {"(*,hub,a,b). %1.0;0.3%", "(*,hub,c). %1.0;0.7%", "(*,hub,a). %1.0;0.123%"})
    say(memory, line);
  const MemoryIndex index(memory);
  const auto hub = static_cast<Index>(concept_of(memory, "hub"));
  for (const LinkRule rule : {LinkRule::covariance, LinkRule::correlation}) {
    const SparseRows links = link_weights(rule, index.links(), index.activity(), index.total());
    CHECK(links.columns_of(hub).empty());
    CHECK(links.entries() == 2);  // only the link between a and b, in both directions
  }
  CHECK(weighed(LinkRule::cosine, index).row(hub).maxCoeff() > 0.5);
}

TEST_CASE("rounding errors at chance make no link", "[link_rules]") {
  for (int n = 2; n < 14; ++n)
    for (int m = 2; m < 14; ++m) {
      // In n m episodes, one concept is active n times, the other one m times, and both together once, which is exactly
      // chance.
      SparseRows together(2);
      for (const std::uint32_t other : {1u, 0u})
        together.push_row(std::vector<std::uint32_t>{other}, std::vector<double>{0.9});
      const Vector activity = vector({0.9 * n, 0.9 * m});
      for (const LinkRule rule : {LinkRule::covariance, LinkRule::correlation})
        CHECK(link_weights(rule, together, activity, 0.9 * n * m).entries() == 0);
    }
}

TEST_CASE("links without evidence have no weight", "[link_rules]") {
  for (const auto& facts : link_rules) {
    CHECK(link_weights(facts.value, SparseRows(0), Vector(0), 0).entries() == 0);
    SparseRows forgotten(2);
    for (const std::uint32_t other : {1u, 0u})
      forgotten.push_row(std::vector<std::uint32_t>{other}, std::vector<double>{0});
    const SparseRows links = link_weights(facts.value, forgotten, Vector::Zero(2), 0);
    CHECK(samples::dense(links) == Matrix::Zero(2, 2));
    CHECK_INVALID(link_weights(facts.value, forgotten, Vector::Zero(3), 1));
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

TEST_CASE("a hub attracts walks along hebb weights, and less under the other rules", "[link_rules]") {
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

TEST_CASE("pagerank takes the link rule as an option", "[link_rules]") {
  const World world(4);
  const MemoryIndex index(world.memory);
  Vector cue = Vector::Zero(index.concepts());
  cue[world.members[0][0]] = 1;
  const Method& method = method_named("pagerank");
  for (const auto& facts : link_rules) {
    const SparseRows weighed = link_weights(facts.value, index.links(), index.activity(), index.total());
    CHECK(recalled("pagerank", {{"links", std::string(facts.name)}}, index, cue).concepts ==
          personalized_page_rank(weighed, cue, 0.85).rank);
  }
  CHECK(recalled("pagerank", {}, index, cue).concepts ==
        personalized_page_rank(index.links(), cue, 0.85).rank);
  CHECK_THROWS_AS(ConfiguredMethod(method, {{"links", std::string("storkey")}}), OptionError);
}

}  // namespace
}  // namespace engram::core
