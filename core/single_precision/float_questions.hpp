// SPDX-License-Identifier: MIT
// How core/single_precision/float_attention.hpp and core/hopfield/float_retrieval.hpp put queries to
// packed keys, a span of blocks at a time. Theirs alone: whatever is here may change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/numbers/parallel.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core::packed {

constexpr double ln2 = 6.93147180559945309417e-01, log2_e = 1.44269504088896340736;
constexpr std::size_t span_blocks = 16;  // chosen: fine enough to share out, coarse to store

/// The same number without a sign.
inline std::size_t size(Index n) { return static_cast<std::size_t>(n); }

/// Rows of floats: scale q, rounded once.
/// Errors   std::invalid_argument if shapes do not fit, or scores would leave the range of float
std::vector<float> rounded_queries(const PackedKeys& keys, const Matrix& queries, double scale);

/// The loops for what is stored so.
inline const StoredKernels<float>& kernels_for(const FloatKernels& kernels, float) {
  return kernels.of_float;
}
/// The same for bf16.
inline const StoredKernels<Bf16>& kernels_for(const FloatKernels& kernels, Bf16) { return kernels.of_bf16; }

/// Calls function(Stored{}) for the type of the numbers.
template <class Function>
void with_stored(Precision precision, Function function) {
  if (precision == Precision::float32)
    function(float{});
  else
    function(Bf16{});
}

/// Some queries' scores with a block of keys. Those past the last key are -infinity, which no maximum and no
/// sum of exponentials notices.
struct Block {
  std::size_t first_key = 0, keys = 0;  // the first of all, and how many
  std::vector<float> scores;            // (queries, block_keys)

  std::size_t padded() const { return (keys + lane_keys - 1) / lane_keys * lane_keys; }
  /// The scores of a query of the block.
  float* scores_of(std::size_t query) { return scores.data() + query * score_stride; }
  const float* scores_of(std::size_t query) const { return scores.data() + query * score_stride; }
};

/// Keys and the queries asked of them together, with the means to do it.
struct Questions {
  const PackedKeys& keys;
  std::span<const float> queries;  // (count, d)
  const FloatKernels& kernels;
  std::size_t count, block_rows, spans;
  unsigned threads;

  /// of_block is a multiple of 16 and at most block_keys.
  Questions(const PackedKeys& of_keys, std::span<const float> rounded, const FloatOptions& options,
            std::size_t of_block = block_keys)
      : keys(of_keys),
        queries(rounded),
        kernels(float_kernels(options.instructions)),
        count(rounded.size() / size(of_keys.columns())),
        block_rows(of_block),
        spans((size(of_keys.rows()) + span_blocks * of_block - 1) / (span_blocks * of_block)),
        threads(thread_count(options.threads, spans)) {}

  Block room() const { return {0, 0, std::vector<float>(count * score_stride)}; }

  /// Visits the blocks of a span in their order.
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

/// Of each of several parts of the keys, and each query: top, the largest score of the keys seen so far, and
/// sum p and sum p v with p = 2^(s - top).
struct Means {
  std::size_t width;
  std::vector<float> tops;     // (parts, queries)
  std::vector<double> totals;  // (parts, queries)
  std::vector<double> sums;    // (parts, queries, width)

  Means(std::size_t parts, std::size_t queries, std::size_t of_width)
      : width(of_width),
        tops(parts * queries, -std::numeric_limits<float>::infinity()),
        totals(parts * queries),
        sums(parts * queries * width) {}
};

/// The spans' means of a query added up in their order; sums has the width of the values. Returns the natural
/// logarithm of the sum of 2^s over all keys.
double answer(const Means& spans, std::size_t queries, std::size_t query, std::vector<double>& sums,
              std::span<double> out);

}  // namespace engram::core::packed
