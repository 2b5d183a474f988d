// SPDX-License-Identifier: MIT
#include "core/proofs/proof_graph.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// A proof: the number of uses of each edge, and the log-weight.
struct Enumerated {
  std::vector<double> uses;
  double log_weight = 0;
};

// Reference implementation: all proofs of a node, by enumeration.
std::vector<Enumerated> enumerated(const ProofGraph& graph, ProofGraph::Node of,
                                   const std::vector<double>& log_weights) {
  std::vector<Enumerated> all;
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const ProofGraph::Edge& edge = graph.edges()[e];
    if (edge.conclusion != of || log_weights[e] == -INFINITY) continue;
    std::vector<Enumerated> made{{std::vector<double>(graph.edges().size(), 0), log_weights[e]}};
    made[0].uses[e] = 1;
    for (const ProofGraph::Node premise : edge.premises) {
      std::vector<Enumerated> longer;
      for (const Enumerated& a : made)
        for (const Enumerated& b : enumerated(graph, premise, log_weights)) {
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
      ProofGraph::Edge edge{node, {}, static_cast<StatementId>(rng.below(5))};
      if (node > 0)
        for (std::uint64_t p = rng.below(3); p-- > 0;)
          edge.premises.push_back(static_cast<ProofGraph::Node>(rng.below(node)));
      graph.add_edge(edge);
    }
  }
  return graph;
}

// Random log-weights, a tenth of them -infinity.
std::vector<double> random_log_weights(Rng& rng, const ProofGraph& graph) {
  std::vector<double> log_weights;
  for (std::size_t e = 0; e < graph.edges().size(); ++e)
    log_weights.push_back(rng.below(10) == 0 ? -INFINITY : uniform(rng, -3, 1));
  return log_weights;
}

void add_uses(const ProofGraph::Proof& proof, std::vector<double>& uses) {
  uses[proof.edge] += 1;
  for (const ProofGraph::Proof& premise : proof.premises) add_uses(premise, uses);
}

TEST_CASE("sums over proofs and the best proofs equal an enumeration", "[proofs]") {
  Rng rng(1, "proof_graph");
  std::size_t proofs = 0, without = 0;
  for (int round = 0; round < 600; ++round) {
    const ProofGraph graph = random_graph(rng);
    const auto of = static_cast<ProofGraph::Node>(graph.nodes() - 1);
    const std::vector<double> log_weights = random_log_weights(rng, graph);
    std::vector<Enumerated> all = enumerated(graph, of, log_weights);
    if (all.size() > 3000) continue;
    proofs += all.size();
    const ProofGraph::Sums sums = graph.sums(of, log_weights);
    if (all.empty()) {
      ++without;
      CHECK(sums.log_total == -INFINITY);
      CHECK(graph.best(of, 5, log_weights).empty());
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
    const auto best = graph.best(of, all.size() + 1, log_weights);
    REQUIRE(best.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(best[i].log_weight == Approx(all[i].log_weight));
      std::vector<double> uses(graph.edges().size(), 0);
      add_uses(best[i], uses);
      double weight = 0;
      for (std::size_t e = 0; e < uses.size(); ++e)
        if (uses[e] > 0) weight += uses[e] * log_weights[e];
      CHECK(weight == Approx(best[i].log_weight));
      // No proof occurs twice: an enumerated proof with the same weight has the same uses.
      CHECK(std::ranges::count(all, uses, &Enumerated::uses) >=
            std::ranges::count_if(best, [&](const ProofGraph::Proof& other) {
              std::vector<double> same(graph.edges().size(), 0);
              add_uses(other, same);
              return same == uses;
            }));
    }
    CHECK(graph.best(of, 1, log_weights).size() == 1);
  }
  CHECK(proofs > 2000);
  CHECK(without > 20);
}

TEST_CASE("the derivative of log Z by a log-weight is the expected number of uses of the edge", "[proofs]") {
  Rng rng(2, "proof_graph");
  for (int round = 0; round < 50; ++round) {
    const ProofGraph graph = random_graph(rng);
    const auto of = static_cast<ProofGraph::Node>(graph.nodes() - 1);
    std::vector<double> log_weights = random_log_weights(rng, graph);
    const ProofGraph::Sums sums = graph.sums(of, log_weights);
    if (sums.log_total == -INFINITY) continue;
    for (std::size_t e = 0; e < graph.edges().size(); ++e) {
      const double expected = slope(log_weights[e], [&] { return graph.sums(of, log_weights).log_total; });
      CHECK(sums.expected[e] == Approx(expected).margin(1e-8));
    }
  }
}

TEST_CASE("a proof graph rejects cycles and a wrong number of weights", "[proofs]") {
  ProofGraph graph;
  const auto a = graph.add_node(), b = graph.add_node();
  CHECK_INVALID(graph.add_edge({a, {b}, {}}));
  CHECK_INVALID(graph.add_edge({a, {a}, {}}));
  CHECK_INVALID(graph.add_edge({7, {}, {}}));
  graph.add_edge({b, {a}, {}});
  CHECK_INVALID(graph.sums(b, {}));
  CHECK_INVALID(graph.best(b, 1, std::vector<double>(2)));
}

}  // namespace
}  // namespace engram::core
