// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/maps/sparse_weights.hpp"
#include "core/methods/declaration.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/rank.hpp"
#include "core/numbers/sparse_sums.hpp"
#include "core/retrieval/near_statements.hpp"

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

// One hop of softmax: what is known of its weights over all statements. The true sum of exp(beta (s - top)) is
// between `least` and `most`; the state is off from that of attention by `error` at most, and so is each score.
struct SoftmaxHop {
  SparseVector state, kept;
  double top = 0, others = 0, least = 1, most = 1, error = 0;
};

/// `attention` at the cost of what it reaches. With a map that gives most statements nothing it is the same:
/// a hop looks at statements only until no other can come above the threshold (core/maps/sparse_weights.hpp);
/// where all might, as with a small beta, it looks at all. With softmax only the `kept` best of a hop are
/// attended from and get a score, their weights being those of the softmax over all, whose others share no
/// concept with the state (similarity 0) or are bounded (the concepts that most mention are not followed: `looks`); what that leaves out, and how many of the best are
/// certain to be attention's best, Recall::left_out tells.
struct LocalAttentionRetriever {
  double beta = 8;
  int steps = 3;
  std::size_t kept = 32;     // chosen: some times what a question is given
  std::size_t looks = 1024;  // chosen: names have fewer statements, what all mention has more
  Regulariser map = SimplexMap::softmax;
  static constexpr bool is_local = true;
  static constexpr const char* no_sum =
      "its weights are those of attention, or bounds of them: explain attention with the same options";

  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    if (memory.statements() == 0) return no_recall(memory);
    return map.map == SimplexMap::softmax ? by_softmax(memory, memory.query(cue))
                                          : by_threshold(memory, memory.query(cue));
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
    NearStatements near(memory, state);
    while (near.look_further()) {
      const Entries known = ascending(near.found());
      if (auto p = weights_of_largest(of_all, memory.statements(), known, near.beyond(), 1.0 / beta))
        return *p;
    }
    constexpr std::uint64_t vectors = 6;  // chosen: the scores, and what a map makes of them
    const Reservation claim(vectors * sizeof(double) * static_cast<std::uint64_t>(memory.statements()));
    Vector scores = Vector::Zero(memory.statements());
    for (const auto& [e, score] : near.found()) scores[e] = score;
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
    return told(memory, hops);
  }

  double times_at_most(const SoftmaxHop& hop) const { return exp(2 * beta * hop.error); }

  SoftmaxHop hop(const MemoryIndex& memory, SparseVector state, double error) const {
    NearStatements near(memory, state);
    while (near.look_further() && !(near.nth_best(kept) > near.beyond()))
      if (near.found().size() + near.next_count() > looks) break;
    SoftmaxHop hop{std::move(state),
                   {},
                   std::max(near.nth_best(1), near.beyond()),
                   std::max(near.nth_best(kept), near.beyond()),
                   1,
                   1,
                   error};
    const Entries found = ascending(near.found());
    charge(32 * found.size());
    const double nothing = exp(-beta * hop.top);  // of similarity 0
    const auto unseen = static_cast<double>(near.beyond_count());
    std::vector<double> terms;
    for (const auto& [e, score] : found) terms.push_back(exp(beta * (score - hop.top)));
    const double known = sum(std::span<const double>(terms)),
                 others = static_cast<double>(memory.statements()) - static_cast<double>(found.size());
    hop.least = known + others * nothing;
    hop.most = known + (others - unseen) * nothing + unseen * exp(beta * (near.beyond() - hop.top));
    const SparseVector scores(memory.statements(), found);
    Entries best;
    for (const StatementId e : rank(scores, kept)) best.emplace_back(e, weight_of(hop, scores[e]));
    hop.kept = {memory.statements(), ascending(std::move(best))};
    return hop;
  }

  // At least that of the softmax over all in this state.
  double weight_of(const SoftmaxHop& hop, double score) const {
    return exp(beta * (score - hop.top)) / hop.most;
  }

  // At most that of attention in its own state; 1 where errors are past telling.
  double most_of(const SoftmaxHop& hop, double score) const {
    const double most = exp(beta * (score - hop.top)) / hop.least * times_at_most(hop);
    return most < 1 ? most : 1.0;  // also for what is no number
  }

  // |K'(p - p')| <= sum |p - p'|, of the kept and of the others, as keys have length 1. Weights are off by no
  // more than the factor exp(2 beta error), as each score and the sum of all are.
  double error_after(const SoftmaxHop& hop) const {
    const double times = times_at_most(hop), mass = sum(hop.kept);
    const double off = std::max(hop.most / hop.least * times - 1, 1 - 1 / times);
    return std::min(1.0, mass * off + 1 - mass / times);  // similarities are within [0, 1]
  }

  // Mean weights of all that a hop kept, and how they stand to those of attention.
  Recall told(const MemoryIndex& memory, const std::vector<SoftmaxHop>& hops) const {
    std::set<StatementId> all;
    for (const SoftmaxHop& hop : hops) hop.kept.each([&](StatementId e, double) { all.insert(e); });
    const auto count = static_cast<double>(hops.size());
    Entries means;
    std::vector<std::pair<double, double>> bounds;
    for (const StatementId e : all) {
      double mean = 0, low = 0, high = 0;
      for (const SoftmaxHop& hop : hops) {
        charge(32 * memory.episode(e).size());
        const double score = similarity_of(memory, e, hop.state), p = weight_of(hop, score);
        mean += p / count;
        low += p / times_at_most(hop) / count;
        high += most_of(hop, score) / count;
      }
      means.emplace_back(e, mean);
      bounds.emplace_back(low, high);
    }
    double beyond = 0, mass = 0;
    for (const SoftmaxHop& hop : hops) beyond += most_of(hop, hop.others) / count;
    for (const auto& [low, high] : bounds) mass += low;
    Recall recall = from_statements(memory, SparseVector(memory.statements(), means));
    recall.iterations = steps;
    recall.left_out = {std::max(0.0, 1 - mass), certain_best(means, bounds, beyond)};
    return recall;
  }
};

}  // namespace

Method local_attention_method() {
  using R = LocalAttentionRetriever;
  return Declaration<R>(
             "local_attention", "attention",
             "attention from what it reaches: the same with sparse maps, a certified top with softmax")
      .only_by_name()
      .number("beta", &R::beta, 1e-6, 1e6, "inverse temperature: how sharply the best are preferred")
      .whole("steps", &R::steps, 1, 100, "hops: how often what was found is attended from")
      .whole("kept", &R::kept, 1, 1e6, "of softmax: the best of a hop, which alone are attended from")
      .whole("looks", &R::looks, 1, 1e9,
             "of softmax: statements that a hop looks at, but for those of the first concept")
      .map(&R::map)
      .support(Support::sparse);
}

}  // namespace engram::core
