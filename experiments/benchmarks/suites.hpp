// SPDX-License-Identifier: MIT
// The suites of engram_benchmark and their sizes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_attention.hpp"
#include "experiments/benchmarks/scoreboard.hpp"

namespace engram::benchmarks {

/// Sizes and peers of the suites.
struct Sizes {
  // Suite `attention`: numbers of keys, columns of a key, queries of a batch, and best keys to find.
  core::Index keys = 1'000'000, columns = 64, batch = 64, best = 32;
  // Suite `hopfield`: spins of a network, stored patterns, and cues to recall.
  core::Index spins = 10'000, patterns = 1'000, cues = 32;
  double damage = 0.1;  // share of a cue's spins that are flipped
  std::vector<core::Index> concepts{100'000, 1'000'000};
  core::Index links = 8;  // links drawn from each concept; nearly as many lead to it
  std::vector<core::Index> stored{1'000'000, 100'000, 10'000},
      stored_columns{64, 512, 1024};  // patterns of modern networks, and their columns
  // Suite `narsese`: lines to parse.
  std::size_t lines = 1'000'000;
  // Suite `links`: numbers of concepts to measure, and pairs of concepts to learn.
  std::vector<std::uint32_t> joined{100'000, 1'000'000};  // pairs are drawn by Zipf's law
  std::uint32_t updates = 10'000'000;
  double decay = 1e-6;
  // Suite `paths`: sizes of the memory, and questions.
  std::vector<std::size_t> statements{10'000, 1'000'000};
  std::size_t questions = 60;
  // For all suites: instruction sets to compare, the largest number of threads, and the seed.
  std::vector<core::Instructions> instructions{core::Instructions::best};
  unsigned threads = 2;
  std::uint64_t seed = 1;
  // External programs that compete as peers.
  std::string torch;                                              // Python with torch; empty: none
  std::vector<std::pair<std::string, std::string>> parsers = {};  // (name, program that parses a file)

  /// The name of an instruction set, or an empty text if the run uses only one.
  std::string label(core::Instructions one) const {
    return instructions.size() > 1 ? std::string(core::name(one)) : std::string();
  }
  /// The numbers of threads to measure: 1, and `threads` if larger.
  std::vector<unsigned> thread_counts() const {
    return threads > 1 ? std::vector<unsigned>{1, threads} : std::vector<unsigned>{1};
  }
};

/// Adds a function of Engram to a contest, once for each instruction set and number of threads.
inline void add_kernel(Contest& contest, const Sizes& sizes, const std::string& name, double pieces,
                       const std::function<double(const core::FloatOptions&)>& run) {
  for (const core::Instructions instructions : sizes.instructions)
    for (const unsigned threads : sizes.thread_counts())
      contest.contestants.push_back({.name = name,
                                     .pieces = pieces,
                                     .run =
                                         [=] {
                                           return run({threads, instructions});
                                         },
                                     .threads = threads,
                                     .instructions = sizes.label(instructions)});
}

void attention_suite(const Sizes& sizes, Scoreboard& board);
void hopfield_suite(const Sizes& sizes, Scoreboard& board);
void narsese_suite(const Sizes& sizes, Scoreboard& board);
void links_suite(const Sizes& sizes, Scoreboard& board);
void walks_suite(const Sizes& sizes, Scoreboard& board);
void paths_suite(const Sizes& sizes, Scoreboard& board);

/// The generated lines of Narsese that the narsese suite parses.
std::string narsese_lines(bool large_vocabulary, const Sizes& sizes);

/// A suite of contests.
struct Suite {
  std::string_view name, summary;
  void (*run)(const Sizes& sizes, Scoreboard& board);
};
inline constexpr std::array<Suite, 6> suites{{
    {"attention", "attention and the best keys, over many keys", attention_suite},
    {"hopfield", "classical networks from bits, fields of sparse graphs, modern steps", hopfield_suite},
    {"narsese", "parsing to trees and to shared terms", narsese_suite},
    {"links", "learning Hebbian links from pairs of concepts", links_suite},
    {"walks", "PageRank and ECAN along links", walks_suite},
    {"paths", "questions answered by attention over proofs, and learning from them", paths_suite},
}};

}  // namespace engram::benchmarks
