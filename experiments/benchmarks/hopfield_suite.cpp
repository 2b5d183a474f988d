// SPDX-License-Identifier: MIT
// Benchmark suite: Hopfield networks. It compares bit-packed patterns with a dense float matrix, sparse networks with a
// sparse matrix, and steps of modern networks with two matrix products.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/hopfield/bit_hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/hopfield/sparse_hopfield.hpp"
#include "core/numbers/random.hpp"
#include "experiments/benchmarks/library_peers.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/made_graph.hpp"
#include "experiments/benchmarks/suites.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix random_spins(Rng& rng, Index rows, Index columns) {
  Matrix spins(rows, columns);
  for (double& s : spins.reshaped()) s = rng.below(2) == 0 ? -1.0 : 1.0;
  return spins;
}

// Patterns, and damaged patterns as cues.
struct Stored {
  Matrix patterns;
  std::vector<Vector> cues;
};

Stored stored_patterns(const Sizes& sizes) {
  Rng rng(sizes.seed, "hopfield benchmark");
  Stored stored{random_spins(rng, sizes.patterns, sizes.spins), {}};
  for (Index k = 0; k < sizes.cues; ++k) {
    stored.cues.push_back(stored.patterns.row(k % sizes.patterns).transpose());
    for (double& s : stored.cues.back())
      if (rng.uniform() < sizes.damage) s = -s;
  }
  return stored;
}

double recall_all(const BitPatterns& patterns, std::span<const Vector> cues) {
  double total = 0;
  for (const Vector& cue : cues) total += recall_hopfield(patterns, cue).state.dot(cue);
  return total;
}

double step_all(const BitPatterns& patterns, std::span<const Vector> cues) {
  HopfieldOptions one_step;
  one_step.max_sweeps = 1;
  double total = 0;
  for (const Vector& cue : cues) total += recall_synchronous(patterns, cue, one_step).state.dot(cue);
  return total;
}

// Checks the result of a peer for the first cue only, because its dense matrix is too slow for all cues.
void require_same_first(const Contestant& contestant, double by_bits) {
  Contestant bits{.name = "bit-packed patterns, the first cue"};
  bits.result = by_bits;
  require_same(contestant, bits);
}

void dense(const Sizes& sizes, Scoreboard& board) {
  const Stored stored = stored_patterns(sizes);
  const FloatMatrix float_patterns = stored.patterns.cast<float>();
  const FloatWeights weights({float_patterns.data(), sizes.patterns, sizes.spins});
  const Eigen::VectorXf float_cue = stored.cues[0].cast<float>();
  const std::span<const float> cue_of_peers(float_cue.data(), static_cast<std::size_t>(sizes.spins));
  const BitPatterns patterns(stored.patterns);
  const std::span<const Vector> cues = stored.cues;
  double sweeps = 0;
  for (const Vector& cue : cues) sweeps += static_cast<double>(recall_hopfield(patterns, cue).flips.size());
  const auto first_sweeps = static_cast<double>(recall_hopfield(patterns, cues[0]).flips.size());
  const auto spins = static_cast<double>(sizes.spins), all_cues = static_cast<double>(sizes.cues);
  const std::string of =
      std::to_string(sizes.spins) + " spins, " + std::to_string(sizes.patterns) + " patterns";

  Contest recalls{"hopfield", "classical, sweeps one spin at a time, " + of, "spin"};
  Contest steps{"hopfield", "classical, all spins at once, " + of, "spin"};
  recalls.add_peer("a matrix of floats, row by row", first_sweeps * spins,
                   [&] { return weights.recall_by_rows(cue_of_peers); });
  steps.add_peer("Eigen", spins, [&] { return weights.step_by_eigen(cue_of_peers); });
#ifdef ENGRAM_OPENBLAS
  steps.add_peer("OpenBLAS", spins, [&] { return weights.step_by_openblas(cue_of_peers); });
#endif
  std::vector<BitPatterns> packed;
  for (const Instructions instructions : sizes.instructions)
    packed.emplace_back(stored.patterns, instructions);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const BitPatterns& own = packed[i];
    recalls.add_engram("patterns as bits", sweeps * spins, [&own, cues] { return recall_all(own, cues); });
    steps.add_engram("patterns as bits", all_cues * spins, [&own, cues] { return step_all(own, cues); });
    for (Contest* contest : {&recalls, &steps})
      contest->contestants.back().instructions = sizes.label(sizes.instructions[i]);
  }
  board.hold(recalls);
  require_same_first(recalls.contestants[0], recall_all(patterns, cues.first(1)));
  board.hold(steps);
  for (const Contestant& one : steps.contestants)
    if (one.role == Role::peer) require_same_first(one, step_all(patterns, cues.first(1)));
}

void sparse(const Sizes& sizes, Index concepts, Scoreboard& board) {
  Rng rng(sizes.seed, "hopfield benchmark, graph");
  const SparseRows graph = concept_graph(rng, concepts, sizes.links);
  const LinkMatrix<double> in_double(graph);
  const LinkMatrix<float> in_float(graph);
  const Vector state = random_spins(rng, 1, concepts).row(0).transpose(), none;
  const std::vector<double> double_state(state.begin(), state.end());
  const std::vector<float> float_state(state.begin(), state.end());
  std::vector<double> fields(double_state.size());
  std::vector<float> float_fields(float_state.size());
  const Index probe = concepts / 2;
  const auto links = static_cast<double>(graph.entries());
  Contest contest{"hopfield",
                  "all fields of a graph of " + std::to_string(concepts) + " concepts, " +
                      std::to_string(graph.entries()) + " ends of links",
                  "link"};
  for (const unsigned threads : sizes.thread_counts())
    add_reading(contest, "links (8 bytes)", in_float.bytes(), links, threads);
  contest.add_peer("Eigen, float", links, [&] {
    multiply_by_eigen<float>(in_float.rows(), float_state, float_fields);
    return double{float_fields[static_cast<std::size_t>(probe)]};
  });
  contest.add_peer("Eigen, double", links, [&] {
    multiply_by_eigen<double>(in_double.rows(), double_state, fields);
    return fields[static_cast<std::size_t>(probe)];
  });
  std::vector<SparseNetwork> networks;
  std::vector<SparseSpins> spins;
  networks.reserve(sizes.instructions.size());
  for (const Instructions instructions : sizes.instructions) {
    networks.emplace_back(graph, instructions);
    spins.emplace_back(networks.back(), state, none);
  }
  add_kernel(contest, sizes, "sparse network", links, [&](const FloatOptions& how) {
    const auto at = std::ranges::find(sizes.instructions, how.instructions) - sizes.instructions.begin();
    SparseSpins& own = spins[static_cast<std::size_t>(at)];
    own.sum_fields(how.threads);
    return own.field(probe);
  });
  board.hold(contest);
  for (Index i = 0; i < concepts; ++i)
    if (fields[static_cast<std::size_t>(i)] != spins[0].field(i))
      throw ContestError("the sparse network and Eigen's product differ at concept " + std::to_string(i));
}

// Measures one step of a modern network from one cue. The patterns, in (-1, 1), are stored as floats for Eigen, and as
// packed floats and packed bf16 for Engram.
void modern(const Sizes& sizes, Index count, Index columns, Scoreboard& board) {
  Rng rng(sizes.seed, "hopfield benchmark, modern");
  AlignedBytes memory;  // allocated on large pages, as the packed patterns are
  memory.reserve(static_cast<std::size_t>(count * columns) * sizeof(float));
  Eigen::Map<FloatMatrix> made(reinterpret_cast<float*>(memory.data()), count, columns);
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < columns; ++j) made(i, j) = static_cast<float>(2 * rng.uniform() - 1);
  PackedKeys packed(columns), bf16(columns, Precision::bf16);
  for (PackedKeys* rows : {&packed, &bf16}) {
    rows->reserve(count);
    for (Index i = 0; i < count; ++i)
      rows->push_back(std::span<const float>(&made(i, 0), static_cast<std::size_t>(columns)));
  }
  const double beta = 8 / std::sqrt(static_cast<double>(columns));  // gives few patterns most of the weight
  Vector cue = made.row(0).transpose().cast<double>();
  for (double& number : cue) number += 0.6 * rng.uniform() - 0.3;
  const auto step_of_peer = [&] {
    const Eigen::VectorXf scaled = (beta * cue).cast<float>();
    return modern_step_by_eigen({made.data(), count, columns},
                                {scaled.data(), static_cast<std::size_t>(columns)});
  };

  const auto pieces = static_cast<double>(count);
  Contest contest{
      "hopfield",
      "modern, a step, " + std::to_string(count) + " patterns of " + std::to_string(columns) + " numbers",
      "pattern"};
  for (const unsigned threads : sizes.thread_counts())
    add_reading(contest, "the patterns",
                {{reinterpret_cast<const std::byte*>(packed.from_row<float>(0)), packed.bytes()}}, pieces,
                threads);
  contest.add_peer("Eigen, two products", pieces, [&] {
    const std::vector<double> state = step_of_peer();
    return std::accumulate(state.begin(), state.end(), 0.0);
  });
  if (!sizes.torch.empty())
    contest.contestants.push_back(external_peer(
        "torch", {sizes.torch, ENGRAM_TORCH_PEER, "modern", std::to_string(count), std::to_string(columns)},
        pieces));
  const auto add = [&](const char* name, const PackedKeys& rows, SimplexMap map) {
    add_kernel(contest, sizes, name, pieces, [&, map](const FloatOptions& how) {
      return modern_step(rows, cue, beta, map, how).state.sum();
    });
  };
  add("softmax", packed, SimplexMap::softmax);
  add("softmax, bf16", bf16, SimplexMap::softmax);
  add("sparsemax", packed, SimplexMap::sparsemax);
  board.hold(contest);
  const std::vector<double> by_peer = step_of_peer();
  const Vector state = modern_step(packed, cue, beta, SimplexMap::softmax).state;
  constexpr double allowed = 1e-2;  // Eigen sums a million weights one by one, with rounding errors
  for (std::size_t j = 0; j < by_peer.size(); ++j)
    if (!(std::abs(by_peer[j] - state[static_cast<Index>(j)]) <= allowed))
      throw ContestError("the states after a modern step by Eigen and by Engram differ");
}

}  // namespace

void hopfield_suite(const Sizes& sizes, Scoreboard& board) {
  dense(sizes, board);
  for (const Index concepts : sizes.concepts) sparse(sizes, concepts, board);
  for (std::size_t i = 0; i < sizes.stored.size(); ++i)
    modern(sizes, sizes.stored[i], sizes.stored_columns[i], board);
}

}  // namespace engram::benchmarks
