// SPDX-License-Identifier: MIT
// Scans of packed keys block by block, with partial results for softmax and for sparse maps. Private header of
// core/single_precision/float_attention.hpp and core/hopfield/modern_hopfield.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core::packed {

constexpr double ln2 = 6.93147180559945309417e-01, log2_e = 1.44269504088896340736;
constexpr std::size_t span_blocks =
    16;  // chosen: small enough to balance threads, large enough to store little

/// Conversion to an unsigned size.
inline std::size_t size(Index n) { return static_cast<std::size_t>(n); }

/// Multiplies the queries by `scale` and rounds each number to float once. Returns them row by row, as the kernels read
/// them.
/// Errors   std::invalid_argument if shapes do not fit, or scores would leave the range of float
std::vector<float> rounded_queries(const PackedKeys& keys, const Matrix& queries, double scale);

/// Selects the kernels for keys and values stored as float, by the type of the second argument.
inline const StoredKernels<float>& kernels_for(const FloatKernels& kernels, float) {
  return kernels.of_float;
}
/// Selects the kernels for keys and values stored as bf16, by the type of the second argument.
inline const StoredKernels<Bf16>& kernels_for(const FloatKernels& kernels, Bf16) { return kernels.of_bf16; }

/// Calls function(Stored{}) with Stored = float or Bf16, the storage type of a precision.
template <class Function>
void with_stored(Precision precision, Function function) {
  if (precision == Precision::float32)
    function(float{});
  else
    function(Bf16{});
}

/// Scores of several queries with a block of keys. Padding after the last key has the score -infinity, which changes
/// neither a maximum nor a sum of exponentials.
struct Block {
  std::size_t first_key = 0, keys = 0;  // index of the first key, number of keys
  std::vector<float> scores;            // (queries, block_keys)

  std::size_t padded() const { return (keys + lane_keys - 1) / lane_keys * lane_keys; }
  /// Returns the scores of a query with the keys of the block.
  float* scores_of(std::size_t query) { return scores.data() + query * score_stride; }
  const float* scores_of(std::size_t query) const { return scores.data() + query * score_stride; }
};

/// Scan of all keys for a batch of queries. Spans of blocks are independent tasks for threads.
struct KeyScan {
  const PackedKeys& keys;
  std::span<const float> queries;  // (count, d)
  const FloatKernels& kernels;
  std::size_t count, block_rows, spans;
  unsigned threads;

  /// `rows` is the number of keys in a block: a multiple of 16, at most block_keys.
  KeyScan(const PackedKeys& of_keys, std::span<const float> rounded, const FloatOptions& options,
          std::size_t rows = block_keys)
      : keys(of_keys),
        queries(rounded),
        kernels(float_kernels(options.instructions)),
        count(rounded.size() / size(of_keys.columns())),
        block_rows(rows),
        spans((size(of_keys.rows()) + span_blocks * rows - 1) / (span_blocks * rows)),
        threads(thread_count(options.threads, spans)) {}

  /// A block for the scores of all queries.
  Block make_block() const { return {0, 0, std::vector<float>(count * score_stride)}; }

  /// Computes the scores of each block of a span in `block`, in ascending order, and calls visit() after each block. A
  /// span is a sequence of span_blocks blocks.
  template <class Visit>
  void for_each_block(std::size_t span, Block& block, Visit visit) const {
    const std::size_t span_keys = span_blocks * block_rows;
    const std::size_t end = std::min(size(keys.rows()), (span + 1) * span_keys);
    for (std::size_t first = span * span_keys; first < end; first += block_rows) {
      block.first_key = first;
      block.keys = std::min(block_rows, end - first);
      charge(count * block.keys * size(keys.columns()));
      with_stored(keys.precision(), [&](auto stored) {
        const auto* panels = keys.from_row<decltype(stored)>(static_cast<Index>(first));
        kernels_for(kernels, stored)
            .scores(queries.data(), count, size(keys.columns()), panels, block.padded() / lane_keys,
                    block.scores.data());
      });
      for (std::size_t i = 0; i < count; ++i)
        std::fill(block.scores_of(i) + block.keys, block.scores_of(i) + block.padded(),
                  -std::numeric_limits<float>::infinity());
      visit();
    }
  }
};

/// Partial sums of softmax for each span of blocks and each query: the largest score so far (top), and sum p and sum p
/// v with p = 2^(score - top) and the value v of a key.
struct SpanSums {
  std::size_t width;
  std::vector<float> tops;     // (spans, queries)
  std::vector<double> totals;  // (spans, queries)
  std::vector<double> sums;    // (spans, queries, width)

  SpanSums(std::size_t spans, std::size_t queries, std::size_t of_width)
      : width(of_width),
        tops(spans * queries, -std::numeric_limits<float>::infinity()),
        totals(spans * queries),
        sums(spans * queries * width) {}
};

/// Combines the partial sums of one query, in the order of the spans, and stores the mean value (the result of
/// attention) in `out`. `queries` is the number of queries of the scan. `sums` is a buffer with the width of the
/// values. Returns the natural logarithm of the sum of 2^score over all keys.
double combine_spans(const SpanSums& spans, std::size_t queries, std::size_t query, std::vector<double>& sums,
                     std::span<double> out);

/// Collects the k keys with the best scores; equal scores by ascending key.
class BestKeys {
 public:
  explicit BestKeys(std::size_t k) : k_(k) {}

  /// Adds a key if it is among the k best so far.
  void add(const ScoredKey& key);
  /// Adds the keys of a block with their scores. `largest` is the largest of the scores, so that most blocks can be
  /// skipped.
  void add(const float* scores, const Block& block, float largest);
  void add(const BestKeys& others);
  /// Returns the score of the key with rank k or k - 1 (rank 1 is the best), or -infinity if there are fewer keys.
  float of_rank(std::size_t rank) const;
  /// The best keys in descending order.
  std::vector<ScoredKey> sorted() &&;

 private:
  std::size_t k_;
  std::vector<ScoredKey> heap_;  // worst key in front
};

/// A key that may get a weight from a sparse map, with its score.
struct Candidate {
  std::uint32_t key;
  float score;
};

/// The keys that can get a weight from a sparse map, for each query of a scan. These are the keys with a score within
/// the map's margin (core/maps/simplex_map.hpp) of the best score. For the map `budget` with k winners, the margin
/// counts from the k-th best score, so pass k as `winners`; for other maps pass 1.
class Candidates {
 public:
  Candidates(const KeyScan& scan, std::size_t winners, double margin);
  /// Returns the candidates of a query, by ascending key.
  std::vector<Candidate> of(std::size_t query) const;
  /// Returns the `winners` best keys of a query and the next one, in descending order of their scores.
  std::vector<ScoredKey> best(std::size_t query) const;

 private:
  struct Worker {
    Block block;
    std::vector<BestKeys> best;  // for each query, of the keys that the worker scored
  };

  BestKeys all_best(std::size_t query) const;
  void visit(const KeyScan& scan, std::size_t span, Worker& state);

  std::size_t winners_, queries_;
  double margin_;
  std::vector<Worker> workers_;
  std::vector<std::vector<Candidate>> found_;  // for each span and query
};

/// Positive weights that a map gives to candidates, and the programme_value() of the map.
struct WeighedKeys {
  std::vector<std::pair<Index, double>> weights;
  double value;
};
WeighedKeys weigh(const Regulariser& map, const std::vector<Candidate>& candidates);

/// Adds the sum of the rows times their weights to `out`.
void add_rows(const PackedRows& rows, const WeighedKeys& weighed, std::span<double> out);

}  // namespace engram::core::packed
