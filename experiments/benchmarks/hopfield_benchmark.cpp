// SPDX-License-Identifier: MIT
// The program `hopfield_benchmark`: how fast Hopfield networks recall, as ratios to the usual way with a
// library for matrices timed beside it in the same run: bit-packed patterns to a dense matrix of floats,
// sparse networks to a sparse matrix, a step of modern networks to two products with the patterns.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Sparse>

#include "core/hopfield/bit_hopfield.hpp"
#include "core/hopfield/float_retrieval.hpp"
#include "core/hopfield/sparse_hopfield.hpp"
#include "core/numbers/random.hpp"
#include "experiments/benchmarks/benchmark_options.hpp"
#include "experiments/benchmarks/contest.hpp"

namespace {

using namespace engram::core;
using namespace engram::benchmarks;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Number>
using SparseMatrix = Eigen::SparseMatrix<Number, Eigen::RowMajor>;

struct Sizes {
  Index spins = 10'000, patterns = 1'000;
  double damage = 0.1;  // of the cues' spins
  Index cues = 32;      // of different patterns; the float matrix, too slow for more, gets the first
  std::vector<Index> concepts{100'000, 1'000'000};
  Index links = 8;  // made for each concept: it has twice as many, with those that others made
  std::vector<Index> stored{1'000'000, 100'000, 10'000}, columns{64, 512, 1024};  // of modern networks
  unsigned threads = 2;
  std::size_t repeats = 7;
  std::uint64_t seed = 1;
};

Matrix random_spins(Rng& rng, Index rows, Index columns) {
  Matrix spins(rows, columns);
  for (double& s : spins.reshaped()) s = rng.below(2) == 0 ? -1.0 : 1.0;
  return spins;
}

// Hebb's rule in floats, by Eigen; n W is whole, so the product is exact.
FloatMatrix float_weights(const Matrix& patterns) {
  const FloatMatrix x = patterns.cast<float>();
  FloatMatrix w = x.transpose() * x;
  w.diagonal().setZero();
  return w;
}

// Sweeps until one changes nothing, a row of the matrix a spin.
double recall_by_rows(const FloatMatrix& w, const Vector& cue) {
  Eigen::VectorXf s = cue.cast<float>();
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < s.size(); ++i) {
      const float h = w.row(i).dot(s);
      if (h * s[i] >= 0) continue;
      s[i] = -s[i];
      changed = true;
    }
  }
  return s.cast<double>().dot(cue);
}

// One step of all spins at once.
double step_by_product(const FloatMatrix& w, const Vector& cue) {
  const Eigen::VectorXf s = cue.cast<float>();
  const Eigen::VectorXf h = w * s;
  return (h.array() == 0).select(s, h.array().sign()).cast<double>().matrix().dot(cue);
}

// Whether a contestant did what bit-packed patterns do with the same cue.
bool same(const Contestant& contestant, double by_bits) {
  if (*contestant.result == by_bits) return true;
  std::cerr << contestant.name << " and bit-packed patterns end differently\n";
  return false;
}

void print_table(const std::vector<Contestant>& all, const std::vector<std::size_t>& beside,
                 const char* unit = "ns a spin") {
  std::printf("%-44s %14s", "contestant", unit);
  for (const std::size_t other : beside) std::printf(" x %-26s", all[other].name.c_str());
  std::printf("\n");
  for (const Contestant& c : all) {
    std::printf("%-44s %14.2f", c.name.c_str(), 1e9 * seconds_apiece(c));
    for (const std::size_t other : beside)
      std::printf(" %-28.2f", seconds_apiece(all[other]) / seconds_apiece(c));
    std::printf("\n");
  }
}

bool dense(const Sizes& sizes) {
  Rng rng(sizes.seed, "hopfield benchmark");
  const Matrix x = random_spins(rng, sizes.patterns, sizes.spins);
  std::vector<Vector> cues;
  for (Index k = 0; k < sizes.cues; ++k) {
    cues.push_back(x.row(k % sizes.patterns).transpose());
    for (double& s : cues.back())
      if (rng.uniform() < sizes.damage) s = -s;
  }
  const BitPatterns patterns(x);
  const FloatMatrix w = float_weights(x);
  HopfieldOptions one_step;
  one_step.max_sweeps = 1;
  const auto recall_first = [&](Index count) {
    double total = 0;
    for (const Vector& cue : std::span(cues).first(static_cast<std::size_t>(count)))
      total += recall_hopfield(patterns, cue).state.dot(cue);
    return total;
  };
  const auto step_first = [&](Index count) {
    double total = 0;
    for (const Vector& cue : std::span(cues).first(static_cast<std::size_t>(count)))
      total += recall_synchronous(patterns, cue, one_step).state.dot(cue);
    return total;
  };
  long long sweeps = 0, flips = 0;
  for (const Vector& cue : cues)
    for (const int count : recall_hopfield(patterns, cue).flips) {
      ++sweeps;
      flips += count;
    }
  const auto first_sweeps = static_cast<long long>(recall_hopfield(patterns, cues[0]).flips.size());
  std::printf("== %lld spins, %lld patterns, %s; a cue: %.1f sweeps, %.0f flips; %.1f MB in place of %.1f\n",
              static_cast<long long>(sizes.spins), static_cast<long long>(sizes.patterns),
              std::string(name(Instructions::best)).c_str(),
              static_cast<double>(sweeps) / static_cast<double>(sizes.cues),
              static_cast<double>(flips) / static_cast<double>(sizes.cues),
              static_cast<double>(patterns.bytes()) / 1e6, static_cast<double>(w.size()) * 4e-6);
  std::vector<Contestant> all{
      {"float matrix, rows", 1, first_sweeps * sizes.spins, [&] { return recall_by_rows(w, cues[0]); }},
      {"float matrix, product", 1, sizes.spins, [&] { return step_by_product(w, cues[0]); }},
      {"bit-packed patterns, recall", 1, sweeps * sizes.spins, [&] { return recall_first(sizes.cues); }},
      {"bit-packed patterns, a step of all", 1, sizes.cues * sizes.spins,
       [&] { return step_first(sizes.cues); }},
  };
  if (!measure(all, sizes.repeats) || !same(all[0], recall_first(1)) || !same(all[1], step_first(1)))
    return false;
  print_table(all, {0, 1});
  return true;
}

// Links from each concept to others, half of them by Zipf's law: hubs that much mentions, and a long tail.
SparseRows concept_graph(Rng& rng, Index concepts, Index links) {
  const auto n = static_cast<std::uint64_t>(concepts);
  const std::vector<std::uint32_t> by_rank = rng.permutation(static_cast<std::uint32_t>(n));
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (std::uint32_t from = 0; from < n; ++from)
    for (Index link = 0; link < links; ++link) {
      const double rank = std::exp(rng.uniform() * std::log(static_cast<double>(n)));
      const std::uint32_t to =
          link % 2 == 0 ? by_rank[std::min<std::uint64_t>(n - 1, static_cast<std::uint64_t>(rank) - 1)]
                        : static_cast<std::uint32_t>(rng.below(n));
      if (to == from) continue;
      neighbours[from].push_back(to);
      neighbours[to].push_back(from);
    }
  SparseRows graph(concepts);
  std::vector<double> weights;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t>& row = neighbours[i];
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    weights.clear();
    for (const std::uint32_t j : row)  // the same from both ends, whole up to 64
      weights.push_back(static_cast<double>((std::uint64_t{i} + j) * 2'654'435'761U % 64 + 1));
    graph.push_row(row, weights);
  }
  return graph;
}

template <class Number>
SparseMatrix<Number> for_eigen(const SparseRows& rows) {
  SparseMatrix<Number> matrix(rows.rows(), rows.columns());
  matrix.resizeNonZeros(static_cast<Index>(rows.entries()));
  int place = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    matrix.outerIndexPtr()[i] = place;
    for (std::size_t k = 0; k < rows.columns_of(i).size(); ++k, ++place) {
      matrix.innerIndexPtr()[place] = static_cast<int>(rows.columns_of(i)[k]);
      matrix.valuePtr()[place] = static_cast<Number>(rows.values_of(i)[k]);
    }
  }
  matrix.outerIndexPtr()[rows.rows()] = place;
  return matrix;
}

bool sparse(const Sizes& sizes, Index concepts) {
  Rng rng(sizes.seed, "hopfield benchmark, graph");
  const SparseRows graph = concept_graph(rng, concepts, sizes.links);
  const SparseNetwork network(graph);
  const SparseMatrix<double> in_double = for_eigen<double>(graph);
  const SparseMatrix<float> in_float = for_eigen<float>(graph);
  const Vector state = random_spins(rng, 1, concepts).row(0).transpose(), none;
  const Eigen::VectorXf float_state = state.cast<float>();
  Vector fields(concepts);
  Eigen::VectorXf float_fields(concepts);
  SparseSpins spins(network, state, none);
  const Index probe = concepts / 2;
  std::vector<Contestant> all{
      {"Eigen's product, double", 1, concepts,
       [&] { return fields.noalias() = in_double * state, fields[probe]; }},
      {"Eigen's product, float", 1, concepts,
       [&] {
         float_fields.noalias() = in_float * float_state;
         return double{float_fields[probe]};
       }},
      {"sparse network, all fields", 1, concepts, [&] { return spins.sum_fields(), spins.field(probe); }},
  };
  if (sizes.threads > 1)
    all.push_back({"sparse network, all fields, " + std::to_string(sizes.threads) + " threads", sizes.threads,
                   concepts, [&] { return spins.sum_fields(sizes.threads), spins.field(probe); }});
  std::size_t most = 0;
  for (Index i = 0; i < concepts; ++i) most = std::max(most, graph.columns_of(i).size());
  std::printf("== %lld concepts, %.1f links each, the largest hub %zu\n", static_cast<long long>(concepts),
              static_cast<double>(graph.entries()) / static_cast<double>(concepts), most);
  if (!measure(all, sizes.repeats)) return false;
  for (Index i = 0; i < concepts; ++i)
    if (fields[i] != spins.field(i)) {
      std::cerr << "the sparse network and Eigen's product differ at concept " << i << '\n';
      return false;
    }
  print_table(all, {0, 1});
  return true;
}

// The usual way: all scores, their exponentials, then the patterns again.
Vector step_by_eigen(const Eigen::Map<const FloatMatrix>& patterns, const Vector& cue, double beta) {
  const Eigen::VectorXf scaled = (beta * cue).cast<float>();
  Eigen::VectorXf weights = patterns * scaled;
  weights = (weights.array() - weights.maxCoeff()).exp();
  weights /= weights.sum();
  const Eigen::VectorXf state = patterns.transpose() * weights;
  return state.cast<double>();
}

// One step from one cue, over patterns in (-1, 1) that are there as floats, packed floats and packed bf16.
bool modern(const Sizes& sizes, Index count, Index columns) {
  Rng rng(sizes.seed, "hopfield benchmark, modern");
  AlignedBytes memory;  // on large pages, as the packed patterns are
  memory.reserve(static_cast<std::size_t>(count * columns) * sizeof(float));
  Eigen::Map<FloatMatrix> made(reinterpret_cast<float*>(memory.data()), count, columns);
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < columns; ++j) made(i, j) = static_cast<float>(2 * rng.uniform() - 1);
  const Eigen::Map<const FloatMatrix> x(made.data(), count, columns);
  PackedKeys packed(columns), bf16(columns, Precision::bf16);
  for (PackedKeys* rows : {&packed, &bf16}) {
    rows->reserve(count);
    for (Index i = 0; i < count; ++i)
      rows->push_back(std::span<const float>(&made(i, 0), static_cast<std::size_t>(columns)));
  }
  const double beta = 8 / std::sqrt(static_cast<double>(columns));  // a few patterns stand out
  Vector cue = x.row(0).transpose().cast<double>();
  for (double& number : cue) number += 0.6 * rng.uniform() - 0.3;
  const auto step = [&cue, beta](const PackedKeys& rows, SimplexMap map, unsigned threads) {
    return [&cue, beta, &rows, map, threads] {
      return modern_step(rows, cue, beta, map, {.threads = threads}).state.sum();
    };
  };
  std::vector<Contestant> all{
      {"Eigen, two products", 1, count, [&] { return step_by_eigen(x, cue, beta).sum(); }},
      {"patterns read once", 1, count, step(packed, SimplexMap::softmax, 1)},
      {"patterns read once, bf16", 1, count, step(bf16, SimplexMap::softmax, 1)},
      {"patterns read once, sparsemax", 1, count, step(packed, SimplexMap::sparsemax, 1)},
  };
  if (sizes.threads > 1)
    all.push_back({"patterns read once, " + std::to_string(sizes.threads) + " threads", sizes.threads, count,
                   step(packed, SimplexMap::softmax, sizes.threads)});
  std::printf("== modern: %lld patterns of %lld numbers, a step\n", static_cast<long long>(count),
              static_cast<long long>(columns));
  if (!measure(all, sizes.repeats)) return false;
  const Vector difference =
      step_by_eigen(x, cue, beta) - modern_step(packed, cue, beta, SimplexMap::softmax).state;
  if (difference.lpNorm<Eigen::Infinity>() > 1e-2) {  // Eigen adds a million weights up one by one
    std::cerr << "Eigen's step ends elsewhere\n";
    return false;
  }
  print_table(all, {0}, "ns a pattern");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times Hopfield networks beside plain matrices.", "hopfield_benchmark");
  Sizes sizes;
  add_option(app, "--spins", sizes.spins, "Of the network of dense patterns", 1, 16'000);
  add_option(app, "--patterns", sizes.patterns, "It holds", 1, 32'767);
  add_option(app, "--damage", sizes.damage, "Share of the cues' spins turned over", 0.0, 1.0);
  add_option(app, "--cues", sizes.cues, "Recalled one after another from bit-packed patterns", 1, 100'000);
  add_option(app, "--concepts", sizes.concepts, "Of the sparse networks", 1, 20'000'000);
  add_option(app, "--links", sizes.links, "Made for each concept; it has nearly twice as many", 1, 100);
  add_option(app, "--stored", sizes.stored, "Patterns of the modern networks", 1, 100'000'000);
  add_option(app, "--columns", sizes.columns, "Numbers in a pattern, for each --stored", 1, 65536);
  add_option(app, "--threads", sizes.threads, "For the last row; 1: leave it out", 1, 256);
  add_option(app, "--repeats", sizes.repeats, "Rounds; the median counts", 1, 1'000'000);
  app.add_option("--seed", sizes.seed, "The numbers follow from it")->capture_default_str();
  app.footer(
      "Exit codes: 0 done, 1 a contestant ended differently from another, or in another round, 2 wrong "
      "usage.\n"
      "Example:\n  hopfield_benchmark --spins 2000 --patterns 100 --concepts 10000 --repeats 15");
  if (const auto code = exit_code(app, argc, argv)) return *code;
  if (sizes.stored.size() != sizes.columns.size()) {
    std::cerr << "--stored and --columns must be as many\n";
    return 2;
  }
  Eigen::setNbThreads(1);
  if (!dense(sizes)) return 1;
  for (const Index concepts : sizes.concepts)
    if (!sparse(sizes, concepts)) return 1;
  for (std::size_t i = 0; i < sizes.stored.size(); ++i)
    if (!modern(sizes, sizes.stored[i], sizes.columns[i])) return 1;
  std::printf(
      "Ratios are of spins, or patterns, in a time. Median of %zu; CPU time of one thread, that of the clock "
      "for more. Only ratios\ncarry over to another machine.\n",
      sizes.repeats);
  return 0;
}
