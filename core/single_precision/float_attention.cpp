// SPDX-License-Identifier: MIT
#include "core/single_precision/float_attention.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/numbers/work_budget.hpp"
#include "core/single_precision/float_scan.hpp"

namespace engram::core {
namespace {

using namespace packed;

constexpr std::size_t tile_queries = 64;  // chosen: their scores with a block stay in the cache

// Softmax

// Buffers of a worker: the sums of a block, the factor `kept` of the span's earlier sums, and the factor `share` of the
// block.
struct SoftWorker {
  Block block;
  std::vector<float> tops, totals, sums, kept, share;

  SoftWorker(const KeyScan& scan, std::size_t width)
      : block(scan.make_block()),
        tops(scan.count),
        totals(scan.count),
        sums(scan.count * width),
        kept((scan.count + lane_keys - 1) / lane_keys * lane_keys),
        share(kept.size()) {}
};

void add_block(const KeyScan& scan, std::size_t span, SoftWorker& state, SpanSums& spans) {
  const std::size_t first = span * scan.count;
  for (std::size_t i = 0; i < scan.count; ++i) {
    float& top = spans.tops[first + i];
    const float raised = std::max(top, state.tops[i]);
    state.kept[i] = top - raised;
    state.share[i] = state.tops[i] - raised;
    top = raised;
  }
  for (auto* powers : {&state.kept, &state.share}) {
    std::fill(powers->begin() + static_cast<std::ptrdiff_t>(scan.count), powers->end(), 0.0F);
    scan.kernels.exponentials(powers->data(), powers->size(), 0);
  }
  for (std::size_t i = 0; i < scan.count; ++i) {
    const double kept = double{state.kept[i]}, share = double{state.share[i]};
    spans.totals[first + i] = spans.totals[first + i] * kept + double{state.totals[i]} * share;
    scan.kernels.add(spans.sums.data() + (first + i) * spans.width, kept, state.sums.data() + i * spans.width,
                     share, spans.width);
  }
}

void add_span(const KeyScan& scan, std::size_t span, const PackedValues& values, SoftWorker& state,
              SpanSums& spans) {
  Block& block = state.block;
  scan.for_each_block(span, block, [&] {
    for (std::size_t i = 0; i < scan.count; ++i) {
      state.tops[i] = scan.kernels.largest(block.scores_of(i), block.padded());
      state.totals[i] = scan.kernels.exponentials(block.scores_of(i), block.padded(), state.tops[i]);
    }
    with_stored(values.precision(), [&](auto stored) {
      const auto* rows = values.from_row<decltype(stored)>(static_cast<Index>(block.first_key));
      kernels_for(scan.kernels, stored)
          .weigh(block.scores.data(), scan.count, rows, block.keys, values.width(), state.sums.data());
    });
    add_block(scan, span, state, spans);
  });
}

void attend_softly(const KeyScan& scan, const PackedValues& values, double* out) {
  SpanSums spans(scan.spans, scan.count, values.width());
  std::vector<SoftWorker> workers(scan.threads, SoftWorker(scan, values.width()));
  for_each_task(scan.spans, scan.threads, [&](std::size_t span, unsigned worker) {
    add_span(scan, span, values, workers[worker], spans);
  });
  const std::size_t columns = size(values.columns());
  std::vector<double> sums(values.width());
  for (std::size_t i = 0; i < scan.count; ++i)
    combine_spans(spans, scan.count, i, sums, {out + i * columns, columns});
}

// Sparse maps

void attend_sparsely(const KeyScan& scan, const PackedValues& values, const Regulariser& map, double* out) {
  const std::size_t columns = size(values.columns());
  const Candidates candidates(scan, map.map == SimplexMap::budget ? size(map.k) : 1, margin(map));
  for_each_task(scan.count, thread_count(scan.threads, scan.count), [&](std::size_t i, unsigned) {
    const std::span<double> row(out + i * columns, columns);
    std::fill(row.begin(), row.end(), 0.0);
    add_rows(values, weigh(map, candidates.of(i)), row);
  });
}

}  // namespace

Matrix attend(const PackedKeys& keys, const PackedValues& values, const Matrix& queries, double scale,
              const Regulariser& map, const FloatOptions& options) {
  require(keys.rows() > 0, "attention needs at least one key");
  require_size("rows of values", values.rows(), keys.rows());
  require(map.map != SimplexMap::budget || map.k <= keys.rows(),
          "k of a budget must be at most the number of keys");
  const bool softly = std::isinf(margin(map));  // every key has a weight
  const std::vector<float> rounded = rounded_queries(keys, queries, softly ? scale * log2_e : scale);
  const std::size_t columns = size(keys.columns());
  Matrix out(queries.rows(), values.columns());
  for (std::size_t first = 0; first < size(queries.rows()); first += tile_queries) {
    const std::size_t count = std::min(tile_queries, size(queries.rows()) - first);
    const KeyScan scan(keys, {rounded.data() + first * columns, count * columns}, options);
    double* rows = out.data() + first * size(values.columns());
    if (softly)
      attend_softly(scan, values, rows);
    else
      attend_sparsely(scan, values, map, rows);
  }
  return out;
}

Vector scores(const PackedKeys& keys, const Vector& query, double scale, const FloatOptions& options) {
  const std::vector<float> rounded = rounded_queries(keys, query.transpose(), scale);
  const KeyScan scan(keys, rounded, options);
  std::vector<Block> blocks(scan.threads, scan.make_block());
  Vector out(keys.rows());
  for_each_task(scan.spans, scan.threads, [&](std::size_t span, unsigned worker) {
    Block& block = blocks[worker];
    scan.for_each_block(span, block,
                        [&] { std::copy_n(block.scores_of(0), block.keys, out.data() + block.first_key); });
  });
  return out;
}

std::vector<ScoredKey> top_k(const PackedKeys& keys, const Vector& query, Index k,
                             const FloatOptions& options) {
  require(k >= 0, "k must be at least 0", k);
  const std::vector<float> rounded = rounded_queries(keys, query.transpose(), 1.0);
  const KeyScan scan(keys, rounded, options);
  const std::size_t wanted = size(std::min(k, keys.rows()));
  if (wanted == 0) return {};
  std::vector<Block> blocks(scan.threads, scan.make_block());
  std::vector<BestKeys> best(scan.threads, BestKeys(wanted));
  for_each_task(scan.spans, scan.threads, [&](std::size_t span, unsigned worker) {
    const Block& block = blocks[worker];
    scan.for_each_block(span, blocks[worker], [&] {
      best[worker].add(block.scores_of(0), block, scan.kernels.largest(block.scores_of(0), block.padded()));
    });
  });
  BestKeys all(wanted);
  for (const BestKeys& of_worker : best) all.add(of_worker);
  return std::move(all).sorted();
}

}  // namespace engram::core
