// SPDX-License-Identifier: MIT
#include "core/proofs/proof_graph.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// A proof as the enumeration makes it: how often it uses each edge, and its log-weight.
struct Enumerated {
  std::vector<double> uses;
  double log_weight = 0;
};

// All proofs of a node, by the definition.
std::vector<Enumerated> enumerated(const ProofGraph& graph, ProofGraph::Node of) {
  std::vector<Enumerated> all;
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const ProofGraph::Edge& edge = graph.edges()[e];
    if (edge.conclusion != of) continue;
    std::vector<Enumerated> made{{std::vector<double>(graph.edges().size(), 0), edge.log_weight}};
    made[0].uses[e] = 1;
    for (const ProofGraph::Node premise : edge.premises) {
      std::vector<Enumerated> longer;
      for (const Enumerated& a : made)
        for (const Enumerated& b : enumerated(graph, premise)) {
          Enumerated both = a;
          both.log_weight += b.log_weight;
          for (std::size_t i = 0; i < both.uses.size(); ++i) both.uses[i] += b.uses[i];
          longer.push_back(std::move(both));
        }
      made = std::move(longer);
    }
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

ProofGraph random_graph(Rng& rng) {
  ProofGraph graph;
  const std::size_t nodes = 2 + rng.below(6);
  for (ProofGraph::Node node = 0; node < nodes; ++node) {
    graph.add_node();
    for (std::uint64_t e = rng.below(4); e-- > 0;) {
      ProofGraph::Edge edge{node, {}, samples::uniform(rng, -3, 1), static_cast<StatementId>(rng.below(5))};
      if (node > 0)
        for (std::uint64_t p = rng.below(3); p-- > 0;)
          edge.premises.push_back(static_cast<ProofGraph::Node>(rng.below(node)));
      graph.add_edge(edge);
    }
  }
  return graph;
}

void add_uses(const ProofGraph::Proof& proof, std::vector<double>& uses) {
  uses[proof.edge] += 1;
  for (const ProofGraph::Proof& premise : proof.premises) add_uses(premise, uses);
}

TEST_CASE("sums over proofs and the best of them are those of an enumeration", "[core][proofs]") {
  Rng rng(1, "proof_graph");
  std::size_t proofs = 0, without = 0;
  for (int round = 0; round < 300; ++round) {
    const ProofGraph graph = random_graph(rng);
    const auto of = static_cast<ProofGraph::Node>(graph.nodes() - 1);
    std::vector<Enumerated> all = enumerated(graph, of);
    if (all.size() > 3000) continue;
    proofs += all.size();
    const ProofGraph::Sums sums = graph.sums(of);
    if (all.empty()) {
      ++without;
      CHECK(sums.log_total == -INFINITY);
      CHECK(graph.best(of, 5).empty());
      continue;
    }
    double total = 0;
    std::vector<double> expected(graph.edges().size(), 0);
    for (const Enumerated& one : all) total += std::exp(one.log_weight);
    for (const Enumerated& one : all)
      for (std::size_t e = 0; e < expected.size(); ++e)
        expected[e] += std::exp(one.log_weight) / total * one.uses[e];
    CHECK(sums.log_total == Approx(std::log(total)));
    for (std::size_t e = 0; e < expected.size(); ++e)
      CHECK(sums.expected[e] == Approx(expected[e]).margin(1e-12));

    std::ranges::stable_sort(all, std::greater<>(), &Enumerated::log_weight);
    const auto best = graph.best(of, all.size() + 1);
    REQUIRE(best.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(best[i].log_weight == Approx(all[i].log_weight));
      std::vector<double> uses(graph.edges().size(), 0);
      add_uses(best[i], uses);
      double weight = 0;
      for (std::size_t e = 0; e < uses.size(); ++e) weight += uses[e] * graph.edges()[e].log_weight;
      CHECK(weight == Approx(best[i].log_weight));
      // Each proof comes once: of those alike in weight, some enumerated one has its uses.
      CHECK(std::ranges::count(all, uses, &Enumerated::uses) >=
            std::ranges::count_if(best, [&](const ProofGraph::Proof& other) {
              std::vector<double> same(graph.edges().size(), 0);
              add_uses(other, same);
              return same == uses;
            }));
    }
    CHECK(graph.best(of, 1).size() == 1);
  }
  CHECK(proofs > 2000);
  CHECK(without > 20);
}

TEST_CASE("the derivative of log Z by a weight is how often its edge is used", "[core][proofs]") {
  Rng rng(2, "proof_graph");
  for (int round = 0; round < 50; ++round) {
    ProofGraph graph = random_graph(rng);
    const auto of = static_cast<ProofGraph::Node>(graph.nodes() - 1);
    const ProofGraph::Sums sums = graph.sums(of);
    if (sums.log_total == -INFINITY) continue;
    const double h = 1e-5;
    for (std::size_t e = 0; e < graph.edges().size(); ++e) {
      const auto log_total = [&](double more) {
        ProofGraph changed;
        for (std::size_t node = 0; node < graph.nodes(); ++node) changed.add_node();
        for (std::size_t i = 0; i < graph.edges().size(); ++i) {
          ProofGraph::Edge edge = graph.edges()[i];
          if (i == e) edge.log_weight += more;
          changed.add_edge(edge);
        }
        return changed.sums(of).log_total;
      };
      CHECK(sums.expected[e] == Approx((log_total(h) - log_total(-h)) / (2 * h)).margin(1e-8));
    }
  }
}

TEST_CASE("a graph in a circle is refused", "[core][proofs]") {
  ProofGraph graph;
  const auto a = graph.add_node(), b = graph.add_node();
  CHECK_THROWS_AS(graph.add_edge({a, {b}, 0, {}}), std::invalid_argument);
  CHECK_THROWS_AS(graph.add_edge({a, {a}, 0, {}}), std::invalid_argument);
  CHECK_THROWS_AS(graph.add_edge({7, {}, 0, {}}), std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
