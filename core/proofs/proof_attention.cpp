// SPDX-License-Identifier: MIT
#include "core/proofs/proof_attention.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/numbers/numeric.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {
namespace {

// The part of a forest from which its answers follow, as an acyclic graph. A step is used only if all its premises are cheaper
// than its conclusion. The first step that proved a statement always is such a step.
struct Unrolled {
  ProofGraph graph;
  std::vector<ProofGraph::Node> answers;
};

template <class LogWeight>
Unrolled unrolled(const ProofForest& forest, const LogWeight& log_weight) {
  const auto comes_before = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(forest.shown[a].cost, a) < std::pair(forest.shown[b].cost, b);
  };
  const auto is_used = [&](std::uint32_t shown, const ProofForest::Step& step) {
    return std::ranges::all_of(step.premises,
                               [&](std::uint32_t premise) { return comes_before(premise, shown); });
  };
  std::vector<bool> is_needed(forest.shown.size());
  std::vector<std::uint32_t> needed;
  const auto need = [&](std::uint32_t shown) {
    if (!is_needed[shown]) needed.push_back(shown);
    is_needed[shown] = true;
  };
  for (const std::uint32_t answer : forest.answers) need(answer);
  for (std::size_t i = 0; i < needed.size(); ++i)
    for (const ProofForest::Step& step : forest.shown[needed[i]].steps)
      if (is_used(needed[i], step))
        for (const std::uint32_t premise : step.premises) need(premise);
  std::ranges::sort(needed, comes_before);
  Unrolled found;
  std::vector<ProofGraph::Node> nodes(forest.shown.size());
  for (const std::uint32_t shown : needed) {
    nodes[shown] = found.graph.add_node();
    for (const ProofForest::Step& step : forest.shown[shown].steps) {
      if (!is_used(shown, step)) continue;
      ProofGraph::Edge edge{nodes[shown], {}, log_weight(step), step.statement};
      for (const std::uint32_t premise : step.premises) edge.premises.push_back(nodes[premise]);
      found.graph.add_edge(std::move(edge));
    }
  }
  for (const std::uint32_t answer : forest.answers) found.answers.push_back(nodes[answer]);
  return found;
}

}  // namespace

ProofAttention::ProofAttention(const Readings& memory, narsese::Term question,
                               const ProofAttentionOptions& options) {
  require(options.temperature > 0, "the temperature must be above 0", options.temperature);
  const ProofForest forest = search_proofs(memory, question, options.search);
  work_ = forest.work;
  is_complete_ = forest.is_complete;
  if (forest.answers.empty()) return;
  constexpr double scale = 2;  // chosen: each statement more makes a proof exp(2) times less likely
  Unrolled all = unrolled(forest, [&](const ProofForest::Step& step) {
    return -scale * cost_of_use(memory, step.statement) / options.temperature;
  });
  const ProofGraph::Node root = all.graph.add_node();
  for (const ProofGraph::Node answer : all.answers) all.graph.add_edge({root, {answer}, 0, {}});
  const ProofGraph::Sums sums = all.graph.sums(root);
  std::map<StatementId, double> uses;
  for (std::size_t e = 0; e < all.graph.edges().size(); ++e)
    if (const auto statement = all.graph.edges()[e].statement; statement && sums.expected[e] > 0)
      uses[*statement] += sums.expected[e];
  marginals_.assign(uses.begin(), uses.end());
  std::set<std::vector<StatementId>> known;
  for (const ProofGraph::Proof& proof : all.graph.best(root, options.proofs)) {
    ProofGuess guess{proof.statements(all.graph), -proof.log_weight * options.temperature / scale,
                     exp(proof.log_weight - sums.log_total)};
    if (known.insert(guess.statements).second) guesses_.push_back(std::move(guess));
  }
  std::ranges::stable_sort(guesses_, [](const ProofGuess& a, const ProofGuess& b) {
    return std::pair(-a.share, a.statements.size()) < std::pair(-b.share, b.statements.size());
  });
  if (options.map.map != SimplexMap::softmax) share_by(options.map);
}

void ProofAttention::share_by(const Regulariser& map) {
  Vector scores(static_cast<Index>(guesses_.size()));
  constexpr double least = std::numeric_limits<double>::min();  // 0 has no logarithm
  for (std::size_t i = 0; i < guesses_.size(); ++i)
    scores[static_cast<Index>(i)] = log(std::max(least, guesses_[i].share));
  const Vector weights = apply(map.at_most(scores.size()), scores);
  double sum = 0;
  for (const double weight : weights) sum += weight;  // of a budget k
  std::map<StatementId, double> uses;
  std::vector<ProofGuess> kept;
  for (std::size_t i = 0; i < guesses_.size(); ++i) {
    const double share = weights[static_cast<Index>(i)] / sum;
    if (!(share > 0)) continue;
    guesses_[i].share = share;
    for (const StatementId e : guesses_[i].statements) uses[e] += share;
    kept.push_back(std::move(guesses_[i]));
  }
  guesses_ = std::move(kept);
  marginals_.assign(uses.begin(), uses.end());
}

std::vector<std::pair<StatementId, double>> budgets(const ProofAttention& attention, double certainty) {
  constexpr double least = 1e-300;  // chosen: the smallest budget of a given statement
  std::map<StatementId, double> found;
  double rest = 1;
  for (const ProofGuess& guess : attention.guesses()) {
    for (const StatementId e : guess.statements) found.try_emplace(e, rest);
    rest = std::max(least, rest * (1 - certainty));
  }
  for (const auto& [e, uses] : attention.marginals())
    found.try_emplace(e, std::max(least, rest * std::min(1.0, uses)));
  return {found.begin(), found.end()};
}

}  // namespace engram::core
