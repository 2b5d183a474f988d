// SPDX-License-Identifier: MIT
#include "core/proofs/proof_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();  // the logarithm of 0

// log(exp(a) + exp(b))
double log_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == nothing ? a : a + log1p(exp(b - a));
}

// The best proofs of each node, computed on demand.
class BestProofs {
 public:
  BestProofs(const ProofGraph& graph, const std::vector<std::vector<ProofGraph::EdgeId>>& edges_of,
             std::span<const double> log_weights)
      : graph_(graph), edges_of_(edges_of), log_weights_(log_weights), of_(graph.nodes()) {}

  // Whether the node has a proof of this rank; rank 0 is the best. Iterative with an explicit stack, because proofs can
  // be deep.
  bool has(ProofGraph::Node wanted, std::size_t wanted_rank) {
    std::vector<std::pair<ProofGraph::Node, std::size_t>> needed{{wanted, wanted_rank}};
    while (!needed.empty()) {
      const auto [node, rank] = needed.back();
      Ranked& ranked = of_[node];
      if (is_known(node, rank)) {
        needed.pop_back();
        continue;
      }
      const std::size_t before = needed.size();
      for (const Choice& choice : successors(node))
        for (std::size_t i = 0; i < choice.ranks.size(); ++i)
          if (const ProofGraph::Node premise = graph_.edges()[choice.edge].premises[i];
              !is_known(premise, choice.ranks[i]))
            needed.emplace_back(premise, choice.ranks[i]);
      if (needed.size() > before) continue;
      for (Choice& choice : successors(node)) add(node, std::move(choice));
      ranked.is_begun = true;
      ranked.is_exhausted = ranked.waiting.empty();
      if (ranked.is_exhausted) continue;
      ranked.best.push_back(*ranked.waiting.begin());
      ranked.waiting.erase(ranked.waiting.begin());
    }
    return of_[wanted].best.size() > wanted_rank;
  }

  ProofGraph::Proof proof(ProofGraph::Node node, std::size_t rank) const {
    const Choice& choice = of_[node].best[rank];
    const ProofGraph::Edge& edge = graph_.edges()[choice.edge];
    ProofGraph::Proof proof{choice.edge, {}, choice.log_weight};
    for (std::size_t i = 0; i < edge.premises.size(); ++i)
      proof.premises.push_back(this->proof(edge.premises[i], choice.ranks[i]));
    return proof;
  }

 private:
  // An edge, and the rank of the proof of each of its premises.
  struct Choice {
    double log_weight = 0;
    ProofGraph::EdgeId edge = 0;
    std::vector<std::size_t> ranks;

    friend bool operator<(const Choice& a, const Choice& b) {
      if (a.log_weight != b.log_weight) return a.log_weight > b.log_weight;
      return std::tie(a.edge, a.ranks) < std::tie(b.edge, b.ranks);
    }
  };
  struct Ranked {
    bool is_begun = false, is_exhausted = false;
    std::vector<Choice> best;
    std::set<Choice> waiting;  // a set, because several choices have the same successor
  };

  bool is_known(ProofGraph::Node node, std::size_t rank) const {
    return of_[node].best.size() > rank || of_[node].is_exhausted;
  }

  // The new candidates for the next rank: at first the best proof by each edge, then the choices that differ from the
  // last one in one premise.
  std::vector<Choice> successors(ProofGraph::Node node) const {
    std::vector<Choice> found;
    const Ranked& ranked = of_[node];
    if (!ranked.is_begun) {
      for (const ProofGraph::EdgeId edge : edges_of_[node])
        found.push_back({0, edge, std::vector<std::size_t>(graph_.edges()[edge].premises.size(), 0)});
      return found;
    }
    for (std::size_t i = 0; i < ranked.best.back().ranks.size(); ++i) {
      found.push_back(ranked.best.back());
      ++found.back().ranks[i];
    }
    return found;
  }

  // Adds a candidate, unless one of its premises has no proof of its rank.
  void add(ProofGraph::Node node, Choice choice) {
    const ProofGraph::Edge& edge = graph_.edges()[choice.edge];
    charge(16 + 16 * edge.premises.size());
    choice.log_weight = log_weights_[choice.edge];
    if (choice.log_weight == nothing) return;
    for (std::size_t i = 0; i < edge.premises.size(); ++i) {
      const Ranked& premise = of_[edge.premises[i]];
      if (premise.best.size() <= choice.ranks[i]) return;
      choice.log_weight += premise.best[choice.ranks[i]].log_weight;
    }
    of_[node].waiting.insert(std::move(choice));
  }

  const ProofGraph& graph_;
  const std::vector<std::vector<ProofGraph::EdgeId>>& edges_of_;
  std::span<const double> log_weights_;
  std::vector<Ranked> of_;
};

void add_statements(const ProofGraph& graph, const ProofGraph::Proof& proof,
                    std::vector<StatementId>& found) {
  if (const auto statement = graph.edges()[proof.edge].statement) found.push_back(*statement);
  for (const ProofGraph::Proof& premise : proof.premises) add_statements(graph, premise, found);
}

}  // namespace

std::vector<StatementId> ProofGraph::Proof::statements(const ProofGraph& graph) const {
  std::vector<StatementId> found;
  add_statements(graph, *this, found);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

ProofGraph::Node ProofGraph::add_node() {
  edges_of_.emplace_back();
  return static_cast<Node>(edges_of_.size() - 1);
}

ProofGraph::EdgeId ProofGraph::add_edge(Edge edge) {
  require(edge.conclusion < nodes(), "the conclusion must be a node of the graph", edge.conclusion);
  for (const Node premise : edge.premises)
    require(premise < edge.conclusion, "each premise must be added before the conclusion", premise);
  edges_of_[edge.conclusion].push_back(static_cast<EdgeId>(edges_.size()));
  edges_.push_back(std::move(edge));
  return static_cast<EdgeId>(edges_.size() - 1);
}

ProofGraph::Sums ProofGraph::sums(Node of, std::span<const double> log_weights) const {
  require(log_weights.size() == edges_.size(), "there must be a weight for each edge", log_weights.size());
  std::vector<double> inside(of + 1, nothing), outside(of + 1, nothing), through(edges_.size(), nothing);
  for (Node node = 0; node <= of; ++node)
    for (const EdgeId e : edges_of_[node]) {
      const Edge& edge = edges_[e];
      charge(16 + 8 * edge.premises.size());
      through[e] = log_weights[e];
      for (const Node premise : edge.premises) through[e] += inside[premise];
      inside[node] = log_sum(inside[node], through[e]);
    }
  Sums sums{inside[of], std::vector<double>(edges_.size(), 0)};
  if (sums.log_total == nothing) return sums;
  outside[of] = 0;
  for (Node node = of + 1; node-- > 0;) {
    if (outside[node] == nothing) continue;
    for (const EdgeId e : edges_of_[node]) {
      if (through[e] == nothing) continue;
      const double all = outside[node] + through[e];
      sums.expected[e] = exp(all - sums.log_total);
      for (const Node premise : edges_[e].premises)
        outside[premise] = log_sum(outside[premise], all - inside[premise]);
    }
  }
  return sums;
}

std::vector<ProofGraph::Proof> ProofGraph::best(Node of, std::size_t count,
                                                std::span<const double> log_weights) const {
  require(log_weights.size() == edges_.size(), "there must be a weight for each edge", log_weights.size());
  BestProofs best(*this, edges_of_, log_weights);
  std::vector<Proof> proofs;
  while (proofs.size() < count && best.has(of, proofs.size()))
    proofs.push_back(best.proof(of, proofs.size()));
  return proofs;
}

}  // namespace engram::core
