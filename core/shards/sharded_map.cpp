// SPDX-License-Identifier: MIT
#include "core/shards/sharded_map.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

double greatest(Peers& peers, std::span<const double> own) { return peers.greatest(max(own)); }

ShardedWeights softmax(const ShardedMemory& memory, std::span<const double> scores, double temperature) {
  const double top = greatest(memory.peers(), scores);
  ShardedWeights weights;
  spend(16 * scores.size());
  for (const double s : scores) weights.own.push_back(exp(scaled_difference(s, top, temperature)));
  const double total = memory.sum_over_statements(weights.own);
  for (double& x : weights.own) x /= total;
  weights.value = top + temperature * log(total);
  return weights;
}

// Whether a weight depends on those scores alone that are less than T times the margin below the best, and on which
// of the lanes of a sum each is in.
bool looks_at_the_best_alone(const Regulariser& map) {
  if (map.map == SimplexMap::entmax) return map.alpha == 1.5 || map.alpha == 2 || std::isinf(map.alpha);
  return map.map == SimplexMap::sparsemax || map.map == SimplexMap::argmax;
}

struct Numbered {
  std::uint64_t number = 0;
  double score = 0;
};

// The map of some scores, of all peers' together, in the order of their numbers, at all peers. Between them stand as
// many without a weight as it takes for each to be in the lane of the sums in which it is among all.
ShardedWeights map_of_some(const ShardedMemory& memory, const Regulariser& map,
                           std::span<const double> scores, double temperature, double least, double filler) {
  const auto numbers = memory.statement_numbers();
  std::vector<Numbered> own;
  for (std::size_t s = 0; s < scores.size(); ++s)
    if (scores[s] >= least) own.push_back({numbers[s], scores[s]});
  auto all = gather(memory.peers(), std::span<const Numbered>(own)).items;
  std::ranges::sort(all, {}, &Numbered::number);

  std::vector<double> laid;
  std::vector<std::size_t> places;
  for (const auto& [number, score] : all) {
    while (laid.size() % SumInOrder::lane_count != number % SumInOrder::lane_count) laid.push_back(filler);
    places.push_back(laid.size());
    laid.push_back(score);
  }
  const Vector among = Eigen::Map<const Vector>(laid.data(), static_cast<Index>(laid.size()));
  const Vector p = apply(map, among, temperature);
  ShardedWeights weights;
  weights.value = programme_value(map, among, temperature);
  weights.own.assign(scores.size(), 0.0);
  std::size_t at = 0;  // among all, which ascend as one's own do
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (scores[s] < least) continue;
    while (all[at].number != numbers[s]) ++at;
    weights.own[s] = p[static_cast<Index>(places[at])];
  }
  return weights;
}

}  // namespace

ShardedWeights sharded_weights(const ShardedMemory& memory, const Regulariser& map,
                               std::span<const double> scores, double temperature) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (map.map == SimplexMap::softmax) return softmax(memory, scores, temperature);
  if (!looks_at_the_best_alone(map)) return map_of_some(memory, map, scores, temperature, -infinity, 0);
  const double top = greatest(memory.peers(), scores), reach = temperature * margin(map);
  const double filler = top - 2 * reach - 1;
  return map_of_some(memory, map, scores, temperature, top - reach * (1 + 1e-9), filler);
}

Vector greatest_scores(Peers& peers, std::span<const double> scores, std::size_t count) {
  std::vector<double> best(scores.begin(), scores.end());
  const std::size_t own = std::min(count, best.size());
  std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(own), best.end(),
                    std::greater<>());
  best.resize(own);
  std::vector<double> all = gather(peers, std::span<const double>(best)).items;
  std::ranges::sort(all, std::greater<>());
  all.resize(std::min(count, all.size()));
  return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
}

}  // namespace engram::core
