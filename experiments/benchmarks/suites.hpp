// SPDX-License-Identifier: MIT
// The suites of engram_benchmark and their sizes.
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

/// Sizes and peers of the suites.
struct Sizes {
  // attention
  core::Index keys = 1'000'000, columns = 64, batch = 64, best = 32;
  // hopfield
  core::Index spins = 10'000, patterns = 1'000, cues = 32;
  double damage = 0.1;  // flipped share of the spins of a cue
  std::vector<core::Index> concepts{100'000, 1'000'000};
  core::Index links = 8;  // generated from each concept, so each has twice as many
  std::vector<core::Index> stored{1'000'000, 100'000, 10'000},
      stored_columns{64, 512, 1024};  // modern networks
  // narsese
  std::size_t lines = 1'000'000;
  // links
  std::vector<std::uint32_t> joined{100'000, 1'000'000};  // numbers of concepts, drawn by Zipf's law
  std::uint32_t updates = 10'000'000;
  double decay = 1e-6;
  // paths
  std::vector<std::size_t> statements{10'000, 1'000'000};
  std::size_t questions = 60;
  // all
  std::vector<core::Instructions> instructions{core::Instructions::best};
  unsigned threads = 2;
  std::uint64_t seed = 1;
  // External programs as peers.
  std::string torch;                                              // path of a Python with torch; empty: none
  std::vector<std::pair<std::string, std::string>> parsers = {};  // (name, program), called with a file

  /// The name of an instruction set, or an empty text if the run has only one.
  std::string label(core::Instructions one) const {
    return instructions.size() > 1 ? std::string(core::name(one)) : std::string();
  }
  /// The numbers of threads to measure: 1, and `threads` if larger.
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

/// A suite.
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
