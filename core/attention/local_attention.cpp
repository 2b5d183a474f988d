// SPDX-License-Identifier: MIT
// The method local_attention.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/index/memory_index.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {
namespace {

using Entries = std::vector<SparseVector::Entry>;

Entries ascending(Entries entries) {
  std::ranges::sort(entries);
  return entries;
}

// q + K' p.
SparseVector next_state(const MemoryIndex& memory, const SparseVector& query, const SparseVector& weights) {
  SparseSums state;
  weights.each([&](StatementId e, double p) {
    const auto columns = memory.episode(e);
    charge(32 * columns.size());
    const std::vector<double> key = memory.key(e);
    for (std::size_t k = 0; k < columns.size(); ++k) state.add(columns[k], key[k] * p);
  });
  query.each([&](ConceptId id, double x) { state.add(id, x); });
  return {query.size(), state.ascending()};
}

// One hop of softmax. The exact sum of exp(beta (s - top)) is between `least` and `most`. `error` bounds the distance
// between the state and that of attention, and so the error of each score.
struct SoftmaxHop {
  SparseVector state, kept;
  double top = 0, others = 0, least = 1, most = 1, error = 0;
};

/// The method `attention`, at the cost of the statements that it reaches.
///   sparse maps  The result equals that of `attention`. A hop reads statements until no other can reach the threshold
///                (core/maps/simplex_map.hpp); with a small beta it may read all.
///   softmax      Only the `kept` best statements of a hop get a score and take part in the next hop. The weights are
///                lower bounds of the softmax over all statements. Other statements have similarity 0 or a known upper
///                bound, because the concepts with the most statements are not followed (`looks`). Recall::left_out has
///                the error bounds.
struct LocalAttentionRetriever : Retriever {
  double beta = 8;
  int steps = 3;
  std::size_t kept = 32;     // chosen: several times the statements that a question gets
  std::size_t looks = 1024;  // chosen: most names have fewer statements, only very common ones have more
  Regulariser map = default_map(SimplexMap::softmax);

  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    if (memory.statements() == 0) return no_recall(memory);
    return map.map == SimplexMap::softmax ? by_softmax(memory, memory.query(cue.activation))
                                          : by_threshold(memory, memory.query(cue.activation));
  }

  Recall by_threshold(const MemoryIndex& memory, const SparseVector& query) const {
    SparseSums weights;
    SparseVector state = query;
    for (int t = 0; t < steps; ++t) {
      const SparseVector p = sparse_weights(memory, state);
      p.each([&](StatementId e, double weight) { weights.add(e, weight); });
      if (t + 1 < steps) state = next_state(memory, query, p);
    }
    const SparseVector sums(memory.statements(), weights.ascending());
    Recall recall = from_statements(memory, sums / static_cast<double>(steps));
    recall.iterations = steps;
    return recall;
  }

  SparseVector sparse_weights(const MemoryIndex& memory, const SparseVector& state) const {
    const Regulariser of_all = map.at_most(memory.statements());
    NearestStatements near(memory, state);
    while (near.score_next()) {
      const Entries known = ascending(near.scored());
      if (auto p = weights_of_largest(of_all, memory.statements(), known, near.upper_bound(), 1.0 / beta))
        return *p;
    }
    constexpr std::uint64_t vectors = 6;  // chosen: the scores, and the temporaries of a map
    const Reservation claim(vectors * sizeof(double) * static_cast<std::uint64_t>(memory.statements()));
    Vector scores = Vector::Zero(memory.statements());
    for (const auto& [e, score] : near.scored()) scores[e] = score;
    return apply(of_all, scores, 1.0 / beta);
  }

  Recall by_softmax(const MemoryIndex& memory, const SparseVector& query) const {
    std::vector<SoftmaxHop> hops;
    SparseVector state = query;
    double error = 0;
    for (int t = 0; t < steps; ++t) {
      hops.push_back(hop(memory, std::move(state), error));
      state = next_state(memory, query, hops.back().kept);
      error = error_after(hops.back());
    }
    return mean_over(memory, hops);
  }

  double largest_factor(const SoftmaxHop& hop) const { return exp(2 * beta * hop.error); }

  SoftmaxHop hop(const MemoryIndex& memory, SparseVector state, double error) const {
    NearestStatements near(memory, state);
    while (near.score_next() && !(near.nth_best(kept) > near.upper_bound()))
      if (near.scored().size() + near.next_mentions() > looks) break;
    SoftmaxHop hop{std::move(state),
                   {},
                   std::max(near.nth_best(1), near.upper_bound()),
                   std::max(near.nth_best(kept), near.upper_bound()),
                   1,
                   1,
                   error};
    const Entries found = ascending(near.scored());
    charge(32 * found.size());
    const double nothing = exp(-beta * hop.top);  // of similarity 0
    const auto unseen = static_cast<double>(near.most_unscored());
    std::vector<double> terms;
    for (const auto& [e, score] : found) terms.push_back(exp(beta * (score - hop.top)));
    const double known = sum(std::span<const double>(terms)),
                 others = static_cast<double>(memory.statements()) - static_cast<double>(found.size());
    hop.least = known + others * nothing;
    hop.most = known + (others - unseen) * nothing + unseen * exp(beta * (near.upper_bound() - hop.top));
    const SparseVector scores(memory.statements(), found);
    Entries best;
    for (const StatementId e : rank(scores, kept)) best.emplace_back(e, weight_of(hop, scores[e]));
    hop.kept = {memory.statements(), ascending(std::move(best))};
    return hop;
  }

  // Lower bound of the softmax weight in this state.
  double weight_of(const SoftmaxHop& hop, double score) const {
    return exp(beta * (score - hop.top)) / hop.most;
  }

  // Upper bound of the weight that attention gives; 1 if the error bound is useless.
  double upper_bound(const SoftmaxHop& hop, double score) const {
    const double most = exp(beta * (score - hop.top)) / hop.least * largest_factor(hop);
    return most < 1 ? most : 1.0;  // also for NaN
  }

  // |K'(p - p')| <= sum |p - p'|, because keys have length 1. Each score is off by at most `error`, so each weight is
  // off by at most the factor exp(2 beta error).
  double error_after(const SoftmaxHop& hop) const {
    const double times = largest_factor(hop), mass = sum(hop.kept);
    const double off = std::max(hop.most / hop.least * times - 1, 1 - 1 / times);
    return std::min(1.0, mass * off + 1 - mass / times);  // similarities are within [0, 1]
  }

  // Mean weights of the statements that a hop kept, with bounds.
  Recall mean_over(const MemoryIndex& memory, const std::vector<SoftmaxHop>& hops) const {
    std::set<StatementId> all;
    for (const SoftmaxHop& hop : hops) hop.kept.each([&](StatementId e, double) { all.insert(e); });
    const auto count = static_cast<double>(hops.size());
    Entries means;
    std::vector<std::pair<double, double>> bounds;
    for (const StatementId e : all) {
      double mean = 0, low = 0, high = 0;
      for (const SoftmaxHop& hop : hops) {
        charge(32 * memory.episode(e).size());
        const double score = memory.similarity(e, hop.state), p = weight_of(hop, score);
        mean += p / count;
        low += p / largest_factor(hop) / count;
        high += upper_bound(hop, score) / count;
      }
      means.emplace_back(e, mean);
      bounds.emplace_back(low, high);
    }
    double beyond = 0, mass = 0;
    for (const SoftmaxHop& hop : hops) beyond += upper_bound(hop, hop.others) / count;
    for (const auto& [low, high] : bounds) mass += low;
    Recall recall = from_statements(memory, SparseVector(memory.statements(), means));
    recall.iterations = steps;
    recall.left_out = {std::max(0.0, 1 - mass), certain_best(means, bounds, beyond)};
    return recall;
  }
};

constexpr auto local_attention_options =
    option_table(number_option<&LocalAttentionRetriever::beta>(
                     "beta", 1e-6, 1e6, "inverse temperature: larger values prefer the best more sharply"),
                 whole_option<&LocalAttentionRetriever::steps>(
                     "steps", 1, 100, "hops: each further hop attends from the result of the last one"),
                 whole_option<&LocalAttentionRetriever::kept>(
                     "kept", 1, 1e6, "for softmax: number of best statements that the next hop attends from"),
                 whole_option<&LocalAttentionRetriever::looks>(
                     "looks", 1, 1e9,
                     "for softmax: most statements scored in a hop, not counting those of the first concept"),
                 simplex_map_options<&LocalAttentionRetriever::map>());

}  // namespace

Method local_attention_method() {
  return make_method<LocalAttentionRetriever>(
      "local_attention", "attention",
      "attention at the cost of the statements reached: equal with sparse maps, a certified top with softmax",
      local_attention_options,
      {.support = Support::sparse,
       .is_local = true,
       .only_by_name = true,
       .no_sum =
           "its weights are those of attention, or bounds of them: explain attention with the same options"});
}

}  // namespace engram::core
