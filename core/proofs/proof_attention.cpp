// SPDX-License-Identifier: MIT
#include "core/proofs/proof_attention.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/index/concept_embedding.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/shapes.hpp"
#include "core/proofs/associations.hpp"

namespace engram::core {
namespace {

constexpr double excluded = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t no_place = ~std::uint32_t{0};

// The strongly connected components of the statements `needed`, where a statement depends on the premises of its steps.
// `place` is the place of a statement in `needed`. Premises have smaller numbers than conclusions of other components.
std::vector<std::uint32_t> components(const ProofForest& forest, const std::vector<std::uint32_t>& needed,
                                      const std::vector<std::uint32_t>& place) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(needed.size());
  for (std::size_t i = 0; i < needed.size(); ++i)
    for (const ProofForest::Step& step : forest.proved[needed[i]].steps)
      for (const std::uint32_t premise : step.premises) boost::add_edge(i, place[premise], graph);
  std::vector<std::uint32_t> found(needed.size());
  boost::strong_components(
      graph, boost::make_iterator_property_map(found.begin(), boost::get(boost::vertex_index, graph)));
  return found;
}

// Sorts proofs by log_weight_once. Weights that differ only by rounding count as equal; the terms then decide.
void sort_proofs(const MemoryIndex& memory, std::vector<WeightedProof>& proofs) {
  const auto rounded = [](const WeightedProof& proof) { return std::round(proof.log_weight_once * 1e9); };
  std::ranges::stable_sort(proofs, [&](const WeightedProof& a, const WeightedProof& b) {
    return rounded(a) != rounded(b) ? rounded(a) > rounded(b) : precedes(memory, a.statements, b.statements);
  });
}

// Adds the steps of a proof tree to `proof`. `once` gets the largest log-weight of each statement's uses.
void add_steps(const FoundProofs& found, const ProofGraph::Proof& tree, std::span<const double> log_weights,
               std::uint32_t depth, WeightedProof& proof, std::map<StatementId, double>& once) {
  const auto& statement = found.graph().edges()[tree.edge].statement;
  if (statement) {
    proof.steps.push_back({*statement, found.move(tree.edge), depth});
    for (std::size_t f = 0; f < proof_features; ++f) proof.features[f] += found.features(tree.edge)[f];
    const auto [known, is_new] = once.emplace(*statement, log_weights[tree.edge]);
    if (!is_new) known->second = std::max(known->second, log_weights[tree.edge]);
  }
  for (const ProofGraph::Proof& premise : tree.premises)
    add_steps(found, premise, log_weights, statement ? depth + 1 : depth, proof, once);
}

}  // namespace

bool ProofQuery::is_open() const {
  return question.open || (question.term && question.term.has_variables()) ||
         std::ranges::any_of(pairs, [](const NamePair& pair) { return !pair.to; });
}

std::vector<ConceptId> ProofQuery::names() const {
  std::set<ConceptId> found;
  for (const NamePair& pair : pairs) {
    found.insert(pair.from);
    if (pair.to) found.insert(*pair.to);
  }
  return {found.begin(), found.end()};
}

ProofQuery proof_query(const MemoryIndex& memory, const Cue& cue) {
  return {{cue.term}, name_pairs(memory, cue)};
}

FoundProofs::FoundProofs(const MemoryIndex& memory, const ProofQuery& query, const ProofWeights& theta,
                         const ProofAttentionOptions& options, bool all_features) {
  require(options.temperature >= 0.1 && options.temperature <= 100, "the temperature must be in [0.1, 100]",
          options.temperature);
  const bool embeds = options.embedding.kind != EmbeddingKind::incidence &&
                      (all_features || at(theta, ProofFeature::nearness) != 0);
  const ProofScorer scorer(memory, theta, query.names(),
                           embeds ? embedded(memory, options.embedding) : nullptr, all_features);
  ProofForest forest = search_proofs(scorer, query.question, options.search);
  is_complete_ = forest.is_complete;
  is_spent_ = !is_complete_ && forest.work >= options.search.work;
  work_ = forest.work;
  if (!options.search.is_tabled) find_smallest_uses(forest);
  if (forest.answers.empty()) {
    are_guesses_ = true;
    forest = search_associations(scorer, query.pairs, query.question.without, query.answer, options.search);
    work_ += forest.work;
  }
  if (!forest.answers.empty()) add(forest);
}

void FoundProofs::find_smallest_uses(const ProofForest& forest) {
  std::map<StatementId, double> smallest;
  for (const ProofForest::Proved& proved : forest.proved)
    for (const ProofForest::Step& step : proved.steps) {
      const auto [known, is_new] = smallest.emplace(step.statement, proved.cost);
      if (!is_new) known->second = std::min(known->second, proved.cost);
    }
  smallest_uses_.assign(smallest.begin(), smallest.end());
}

// The graph must be acyclic, so a step becomes an edge only if its premises come before its conclusion. The order is by
// strongly connected component and, within a component, by cost. The first step that proved a statement always becomes
// an edge.
void FoundProofs::add(const ProofForest& forest) {
  std::vector<std::uint32_t> place(forest.proved.size(), no_place), needed;
  const auto need = [&](std::uint32_t proved) {
    if (place[proved] != no_place) return;
    place[proved] = static_cast<std::uint32_t>(needed.size());
    needed.push_back(proved);
  };
  for (const std::uint32_t answer : forest.answers) need(answer);
  bool may_have_cycles = false;
  for (std::size_t i = 0; i < needed.size(); ++i)
    for (const ProofForest::Step& step : forest.proved[needed[i]].steps)
      for (const std::uint32_t premise : step.premises) {
        need(premise);
        may_have_cycles |= forest.proved[premise].cost >= forest.proved[needed[i]].cost;
      }
  std::vector<std::uint32_t> component(needed.size(), 0);
  if (may_have_cycles) component = components(forest, needed, place);
  const auto rank = [&](std::uint32_t proved) {
    return std::pair(component[place[proved]], forest.proved[proved].cost);
  };
  const auto is_used = [&](std::uint32_t proved, const ProofForest::Step& step) {
    return std::ranges::all_of(step.premises,
                               [&](std::uint32_t premise) { return rank(premise) < rank(proved); });
  };
  std::vector<std::uint32_t> in_order = needed;
  std::ranges::stable_sort(in_order, {}, rank);
  std::vector<ProofGraph::Node> nodes(forest.proved.size());
  for (const std::uint32_t proved : in_order) {
    nodes[proved] = graph_.add_node();
    for (const ProofForest::Step& step : forest.proved[proved].steps) {
      if (!is_used(proved, step)) continue;
      ProofGraph::Edge edge{nodes[proved], {}, step.statement};
      for (const std::uint32_t premise : step.premises) edge.premises.push_back(nodes[premise]);
      graph_.add_edge(std::move(edge));
      moves_.push_back(step.move);
      features_.push_back(step.features);
    }
  }
  question_ = graph_.add_node();
  first_answer_ = graph_.edges().size();
  for (const std::uint32_t answer : forest.answers) {
    const auto edge = graph_.add_edge({question_, {nodes[answer]}, {}});
    if (answer == forest.known_answer) to_answer_ = edge;
    moves_.push_back(ProofMove::fact);
    features_.push_back({});
  }
}

std::vector<double> FoundProofs::log_weights(const ProofWeights& theta, double temperature) const {
  std::vector<double> weights(features_.size());
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = score_of(theta, features_[e]) / temperature;
  return weights;
}

std::vector<double> FoundProofs::log_weights_over(std::span<const double> all,
                                                  std::span<const StatementId> only) const {
  std::vector<double> weights(all.begin(), all.end());
  for (std::size_t e = 0; e < weights.size(); ++e)
    if (const auto statement = graph_.edges()[e].statement;
        statement && !std::ranges::binary_search(only, *statement))
      weights[e] = excluded;
  return weights;
}

std::vector<double> FoundProofs::log_weights_to_answer(std::span<const double> all) const {
  std::vector<double> weights(all.begin(), all.end());
  for (std::size_t e = first_answer_; e < weights.size(); ++e)
    if (e != to_answer_) weights[e] = excluded;
  return weights;
}

FoundProofs::Sums FoundProofs::sums(std::span<const double> log_weights) const {
  Sums found;
  found.log_total = excluded;
  if (is_empty()) return found;
  const ProofGraph::Sums sums = graph_.sums(question_, log_weights);
  found.log_total = sums.log_total;
  for (std::size_t e = 0; e < features_.size(); ++e)
    if (sums.expected[e] > 0)
      for (std::size_t f = 0; f < proof_features; ++f)
        found.expected[f] += sums.expected[e] * features_[e][f];
  return found;
}

ProofAttention::ProofAttention(const MemoryIndex& memory, const ProofQuery& query, const ProofWeights& theta,
                               const ProofAttentionOptions& options) {
  const FoundProofs found(memory, query, theta, options, false);
  work_ = found.work();
  is_complete_ = found.is_complete();
  is_spent_ = found.is_spent();
  are_guesses_ = found.are_guesses();
  confidence_ = are_guesses_ ? options.confidence.guess : options.confidence.proof;
  if (found.is_empty()) return;
  const bool has_answers = query.is_open() && !are_guesses_;
  if (has_answers) answers_ = found.answers();
  const std::vector<double> weights = found.log_weights(theta, options.temperature);
  const ProofGraph::Sums sums = found.graph().sums(found.question(), weights);
  std::map<StatementId, double> uses;
  for (std::size_t e = 0; e < found.graph().edges().size(); ++e)
    if (const auto statement = found.graph().edges()[e].statement; statement && sums.expected[e] > 0)
      uses[*statement] += sums.expected[e];
  marginals_.assign(uses.begin(), uses.end());
  std::set<std::vector<StatementId>> known;
  for (const ProofGraph::Proof& tree : found.graph().best(found.question(), options.proofs, weights)) {
    WeightedProof proof;
    proof.statements = tree.statements(found.graph());
    if (!known.insert(proof.statements).second) continue;
    std::map<StatementId, double> once;
    add_steps(found, tree, weights, 0, proof, once);
    for (const auto& [statement, log_weight] : once) proof.log_weight_once += log_weight;
    proof.share = exp(tree.log_weight - sums.log_total);
    if (has_answers) proof.answer = found.answer_of(tree);
    proofs_.push_back(std::move(proof));
  }
  sort_proofs(memory, proofs_);
  if (options.map.map != SimplexMap::softmax) share_by(options.map);
}

void ProofAttention::share_by(const Regulariser& map) {
  Vector scores(static_cast<Index>(proofs_.size()));
  constexpr double least = std::numeric_limits<double>::min();  // 0 has no logarithm
  for (std::size_t i = 0; i < proofs_.size(); ++i)
    scores[static_cast<Index>(i)] = log(std::max(least, proofs_[i].share));
  const Vector weights = apply(map.at_most(scores.size()), scores);
  double sum = 0;
  for (const double weight : weights) sum += weight;  // k if the map has a budget k
  std::map<StatementId, double> uses;
  std::vector<WeightedProof> kept;
  for (std::size_t i = 0; i < proofs_.size(); ++i) {
    const double share = weights[static_cast<Index>(i)] / sum;
    if (!(share > 0)) continue;
    proofs_[i].share = share;
    for (const ProofStep& step : proofs_[i].steps) uses[step.statement] += share;
    kept.push_back(std::move(proofs_[i]));
  }
  proofs_ = std::move(kept);
  marginals_.assign(uses.begin(), uses.end());
}

bool precedes(const MemoryIndex& memory, std::vector<StatementId> proof, std::vector<StatementId> other) {
  const auto before = [&](StatementId a, StatementId b) {
    return narsese::compare(memory.statement_term(static_cast<Index>(a)),
                            memory.statement_term(static_cast<Index>(b))) < 0;
  };
  std::ranges::sort(proof, before);
  std::ranges::sort(other, before);
  return std::ranges::lexicographical_compare(proof, other, before);
}

std::vector<std::pair<StatementId, double>> budgets(const ProofAttention& attention) {
  constexpr double least = 1e-300;  // chosen: the smallest budget of a statement
  const auto answers = static_cast<double>(attention.answers());
  std::map<std::size_t, double> fails;  // by answer: the probability that its proofs so far do not suffice
  std::map<StatementId, double> found;
  double rest = 1;
  for (const WeightedProof& proof : attention.proofs()) {
    for (const StatementId e : proof.statements) found.try_emplace(e, rest);
    double& fail = fails.try_emplace(proof.answer, 1).first->second;
    rest = attention.answers() == 1 ? rest * (1 - attention.confidence())
                                    : rest - fail * attention.confidence() / answers;
    rest = std::max(least, rest);
    fail *= 1 - attention.confidence();
  }
  for (const auto& [e, uses] : attention.marginals())
    found.try_emplace(e, std::max(least, rest * std::min(1.0, uses)));
  return {found.begin(), found.end()};
}

}  // namespace engram::core
