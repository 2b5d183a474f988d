// SPDX-License-Identifier: MIT
// Benchmark suite: attention over many keys.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/random.hpp"
#include "experiments/benchmarks/library_peers.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/suites.hpp"

namespace engram::benchmarks {
namespace {

using namespace core;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Input data: keys and values in (-1, 1) with the same number of columns.
struct Data {
  FloatMatrix keys, values;  // the data as float matrices, for the peers
  PackedKeys packed_keys, bf16_keys;
  PackedValues packed_values, bf16_values;
  Matrix queries;
  double scale;  // gives scores a standard deviation of 2.7, so that few keys get most weight

  explicit Data(const Sizes& sizes)
      : keys(sizes.keys, sizes.columns),
        values(sizes.keys, sizes.columns),
        packed_keys(sizes.columns),
        bf16_keys(sizes.columns, Precision::bf16),
        packed_values(sizes.columns),
        bf16_values(sizes.columns, Precision::bf16),
        queries(sizes.batch, sizes.columns),
        scale(8 / std::sqrt(static_cast<double>(sizes.columns))) {
    Rng rng(sizes.seed, "attention benchmark");
    const auto number = [&] { return static_cast<float>(2 * rng.uniform() - 1); };
    for (PackedRows* rows :
         std::initializer_list<PackedRows*>{&packed_keys, &packed_values, &bf16_keys, &bf16_values})
      rows->reserve(sizes.keys);
    for (Index i = 0; i < sizes.keys; ++i) {
      for (Index j = 0; j < sizes.columns; ++j) keys(i, j) = number();
      for (Index j = 0; j < sizes.columns; ++j) values(i, j) = number();
      const std::span<const float> key(&keys(i, 0), static_cast<std::size_t>(sizes.columns));
      const std::span<const float> value(&values(i, 0), static_cast<std::size_t>(sizes.columns));
      packed_keys.push_back(key);
      bf16_keys.push_back(key);
      packed_values.push_back(value);
      bf16_values.push_back(value);
    }
    for (double& q : queries.reshaped()) q = static_cast<double>(number());
  }

  // The first queries, scaled so that their products with keys are scores.
  FloatMatrix scaled(Index batch) const { return (queries.topRows(batch) * scale).cast<float>(); }
};

FloatRows rows_of(const FloatMatrix& matrix) { return {matrix.data(), matrix.rows(), matrix.cols()}; }

Bytes packed_bytes(const PackedRows& rows) {
  return {reinterpret_cast<const std::byte*>(rows.from_row<float>(0)), rows.bytes()};
}

std::string count(Index n) { return std::to_string(n); }

// Adds softmax attention by other libraries.
void add_peers(const Data& data, const Sizes& sizes, Index batch, Contest& contest) {
  const auto pieces = static_cast<double>(batch);
  const auto add = [&](const char* name, auto attend) {
    contest.add_peer(name, pieces, [&data, batch, attend] {
      const FloatMatrix queries = data.scaled(batch);
      return attend(rows_of(queries), rows_of(data.keys), rows_of(data.values));
    });
  };
  add("Eigen", attend_by_eigen);
#ifdef ENGRAM_OPENBLAS
  add("OpenBLAS", attend_by_openblas);
#endif
  if (!sizes.torch.empty())
    contest.contestants.push_back(external_peer(
        "torch",
        {sizes.torch, ENGRAM_TORCH_PEER, "attention", count(sizes.keys), count(sizes.columns), count(batch)},
        pieces));
}

void add_attention(const Data& data, const Sizes& sizes, Index batch, const std::string& name,
                   const Regulariser& map, Contest& contest, Precision precision = Precision::float32) {
  const PackedKeys& keys = precision == Precision::bf16 ? data.bf16_keys : data.packed_keys;
  const PackedValues& values = precision == Precision::bf16 ? data.bf16_values : data.packed_values;
  add_kernel(contest, sizes, name, static_cast<double>(batch), [&, batch, map](const FloatOptions& how) {
    return attend(keys, values, data.queries.topRows(batch), data.scale, map, how).sum();
  });
}

// An upper bound on the difference that rounding causes between sums of answers.
double allowed(Index batch, const Sizes& sizes) {
  return 1e-4 * static_cast<double>(batch) * static_cast<double>(sizes.columns);
}

std::string of_keys(const Sizes& sizes) {
  return ", " + count(sizes.keys) + " keys of " + count(sizes.columns);
}

// Adds the peers and Engram's softmax, measures them, and checks that the results are equal except for rounding.
void softmax(const Data& data, const Sizes& sizes, Index batch, Contest& contest, Scoreboard& board) {
  add_peers(data, sizes, batch, contest);
  add_attention(data, sizes, batch, "softmax", SimplexMap::softmax, contest);
  add_attention(data, sizes, batch, "softmax, bf16", SimplexMap::softmax, contest, Precision::bf16);
  board.hold(contest);
  require_same(contest.named("softmax"), contest.named("Eigen"), allowed(batch, sizes));
}

void one_query(const Data& data, const Sizes& sizes, Scoreboard& board) {
  Contest contest{"attention", "softmax, one query" + of_keys(sizes), "query"};
  for (const unsigned threads : sizes.thread_counts())
    add_reading(contest, "K and V", {packed_bytes(data.packed_keys), packed_bytes(data.packed_values)}, 1,
                threads);
  softmax(data, sizes, 1, contest, board);
}

void many_queries(const Data& data, const Sizes& sizes, Scoreboard& board) {
  Contest contest{"attention", "softmax, " + count(sizes.batch) + " queries" + of_keys(sizes), "query"};
  const double products =
      2 * static_cast<double>(sizes.keys) * static_cast<double>(sizes.columns * sizes.batch);
  contest.contestants.push_back(multiplications(products, static_cast<double>(sizes.batch)));
  softmax(data, sizes, sizes.batch, contest, board);
}

// The share of keys to which sparsemax gives a weight above 0.
double support_share(const Data& data) {
  const Vector p =
      apply(SimplexMap::sparsemax, scores(data.packed_keys, data.queries.row(0).transpose(), data.scale));
  return static_cast<double>((p.array() > 0).count()) / static_cast<double>(p.size());
}

void sparse_maps(const Data& data, const Sizes& sizes, Scoreboard& board) {
  char support[64];
  std::snprintf(support, sizeof support, ", support %.4f %%", 100 * support_share(data));
  Contest contest{"attention", "sparse maps, one query" + of_keys(sizes) + support, "query"};
  add_reading(contest, "K", {packed_bytes(data.packed_keys)}, 1);
  add_attention(data, sizes, 1, "sparsemax", SimplexMap::sparsemax, contest);
  add_attention(data, sizes, 1, "entmax 1.5", SimplexMap::entmax, contest);
  board.hold(contest);
}

double total(const std::vector<ScoredKey>& best) {
  double sum = 0;
  for (const ScoredKey& key : best) sum += static_cast<double>(key.key) + static_cast<double>(key.score);
  return sum;
}

void best_keys(const Data& data, const Sizes& sizes, Scoreboard& board) {
  Contest contest{"attention", "exact top " + count(sizes.best) + of_keys(sizes), "query"};
  for (const unsigned threads : sizes.thread_counts())
    add_reading(contest, "K", {packed_bytes(data.packed_keys)}, 1, threads);
  const Eigen::VectorXf query = data.queries.row(0).transpose().cast<float>();
  const auto most = static_cast<std::size_t>(std::min(sizes.best, sizes.keys));
  std::vector<std::unique_ptr<KeyPeer>> peers;
  const auto add = [&](const char* name, std::unique_ptr<KeyPeer> peer) {
    contest.add_peer(name, 1, [&, one = peer.get()] {
      return one->best({query.data(), static_cast<std::size_t>(query.size())}, most);
    });
    peers.push_back(std::move(peer));
  };
#ifdef ENGRAM_FAISS
  add("faiss, flat", flat_faiss(rows_of(data.keys)));
#endif
  add("hnswlib, brute force", brute_force_hnswlib(rows_of(data.keys)));
  if (!sizes.torch.empty())
    contest.contestants.push_back(external_peer(
        "torch",
        {sizes.torch, ENGRAM_TORCH_PEER, "top", count(sizes.keys), count(sizes.columns), count(sizes.best)},
        1));
  for (const auto& [name, keys] : {std::pair("top k", &data.packed_keys), {"top k, bf16", &data.bf16_keys}})
    add_kernel(contest, sizes, name, 1, [&data, &sizes, rows = keys](const FloatOptions& how) {
      return total(top_k(*rows, data.queries.row(0).transpose(), sizes.best, how));
    });
  board.hold(contest);
  for (const Contestant& one : contest.contestants)
    if (one.role == Role::peer && one.run) require_same(contest.named("top k"), one, 1e-2);
}

}  // namespace

void attention_suite(const Sizes& sizes, Scoreboard& board) {
  const Data data(sizes);
  one_query(data, sizes, board);
  many_queries(data, sizes, board);
  sparse_maps(data, sizes, board);
  best_keys(data, sizes, board);
}

}  // namespace engram::benchmarks
