// SPDX-License-Identifier: MIT
// The program `link_benchmark`: what it costs a graph to learn from pairs that were active together, beside the same
// sums kept in a hash map, which has neither lists of a concept's links nor an order.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
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
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/timing.hpp"

namespace {

using namespace engram::core;
using namespace engram::benchmarks;

struct Sizes {
  std::uint32_t concepts = 100'000, updates = 10'000'000, repeats = 3;
  double decay = 1e-6;
  std::uint64_t seed = 1;
};

using Ends = std::array<ConceptId, 2>;

// Of Zipf's law: the k-th most frequent concept is drawn in proportion to 1/k. Which one it is says nothing.
std::vector<Ends> draw_pairs(const Sizes& sizes) {
  Rng rng(sizes.seed, "link_benchmark");
  const std::vector<std::uint32_t> ids = rng.permutation(sizes.concepts);
  std::vector<double> cumulated;
  double sum = 0;
  for (std::uint32_t k = 1; k <= sizes.concepts; ++k) cumulated.push_back(sum += 1.0 / k);
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

// What was learnt of a link or a concept, and when: the same rule as that of the graph.
struct Learnt {
  double together = 0;
  std::uint32_t updated = 0;

  void learn(const ConceptGraph& rule, std::uint32_t now) {
    together = added_evidence(together * rule.kept(now - updated), evidence);
    updated = now;
  }
};

struct PairHash {
  std::size_t operator()(std::uint64_t ends) const { return engram::narsese::mix(ends); }
};

#if __has_include(<boost/unordered/unordered_flat_map.hpp>)
constexpr const char* map_name = "boost::unordered_flat_map";
using PairMap = boost::unordered_flat_map<std::uint64_t, Learnt, PairHash>;
double bytes_of(const PairMap& map) {  // a byte beside each place, in groups of 16 for 15
  return static_cast<double>(map.bucket_count()) * (sizeof(PairMap::value_type) + 16.0 / 15);
}
#else
constexpr const char* map_name = "std::unordered_map";
using PairMap = std::unordered_map<std::uint64_t, Learnt, PairHash>;
// A node of its own for each, with a pointer and what it costs to allocate.
double bytes_of(const PairMap& map) {
  constexpr std::size_t allocation_bytes = 16;
  return static_cast<double>(map.bucket_count()) * sizeof(void*) +
         static_cast<double>(map.size()) * (sizeof(PairMap::value_type) + sizeof(void*) + allocation_bytes);
}
#endif

// Seconds of the first and the second time that all pairs are learnt from, and what came of it.
struct Run {
  std::array<double, 2> seconds{};
  double sum = 0, bytes_a_link = 0;
};

template <class Pass>
std::array<double, 2> twice(const Pass& pass) {
  std::array<double, 2> seconds{};
  for (std::uint32_t time = 0; double& of_pass : seconds) {
    const double begin = cpu_seconds();
    pass(time);
    of_pass = cpu_seconds() - begin;
  }
  return seconds;
}

// One pair after the other, or many at once.
Run run_graph(const Sizes& sizes, const std::vector<Ends>& pairs, bool at_once) {
  engram::narsese::TermTable terms;
  ConceptGraph graph(sizes.decay);
  for (std::uint32_t i = 0; i < sizes.concepts; ++i) graph.intern(terms.atom("c" + std::to_string(i)));
  for (ConceptId id = 0; id < sizes.concepts; ++id) graph.co_activate(std::array{id}, evidence, 0);
  const std::size_t before = graph.bytes();
  Run run;
  run.seconds = twice([&](std::uint32_t& time) {
    if (!at_once) {
      for (const Ends& ends : pairs) graph.co_activate(ends, evidence, ++time);
      return;
    }
    std::array<ConceptGraph::Episode, 1024> episodes;
    for (std::size_t next = 0; next < pairs.size();) {
      std::size_t count = 0;
      for (; count < episodes.size() && next < pairs.size(); ++next)
        episodes[count++] = {pairs[next], evidence, ++time};
      graph.co_activate(std::span<const ConceptGraph::Episode>(episodes).first(count));
    }
  });
  const HebbianLinks links = graph.hebbian_links();
  for (const HebbianLink& link : links) run.sum += link.together;
  run.bytes_a_link = static_cast<double>(graph.bytes() - before) / static_cast<double>(links.size());
  return run;
}

// The links alone, or what concepts have learnt, too, as a graph does.
Run run_map(const Sizes& sizes, const std::vector<Ends>& pairs, bool with_concepts) {
  const ConceptGraph rule(sizes.decay);
  PairMap map;
  std::vector<Learnt> concepts(sizes.concepts);
  Run run;
  run.seconds = twice([&](std::uint32_t& time) {
    for (const auto& [a, b] : pairs) {
      ++time;
      if (with_concepts) {
        concepts[a].learn(rule, time);
        concepts[b].learn(rule, time);
      }
      map[std::uint64_t{a} << 32 | b].learn(rule, time);
    }
  });
  PairMap summed;
  for (const auto& [a, b] : pairs)
    if (const auto ends = std::uint64_t{a} << 32 | b; summed.try_emplace(ends).second)
      run.sum += map[ends].together;
  run.bytes_a_link = bytes_of(map) / static_cast<double>(map.size());
  return run;
}

struct Row {
  std::string name;
  std::array<std::vector<double>, 2> seconds;
  double bytes_a_link = 0;
};

bool add(Row& row, const Run& run, double& sum) {
  if (sum == 0) sum = run.sum;
  if (run.sum != sum) {
    std::cerr << row.name << ": learnt something else\n";
    return false;
  }
  for (std::size_t pass = 0; pass < 2; ++pass) row.seconds[pass].push_back(run.seconds[pass]);
  row.bytes_a_link = run.bytes_a_link;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times what a graph learns from pairs beside a hash map.", "link_benchmark");
  Sizes sizes;
  add_option(app, "--concepts", sizes.concepts, "Drawn by Zipf's law", 2, 100'000'000);
  add_option(app, "--updates", sizes.updates, "Pairs drawn, and learnt from twice", 1, 1'000'000'000);
  add_option(app, "--repeats", sizes.repeats, "Rounds; the median counts", 1, 1'000);
  app.add_option("--decay", sizes.decay, "Share of all evidence that is lost with each pair")
      ->check(CLI::Range(0.0, 0.999))
      ->capture_default_str();
  app.add_option("--seed", sizes.seed, "What is drawn follows from it")->capture_default_str();
  app.footer(
      "Beside boost::unordered_flat_map where the compiler finds it (Boost 1.81 and later), else\n"
      "std::unordered_map.\n"
      "Exit codes: 0 done, 1 where both did not learn the same, 2 wrong usage.\n"
      "Example:\n  link_benchmark --concepts 1000000 --updates 10000000");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  const std::vector<Ends> pairs = draw_pairs(sizes);
  const std::string map = map_name;
  std::array<Row, 4> rows{Row{map + ", links alone", {}}, Row{map + ", links and concepts", {}},
                          Row{"graph, pair by pair", {}}, Row{"graph, many at once", {}}};
  double sum = 0;
  for (std::uint32_t repeat = 0; repeat < sizes.repeats; ++repeat)
    if (!add(rows[0], run_map(sizes, pairs, false), sum) || !add(rows[1], run_map(sizes, pairs, true), sum) ||
        !add(rows[2], run_graph(sizes, pairs, false), sum) ||
        !add(rows[3], run_graph(sizes, pairs, true), sum))
      return 1;
  std::printf("== %u updates of pairs of %u concepts, decay %g\n", sizes.updates, sizes.concepts,
              sizes.decay);
  std::printf("%-50s %10s %10s %10s\n", "times as fast as the first row", "from empty", "again",
              "bytes/link");
  for (const Row& row : rows)
    std::printf("%-50s %10.2f %10.2f %10.1f\n", row.name.c_str(),
                median(rows[0].seconds[0]) / median(row.seconds[0]),
                median(rows[0].seconds[1]) / median(row.seconds[1]), row.bytes_a_link);
  return 0;
}
