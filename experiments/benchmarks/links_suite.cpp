// SPDX-License-Identifier: MIT
// Benchmark suite: the time of a graph to learn links from pairs of active concepts. The peer is a hash map with the
// same sums, but without lists of links for each concept and without an order.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>
#if __has_include(<boost/unordered/unordered_flat_map.hpp>)
#include <boost/unordered/unordered_flat_map.hpp>
#else
#include <unordered_map>
#endif

#include "core/graph/concept_graph.hpp"
#include "core/graph/memory_image.hpp"
#include "core/numbers/random.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/suites.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;

using Ends = std::array<ConceptId, 2>;

// Draws pairs of concepts by Zipf's law: the k-th most frequent concept has a probability proportional to 1/k. Ids are
// shuffled, so an id is independent of the frequency.
std::vector<Ends> draw_pairs(const Sizes& sizes, std::uint32_t concepts) {
  Rng rng(sizes.seed, "link_benchmark");
  const std::vector<std::uint32_t> ids = rng.permutation(concepts);
  std::vector<double> cumulated;
  double sum = 0;
  for (std::uint32_t k = 1; k <= concepts; ++k) cumulated.push_back(sum += 1.0 / k);
  const auto draw = [&] {
    const auto place = std::ranges::upper_bound(cumulated, rng.uniform() * sum) - cumulated.begin();
    return ids[std::min<std::size_t>(static_cast<std::size_t>(place), ids.size() - 1)];
  };
  std::vector<Ends> pairs;
  while (pairs.size() < sizes.updates)
    if (const ConceptId a = draw(), b = draw(); a != b) pairs.push_back({std::min(a, b), std::max(a, b)});
  return pairs;
}

constexpr double evidence = 0.9;

// The learnt state of a link or concept, updated by the same rule as in ConceptGraph.
struct Learnt {
  double together = 0;
  std::uint32_t updated = 0;

  void learn(const ConceptGraph& rule, std::uint32_t now) {
    together = add_capped(together * rule.retention(now - updated), evidence);
    updated = now;
  }
};

struct PairHash {
  std::size_t operator()(std::uint64_t ends) const { return narsese::mix(ends); }
};

#if __has_include(<boost/unordered/unordered_flat_map.hpp>)
constexpr const char* map_name = "boost::unordered_flat_map";
constexpr const char* map_name_with_concepts = "boost::unordered_flat_map, concepts too";
using PairMap = boost::unordered_flat_map<std::uint64_t, Learnt, PairHash>;
// Boost's flat map has 16 bytes of metadata for every 15 slots.
double bytes_of(const PairMap& map) {
  return static_cast<double>(map.bucket_count()) * (sizeof(PairMap::value_type) + 16.0 / 15);
}
#else
constexpr const char* map_name = "std::unordered_map";
constexpr const char* map_name_with_concepts = "std::unordered_map, concepts too";
using PairMap = std::unordered_map<std::uint64_t, Learnt, PairHash>;
// The map has a pointer for each bucket. Each entry is an allocated node with a pointer to the next one.
double bytes_of(const PairMap& map) {
  constexpr std::size_t allocation_bytes = 16;
  return static_cast<double>(map.bucket_count()) * sizeof(void*) +
         static_cast<double>(map.size()) * (sizeof(PairMap::value_type) + sizeof(void*) + allocation_bytes);
}
#endif

// Learns pairs in a ConceptGraph, one pair at a time or 1024 pairs at once.
class GraphLearner {
 public:
  GraphLearner(std::uint32_t concepts, double decay, bool at_once)
      : concepts_(concepts), decay_(decay), at_once_(at_once) {}

  // Creates a new graph that contains the concepts, but no links.
  void begin() {
    graph_.reset();
    terms_ = std::make_unique<narsese::TermTable>();
    graph_ = std::make_unique<ConceptGraph>(decay_);
    for (std::uint32_t i = 0; i < concepts_; ++i) graph_->intern(terms_->atom("c" + std::to_string(i)));
    for (ConceptId id = 0; id < concepts_; ++id) graph_->co_activate(std::array{id}, evidence, 0);
    before_ = graph_->bytes();
    time_ = 0;
  }
  void learn(const std::vector<Ends>& pairs) {
    if (!at_once_) {
      for (const Ends& ends : pairs) graph_->co_activate(ends, evidence, ++time_);
      return;
    }
    std::array<ConceptGraph::Episode, 1024> episodes;
    for (std::size_t next = 0; next < pairs.size();) {
      std::size_t count = 0;
      for (; count < episodes.size() && next < pairs.size(); ++next)
        episodes[count++] = {pairs[next], evidence, ++time_};
      graph_->co_activate(std::span<const ConceptGraph::Episode>(episodes).first(count));
    }
  }
  // Checksum: the sum of the learnt values.
  double sum(const std::vector<Ends>&) {
    double sum = 0;
    const HebbianLinks links = graph_->hebbian_links();
    for (const HebbianLink& link : links) sum += link.together;
    return sum;
  }
  double bytes_per_link() {
    return static_cast<double>(graph_->bytes() - before_) /
           static_cast<double>(graph_->hebbian_links().size());
  }

 private:
  std::uint32_t concepts_, time_ = 0;
  double decay_;
  bool at_once_;
  std::unique_ptr<narsese::TermTable> terms_;
  std::unique_ptr<ConceptGraph> graph_;
  std::size_t before_ = 0;
};

// Learns pairs in a hash map. It learns only links or, as a graph does, also the activity of concepts.
class MapLearner {
 public:
  MapLearner(std::uint32_t concepts, double decay, bool with_concepts)
      : rule_(decay), learnt_(with_concepts ? concepts : 0) {}

  void begin() {
    map_ = {};
    std::ranges::fill(learnt_, Learnt());
    time_ = 0;
  }
  void learn(const std::vector<Ends>& pairs) {
    for (const auto& [a, b] : pairs) {
      ++time_;
      if (!learnt_.empty()) {
        learnt_[a].learn(rule_, time_);
        learnt_[b].learn(rule_, time_);
      }
      map_[std::uint64_t{a} << 32 | b].learn(rule_, time_);
    }
  }
  // Checksum: the sum of the learnt values, in the order of the links in a graph, so that rounding is the same.
  double sum(const std::vector<Ends>& pairs) {
    double sum = 0;
    PairMap summed;
    for (const auto& [a, b] : pairs)
      if (const auto ends = std::uint64_t{a} << 32 | b; summed.try_emplace(ends).second)
        sum += map_[ends].together;
    return sum;
  }
  double bytes_per_link() { return bytes_of(map_) / static_cast<double>(map_.size()); }

 private:
  ConceptGraph rule_;
  PairMap map_;
  std::vector<Learnt> learnt_;
  std::uint32_t time_ = 0;
};

// Adds a learner that starts empty or, if `again`, has already learnt all pairs once. Preparing it is not timed.
template <class Learner>
void add(Contest& contest, Role role, const char* name, Learner& learner, const std::vector<Ends>& pairs,
         bool again) {
  contest.contestants.push_back({.role = role, .name = name, .pieces = static_cast<double>(pairs.size())});
  contest.contestants.back().run_and_time = [&learner, &pairs, again] {
    learner.begin();
    if (again) learner.learn(pairs);
    const double begin = cpu_seconds();
    learner.learn(pairs);
    return Round{cpu_seconds() - begin, learner.sum(pairs)};
  };
  contest.contestants.back().note = [&learner] {
    char bytes[32];
    std::snprintf(bytes, sizeof bytes, "%.1f bytes a link", learner.bytes_per_link());
    return std::string(bytes);
  };
}

void learn(const Sizes& sizes, std::uint32_t concepts, Scoreboard& board) {
  const std::vector<Ends> pairs = draw_pairs(sizes, concepts);
  MapLearner links_only(concepts, sizes.decay, false), with_concepts(concepts, sizes.decay, true);
  GraphLearner pair_by_pair(concepts, sizes.decay, false), many_at_once(concepts, sizes.decay, true);
  // Input of the lower bound: for each pair, the index of its slot. Every distinct pair has a slot.
  std::vector<std::uint32_t> order;
  PairMap known;
  for (const auto& [a, b] : pairs) {
    const auto [place, is_new] = known.try_emplace(std::uint64_t{a} << 32 | b);
    if (is_new) place->second.updated = static_cast<std::uint32_t>(known.size() - 1);
    order.push_back(place->second.updated);
  }
  std::vector<double> slots(known.size());
  for (const bool again : {false, true}) {
    Contest contest{"links",
                    std::to_string(sizes.updates) + " pairs of " + std::to_string(concepts) +
                        (again ? " concepts, all links there" : " concepts, from empty"),
                    "pair"};
    contest.contestants.push_back(random_changes(slots, order));
    add(contest, Role::peer, map_name, links_only, pairs, again);
    add(contest, Role::peer, map_name_with_concepts, with_concepts, pairs, again);
    add(contest, Role::engram, "graph, pair by pair", pair_by_pair, pairs, again);
    add(contest, Role::engram, "graph, many at once", many_at_once, pairs, again);
    board.hold(contest);
    for (const Contestant& one : contest.contestants)
      if (one.role == Role::engram) require_same(one, contest.named(map_name));
  }
}

}  // namespace

void links_suite(const Sizes& sizes, Scoreboard& board) {
  for (const std::uint32_t concepts : sizes.joined) learn(sizes, concepts, board);
}

}  // namespace engram::benchmarks
