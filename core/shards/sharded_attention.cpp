// SPDX-License-Identifier: MIT
// Attention and modern Hopfield networks over the statements of a sharded memory.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/numbers/numeric.hpp"
#include "core/shards/sharded_map.hpp"
#include "core/shards/split.hpp"

namespace engram::core {
namespace {

Regulariser map_of(const Split& split) {
  return {*value_named(simplex_maps, split.choice("map")), split.number("alpha"),
          static_cast<Index>(split.number("k"))};
}

Index count_of(const ShardedMemory& memory) { return static_cast<Index>(memory.statements()); }

// recall_modern (core/hopfield/modern_hopfield.hpp) of the keys as patterns; observe(p) after each step. No `field`:
// null, as a peer without names has an empty one.
template <class Observe>
Recall iterate(const ShardedMemory& memory, const OwnValues& cue, const ModernHopfieldOptions& options,
               const OwnValues* field, const Observe& observe) {
  check(options);
  double largest_square = 0;
  for (std::size_t s = 0; s < memory.own_statements(); ++s)
    largest_square = std::max(largest_square, dot(memory.key(s), memory.key(s)));
  const double constant = energy_constant(options, count_of(memory), memory.peers().greatest(largest_square));
  const auto energy = [&](const OwnValues& state, double value) {
    const double coupling = field == nullptr ? 0.0 : memory.dot_over_names(*field, state);
    return constant - value + 0.5 * memory.dot_over_names(state, state) - coupling;
  };
  const auto weights_of = [&](const OwnValues& scores) {
    return sharded_weights(memory, options.map, scores, 1.0 / options.beta);
  };

  Recall recall;
  recall.converged = false;
  OwnValues state = cue, scores = memory.similarity(state);
  ShardedWeights p = weights_of(scores);
  recall.energies.push_back(energy(state, p.value));
  const Index winners = options.map.map == SimplexMap::budget ? options.map.k : 1;
  recall.certificate = certify_retrieval(
      options.map, greatest_scores(memory.peers(), scores, static_cast<std::size_t>(winners) + 1),
      options.beta);
  while (recall.iterations < options.max_steps && (options.every_step || !recall.converged)) {
    observe(p.own);
    OwnValues next = memory.project(p.own);
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (field != nullptr) next[i] += (*field)[i];
      change = std::max(change, std::abs(next[i] - state[i]));
    }
    state = std::move(next);
    scores = memory.similarity(state);
    p = weights_of(scores);
    recall.energies.push_back(energy(state, p.value));
    ++recall.iterations;
    recall.converged = memory.peers().greatest(change) <= options.tolerance;
  }
  return recall;
}

// Of one statement, by its number; nothing where it has no concepts.
std::optional<double> separation_of(const ShardedMemory& memory, std::uint64_t number) {
  const auto numbers = memory.statement_numbers();
  const auto found = std::ranges::lower_bound(numbers, number);
  OwnValues alone(numbers.size(), 0.0);
  double concepts = 0;
  if (found != numbers.end() && *found == number) {
    const auto own = static_cast<std::size_t>(found - numbers.begin());
    alone[own] = 1;
    concepts = static_cast<double>(memory.key(own).size());
  }
  if (memory.peers().greatest(concepts) == 0) return {};
  double nearest = 0;
  for (const double overlap : memory.similarity(memory.project(alone)))
    nearest = nearest_but_copies(nearest, overlap);
  return 1 - memory.peers().greatest(nearest);
}

}  // namespace

SplitScores split_attention(const Split& split) {
  require_choice(split, "inverse_frequency", "yes");
  const ModernHopfieldOptions options{split.number("beta"), map_of(split).at_most(count_of(split.memory)),
                                      static_cast<int>(split.number("steps")), -1.0};
  const OwnValues query = query_of(split.memory, split.cue);
  SplitScores scored{OwnValues(split.memory.own_statements(), 0.0), {}, {}};
  scored.course = iterate(split.memory, query, options, &query, [&](const OwnValues& p) {
    for (std::size_t s = 0; s < p.size(); ++s) scored.statements[s] += p[s];
  });
  for (double& x : scored.statements) x /= static_cast<double>(scored.course.iterations);
  scored.course.converged = true;  // as many hops as were asked for
  return scored;
}

SplitScores split_modern_hopfield(const Split& split) {
  const ShardedMemory& memory = split.memory;
  double beta = split.number("beta");
  if (!(beta > 0))
    beta =
        separating_beta(map_of(split), count_of(memory), median_separation(count_of(memory), [&](Index row) {
                          return separation_of(memory, static_cast<std::uint64_t>(row));
                        }));
  const ModernHopfieldOptions options{beta, map_of(split).at_most(count_of(memory)),
                                      static_cast<int>(split.number("max_steps")), 1e-12};
  SplitScores scored;
  scored.course = iterate(memory, query_of(memory, split.cue), options, nullptr,
                          [&](const OwnValues& p) { scored.statements = p; });
  return scored;
}

}  // namespace engram::core
