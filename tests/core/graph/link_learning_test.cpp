// SPDX-License-Identifier: MIT
#include "core/graph/link_learning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/learning/hebbian.hpp"
#include "core/methods/methods.hpp"
#include "core/retrieval/memory_index.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::distance;

struct Episode {
  std::vector<ConceptId> active;
  double evidence = 1;
  Time time = 0;
};

// Episodes over n concepts, low ids far more often than high ones; some empty.
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

TEST_CASE("hebb, decay, covariance and sequence learn what the dense rules do", "[core][link_learning]") {
  Rng rng(601, "rules");
  for (int round = 0; round < 30; ++round) {
    const auto episodes = random_episodes(rng, n, static_cast<int>(2 + rng.below(40)), true);
    const Matrix activity = activity_of(episodes, n);
    const double rate = samples::uniform(rng, 0.01, 1), decay = rng.uniform();
    CHECK(distance(matrix_of(taught({.rule = LearningRule::hebb, .rate = rate}, episodes), n),
                   hebb_decay_weights(activity, rate, 0)) < 1e-13);
    CHECK(
        distance(matrix_of(taught({.rule = LearningRule::decay, .rate = rate, .decay = decay}, episodes), n),
                 hebb_decay_weights(activity, rate, decay)) < 1e-13);
    Matrix ahead = sequence_weights(activity) * (rate * n);  // the kernel has 1/n
    ahead.diagonal().setZero();
    CHECK(distance(matrix_of(taught({.rule = LearningRule::sequence, .rate = rate}, episodes), n), ahead) <
          1e-13);
    Matrix covariance = covariance_weights(activity);
    const Matrix together = hebb_decay_weights(activity, 1, 0);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (together(i, j) == 0) {
          CHECK(covariance(i, j) < 1e-15);  // what has no link is below chance
          covariance(i, j) = 0;
        }
    CHECK(distance(matrix_of(taught({.rule = LearningRule::covariance}, episodes), n), covariance) < 1e-13);
  }
}

// The rules on full matrices as the header writes them, with evidence.
Matrix oja_written_out(const std::vector<Episode>& episodes, double rate) {
  Matrix w = Matrix::Zero(n, n);
  for (const Episode& e : episodes) {
    Vector a = Vector::Zero(n);
    for (const ConceptId i : e.active) a[i] = 1;
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
    Vector a = Vector::Zero(n);
    for (const ConceptId i : e.active) a[i] = 1;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j)
        if (i != j) w(i, j) += rate * e.evidence * a[i] * a[j] * (a[i] - theta[i]);
      theta[i] += (a[i] * a[i] - theta[i]) / time;
    }
  }
  return w;
}

// `linked`: the pairs that may have a link; grows by what is active together.
Matrix storkey_written_out(const std::vector<Episode>& episodes, double rate, Matrix linked, bool fill) {
  Matrix w = Matrix::Zero(n, n);
  for (const Episode& e : episodes) {
    Vector a = Vector::Zero(n);
    for (const ConceptId i : e.active) a[i] = 1;
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

TEST_CASE("oja, bcm and storkey learn what they do written out over all pairs", "[core][link_learning]") {
  Rng rng(602, "rules");
  double apart = 0;
  for (int round = 0; round < 30; ++round) {
    auto episodes = random_episodes(rng, n, static_cast<int>(2 + rng.below(40)), false);
    const double rate = samples::uniform(rng, 0.01, 0.3), time = samples::uniform(rng, 1, 30);
    CHECK(distance(matrix_of(taught({.rule = LearningRule::oja, .rate = rate}, episodes), n),
                   oja_written_out(episodes, rate)) < 1e-13);
    CHECK(distance(matrix_of(taught({.rule = LearningRule::bcm, .rate = rate, .time = time}, episodes), n),
                   bcm_written_out(episodes, rate, time)) < 1e-13);
    const LinkLearning storkey{.rule = LearningRule::storkey, .rate = rate};
    CHECK(distance(matrix_of(taught(storkey, episodes), n),
                   storkey_written_out(episodes, rate, Matrix::Zero(n, n), false)) < 1e-12);
    apart = std::max(apart, distance(matrix_of(taught(storkey, episodes), n),
                                     storkey_written_out(episodes, rate, Matrix::Zero(n, n), true)));
    // Where all pairs are linked, nothing is left out: the rule itself.
    Episode everything{{0, 1, 2, 3, 4, 5, 6}, 0.5, 1};
    for (Episode& e : episodes) e.time += 1;
    episodes.insert(episodes.begin(), everything);
    CHECK(distance(matrix_of(taught(storkey, episodes), n),
                   storkey_written_out(episodes, rate, Matrix::Zero(n, n), true)) < 1e-12);
  }
  CHECK(apart > 0.01);  // and the links that are not made do matter, as the header says
}

TEST_CASE("stdp learns who comes after whom as the dense rule does", "[core][link_learning]") {
  Rng rng(603, "rules");
  for (int round = 0; round < 30; ++round) {
    const auto episodes = random_episodes(rng, n, static_cast<int>(2 + rng.below(40)), false);
    const double time = samples::uniform(rng, 1, 10);
    std::size_t events = 0;
    Matrix dense = Matrix::Zero(n, n);  // the change of every pair of events
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
  CHECK(pair(2, 0) == 0);  // 5 cycles are beyond 2 * 2
}

TEST_CASE("covariance weighs episodes by their evidence, and an ever active concept has no link",
          "[core][link_learning]") {
  const LinkLearner learner =
      taught({.rule = LearningRule::covariance}, {{{0, 1}, 0.5, 1}, {{0, 2}, 0.25, 2}, {{0, 1, 2}, 0.25, 3}});
  CHECK(matrix_of(learner, 3)(0, 1) == 0);
  CHECK(matrix_of(learner, 3)(2, 1) == Approx(0.25 - 0.75 * 0.5).epsilon(1e-15));
  CHECK(walkable(learner.weights(3)).entries() == 0);
}

TEST_CASE("weights are clipped to their bound after every step", "[core][link_learning]") {
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
  // Forgetting by bounds: a weight at its bound comes back from it at once.
  LinkLearner decaying({.rule = LearningRule::decay, .rate = 1, .decay = 0.5, .bound = 1});
  decaying.learn(std::vector<ConceptId>{0, 1}, 1, 1);
  decaying.learn(std::vector<ConceptId>{0, 1}, 1, 2);
  decaying.learn(std::vector<ConceptId>{2}, 1, 3);
  CHECK(matrix_of(decaying, 3)(0, 1) == 0.5);
}

TEST_CASE("oja's weight comes to a conditional share, storkey's stays bounded under a stream",
          "[core][link_learning]") {
  Rng rng(604, "rules");
  LinkLearner oja({.rule = LearningRule::oja, .rate = 0.01}),
      storkey({.rule = LearningRule::storkey, .rate = 0.2});
  for (Time t = 1; t <= 20000; ++t) {
    std::vector<ConceptId> active{0};  // a hub; 1 in a fifth of its episodes
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

TEST_CASE("a step makes links among what it touches alone", "[core][link_learning]") {
  Rng rng(605, "rules");
  for (const LearningRuleFacts& facts : learning_rules) {
    LinkLearner learner({.rule = facts.value});
    std::size_t before = 0;
    for (Time t = 1; t <= 300; ++t) {
      std::vector<ConceptId> active;
      for (int k = 0; k < 3; ++k) active.push_back(static_cast<ConceptId>(rng.below(1000000)));
      std::sort(active.begin(), active.end());
      active.erase(std::unique(active.begin(), active.end()), active.end());
      const std::size_t most = learner.new_links_at_most(active.size());
      learner.learn(active, 0.5, t);
      CHECK(learner.links() - before <= most);
      CHECK(most <= (facts.value == LearningRule::stdp ? 2u * 3 * 3 * 33 : 9u));
      before = learner.links();
    }
    CHECK(before > 300);
    CHECK(value_named(learning_rules, facts.name) == facts.value);
    CHECK(&facts ==
          &learning_rules[static_cast<std::size_t>(facts.value)]);  // the table stands in their order
  }
  CHECK_FALSE(value_named(learning_rules, "sanger"));
}

TEST_CASE("nothing, one concept and episodes without evidence teach nothing", "[core][link_learning]") {
  for (const LearningRuleFacts& facts : learning_rules) {
    LinkLearner learner({.rule = facts.value});
    learner.learn({}, 1, 1);
    learner.learn(std::vector<ConceptId>{5}, 1, 2);
    learner.learn({}, 1, 3);
    learner.learn(std::vector<ConceptId>{3, 4}, 0, 90);
    INFO(facts.name);
    CHECK(walkable(learner.weights(9)).entries() == 0);
    CHECK(matrix_of(learner, 9)(0, 8) == 0);
    CHECK_THROWS_AS(learner.learn(std::vector<ConceptId>{3}, 1.5, 91), std::invalid_argument);
    CHECK_THROWS_AS(learner.learn(std::vector<ConceptId>{3}, std::nan(""), 91), std::invalid_argument);
    CHECK_THROWS_AS(learner.learn(std::vector<ConceptId>{3}, 1, 90), std::invalid_argument);
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
                                    {.rule = R::stdp, .time = std::numeric_limits<double>::infinity()}})
    CHECK_THROWS_AS(LinkLearner(wrong), std::invalid_argument);
}

TEST_CASE("a memory teaches its learner every episode, and walks can follow what it learnt",
          "[core][link_learning]") {
  MemoryOptions options;
  options.learning = LinkLearning{.rule = LearningRule::sequence, .rate = 0.5};
  Memory memory(options);
  samples::say(memory, "<a --> b>. %1;0.8%");
  CHECK(memory.accept(samples::sentence(memory, "<c --> d>?")));  // a question is none
  samples::say(memory, "<c --> d>. %1;0.5%");
  const MemoryIndex readings(memory);
  const auto a = samples::concept_of(memory, "a"), c = samples::concept_of(memory, "c");
  CHECK(readings.has_learner());
  CHECK(readings.learnt().dense()(a, c) == 0.25);  // from a to c
  CHECK(readings.learnt().dense()(c, a) == 0);
  const Vector cue = cue_for(memory, samples::term(memory, "a"));
  const Method& walk = *find_method("pagerank");
  CHECK(make_retriever(walk, {{"links", "learnt"}})(readings, cue).concepts[c] > 0);
  CHECK(make_retriever(walk)(readings, cue).concepts[c] == 0);
  Memory plain;
  samples::say(plain, "<a --> b>.");
  CHECK_THROWS_AS(make_retriever(walk, {{"links", "learnt"}})(MemoryIndex(plain),
                                                              cue_for(plain, samples::term(plain, "a"))),
                  OptionError);
  options.limits.max_hebbian_links = 12;
  Memory small(options);
  samples::say(small, "<(*,a,b) --> c>.");
  samples::say(small, "<(*,d,b) --> c>.");  // 9 learnt
  CHECK_FALSE(small.accept(samples::sentence(small, "<(*,a,b) --> c>.")));
}

}  // namespace
}  // namespace engram::core
