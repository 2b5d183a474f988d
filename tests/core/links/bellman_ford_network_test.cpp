// SPDX-License-Identifier: MIT
#include "core/links/bellman_ford_network.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/links/bellman_ford_training.hpp"
#include "core/numbers/random.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using Checked = BellmanFordNetwork<double, 4>;

std::vector<Fact> drawn(std::uint32_t entities, std::uint32_t relations, int count, std::uint64_t seed) {
  Rng rng(seed, "bellman ford test");
  std::vector<Fact> facts;
  for (int i = 0; i < count; ++i)
    facts.push_back({static_cast<std::uint32_t>(rng.below(entities)),
                     static_cast<std::uint32_t>(rng.below(relations)),
                     static_cast<std::uint32_t>(rng.below(entities))});
  return facts;
}

TEST_CASE("bellman ford: the gradient matches finite differences in every parameter", "[bellman_ford]") {
  const std::uint32_t width = GENERATE_COPY(4U, 100U);  // width 4 prunes entities, width 100 does not
  const bool dependent = GENERATE(false, true);
  const auto facts = drawn(12, 2, 20, 3);
  const RelationalGraph graph(12, 2, facts);
  Checked network(4, {.layers = 3, .width = width, .most_edges = 3, .dependent = dependent}, 5);
  // Parameters that are 0 could hide errors of the gradient.
  Rng rng(9, "bellman ford shift");
  for (double& x : network.parameters()) x += 0.3 * (rng.uniform() - 0.5);
  Checked::Trace trace;
  std::vector<bool> moved(network.layout().size, false);
  for (const Fact& fact :
       {facts[0], facts[1], facts[2], Fact{facts[3].tail, facts[3].relation + 2, facts[3].head}}) {
    const BellmanFordQuestion question{fact.head, fact.relation, fact.tail, Hidden::ends};
    const std::vector<std::uint32_t> known{1, 5, 7};
    const auto loss = [&] {
      network.forward(graph, question, trace);
      return network.loss(graph, question, known, trace, {});
    };
    std::vector<double> gradient(network.layout().size, 0);
    network.forward(graph, question, trace);
    network.loss(graph, question, known, trace, gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      INFO("parameter " << i << " of " << gradient.size());
      const double expected = samples::slope(network.parameters()[i], loss);
      REQUIRE(std::abs(gradient[i] - expected) <= 1e-6 * std::max(1.0, std::abs(expected)));
      if (std::abs(gradient[i]) > 1e-4) moved[i] = true;
    }
  }
  // Each group of parameters has at least one with a nonzero gradient.
  const auto& at = network.layout();
  const std::size_t starts[] = {at.e, at.shared, at.own, at.a,  at.b, at.c,         at.gain, at.shift,
                                at.p, at.pq,     at.m,   at.mq, at.o, at.unreached, at.size};
  for (std::size_t k = 0; k + 1 < std::size(starts); ++k) {
    if (starts[k] == starts[k + 1]) continue;
    INFO("group " << k);
    CHECK(std::find(moved.begin() + static_cast<std::ptrdiff_t>(starts[k]),
                    moved.begin() + static_cast<std::ptrdiff_t>(starts[k + 1]),
                    true) != moved.begin() + static_cast<std::ptrdiff_t>(starts[k + 1]));
  }
}

TEST_CASE("bellman ford: a linear network sums over all paths", "[bellman_ford]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::uint32_t entities = 7, layers = 3;
    const RelationalGraph graph(entities, 2, drawn(entities, 2, 9, seed));
    const Checked network(4, {.layers = layers, .width = 100, .most_edges = 100, .linear = true}, seed);
    const BellmanFordQuestion question{2, 1, 0};
    const auto& at = network.layout();
    const auto& parameters = network.parameters();
    std::vector<Checked::Row> sums(entities, Checked::Row{});
    // A path may start at any layer; a path of k steps starts k layers before the end.
    const std::function<void(std::uint32_t, std::uint32_t, const Checked::Row&)> walk =
        [&](std::uint32_t at_entity, std::uint32_t t, const Checked::Row& carried) {
          if (t == layers) {
            for (std::size_t i = 0; i < 4; ++i) sums[at_entity][i] += carried[i];
            return;
          }
          for (const auto& edge : graph.from(at_entity)) {
            Checked::Row next = carried;
            for (std::size_t i = 0; i < 4; ++i)
              next[i] *= parameters[at.shared + (t * 4 + edge.relation) * 4 + i] +
                         parameters[at.own + ((t * 4 + question.relation) * 4 + edge.relation) * 4 + i];
            walk(edge.to, t + 1, next);
          }
        };
    Checked::Row start;
    for (std::size_t i = 0; i < 4; ++i) start[i] = parameters[at.e + question.relation * 4 + i];
    for (std::uint32_t t = 0; t <= layers; ++t) walk(question.head, t, start);
    Checked::Trace trace;
    network.forward(graph, question, trace);
    for (std::uint32_t v = 0; v < entities; ++v)
      for (std::size_t i = 0; i < 4; ++i) {
        const double found = trace.place[v] == 0 ? 0 : trace.h[trace.place[v] - 1][i];
        CHECK(std::abs(found - sums[v][i]) <= 1e-12 * std::max(1.0, std::abs(sums[v][i])));
      }
  }
}

TEST_CASE("bellman ford: the width limits the entities that send", "[bellman_ford]") {
  const auto facts = drawn(200, 3, 1500, 1);
  const RelationalGraph graph(200, 3, facts);
  const Checked network(6, {.layers = 4, .width = 5, .most_edges = 7}, 1);
  Checked::Trace trace;
  network.forward(graph, {3, 1, 0}, trace);
  for (const auto& layer : trace.layers) CHECK(layer.edges.size() <= 5 * 7);
  CHECK_INVALID(network.forward(graph, {200, 1, 0}, trace));
  CHECK_INVALID(network.forward(graph, {3, 6, 0}, trace));
  CHECK_INVALID(Checked(6, {.layers = 0}, 1));
  CHECK_INVALID(RelationalGraph(3, 1, std::vector<Fact>{{0, 1, 2}}));
  CHECK_INVALID(RelationalGraph(3, 1, std::vector<Fact>{{0, 0, 3}}));
}

BellmanFordTraining training_of(const std::vector<Fact>& facts, Hidden hidden) {
  return {60, 2, facts, {.layers = 3, .width = 20}, {.batch = 8, .hidden = hidden}};
}

TEST_CASE("bellman ford: restored training gives the same bytes, for any number of threads",
          "[bellman_ford]") {
  const auto facts = drawn(60, 2, 120, 2);
  auto through = training_of(facts, Hidden::fact), first = training_of(facts, Hidden::fact);
  for (int i = 0; i < 60; ++i) through.step();  // two epochs
  for (int i = 0; i < 25; ++i) first.step(3);
  auto second = training_of(facts, Hidden::fact);
  second.restore(first.state());
  for (int i = 25; i < 60; ++i) second.step(2);
  CHECK(through.state() == second.state());
  CHECK(through.state() != first.state());
  const std::string kept = second.state();
  CHECK_INVALID(second.restore(kept.substr(1)));
  CHECK(second.state() == kept);
  CHECK(second.all_steps() == 300);
  while (second.steps() < second.all_steps()) second.step();
  CHECK_INVALID(second.step());
}

TEST_CASE("bellman ford: the sampled gradient is unbiased", "[bellman_ford]") {
  const auto facts = drawn(40, 2, 150, 6);
  const RelationalGraph graph(40, 2, facts);
  const Checked network(4, {.layers = 3, .width = 100}, 5);
  Checked::Trace trace;
  const BellmanFordQuestion question{facts[0].head, facts[0].relation, facts[0].tail, Hidden::fact};
  const std::size_t size = network.layout().size;
  std::vector<double> all(size, 0), sampled(size, 0);
  network.forward(graph, question, trace);
  const double loss = network.loss(graph, question, {}, trace, all);
  const int draws = 2000;
  for (int i = 0; i < draws; ++i)
    CHECK(network.loss(graph, question, {}, trace, sampled, {0.05, (i + 0.5) / draws}) == loss);
  double most = 0;
  for (const double x : all) most = std::max(most, std::abs(x));
  for (std::size_t i = 0; i < size; ++i) CHECK(std::abs(sampled[i] / draws - all[i]) <= 2e-3 * most);
}

TEST_CASE("bellman ford: hidden facts are not followed, other facts between the ends are", "[bellman_ford]") {
  const std::vector<Fact> facts{{0, 0, 1}, {0, 1, 1}, {1, 0, 0}, {1, 1, 2}};
  const RelationalGraph graph(3, 2, facts);
  const Checked network(4, {.layers = 2, .width = 100}, 1);
  Checked::Trace trace;
  const auto first_edges = [&](Hidden hidden) {
    network.forward(graph, {0, 0, 1, hidden}, trace);
    std::vector<std::uint32_t> relations;
    for (const auto& edge : trace.layers[0].edges) relations.push_back(edge.relation);
    return relations;
  };
  CHECK(first_edges(Hidden::nothing) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(first_edges(Hidden::fact) == std::vector<std::uint32_t>{1, 2});
  CHECK(first_edges(Hidden::ends).empty());
  CHECK(trace.reached.size() == 1);
  // The reciprocal of a hidden fact is hidden as well.
  network.forward(graph, {0, 0, 1, Hidden::fact}, trace);
  for (const auto& edge : trace.layers[1].edges) {
    const auto& layer = trace.layers[1];
    if (trace.reached[layer.kept[edge.from]] == 1 && trace.reached[layer.receivers[edge.to]] == 0)
      CHECK(edge.relation != 2);
  }
}

TEST_CASE("bellman ford: a fact is hidden while the network learns from it", "[bellman_ford]") {
  const auto facts = drawn(60, 2, 120, 4);  // random facts cannot be predicted from other facts
  auto hidden = training_of(facts, Hidden::fact), shown = training_of(facts, Hidden::nothing);
  double of_hidden = 0, of_shown = 0;
  for (int i = 0; i < 150; ++i) {
    const double a = hidden.step(), b = shown.step();
    if (i >= 120) of_hidden += a / 30, of_shown += b / 30;
  }
  CHECK(of_hidden > 3);  // chance is log 60 = 4.1
  CHECK(of_shown < 0.6 * of_hidden);
}

}  // namespace
}  // namespace engram::core
