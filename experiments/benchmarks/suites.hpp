// SPDX-License-Identifier: MIT
// What engram_benchmark measures, by suites.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_kernels.hpp"
#include "experiments/benchmarks/scoreboard.hpp"

namespace engram::benchmarks {

/// How much of what, and with whom.
struct Sizes {
  // attention
  core::Index keys = 1'000'000, columns = 64, batch = 64, best = 32;
  // hopfield
  core::Index spins = 10'000, patterns = 1'000, cues = 32;
  double damage = 0.1;  // of the cues' spins
  std::vector<core::Index> concepts{100'000, 1'000'000};
  core::Index links = 8;  // made for each concept: it has twice as many, with those that others made
  std::vector<core::Index> stored{1'000'000, 100'000, 10'000},
      stored_columns{64, 512, 1024};  // modern networks
  // narsese
  std::size_t lines = 1'000'000;
  // links
  std::vector<std::uint32_t> joined{100'000, 1'000'000};  // concepts, drawn by Zipf's law
  std::uint32_t updates = 10'000'000;
  double decay = 1e-6;
  // paths
  std::vector<std::size_t> statements{10'000, 1'000'000};
  std::size_t questions = 60;
  // all
  std::vector<core::Instructions> instructions{core::Instructions::best};
  unsigned threads = 2;
  std::uint64_t seed = 1;
  // Peers that are programs.
  std::string torch;                                              // a Python with torch; empty: none
  std::vector<std::pair<std::string, std::string>> parsers = {};  // name, program: reads the file named to it

  /// What a contestant says of its instructions: nothing where there is one set alone.
  std::string label(core::Instructions one) const {
    return instructions.size() > 1 ? std::string(core::name(one)) : std::string();
  }
  /// 1, and `threads` where that is more.
  std::vector<unsigned> thread_counts() const {
    return threads > 1 ? std::vector<unsigned>{1, threads} : std::vector<unsigned>{1};
  }
};

void attention_suite(const Sizes& sizes, Scoreboard& board);
void hopfield_suite(const Sizes& sizes, Scoreboard& board);
void narsese_suite(const Sizes& sizes, Scoreboard& board);
void links_suite(const Sizes& sizes, Scoreboard& board);
void walks_suite(const Sizes& sizes, Scoreboard& board);
void paths_suite(const Sizes& sizes, Scoreboard& board);

/// A suite by name.
struct Suite {
  std::string_view name, summary;
  void (*run)(const Sizes& sizes, Scoreboard& board);
};
inline constexpr std::array<Suite, 6> suites{{
    {"attention", "attention and the best keys, over many keys", attention_suite},
    {"hopfield", "classical networks from bits, fields of sparse graphs, modern steps", hopfield_suite},
    {"narsese", "parsing to trees and to shared terms", narsese_suite},
    {"links", "Hebbian links learnt from pairs", links_suite},
    {"walks", "PageRank and ECAN along links", walks_suite},
    {"paths", "questions by attention over proofs, and learning from them", paths_suite},
}};

}  // namespace engram::benchmarks
