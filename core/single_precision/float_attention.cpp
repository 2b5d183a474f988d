// SPDX-License-Identifier: MIT
#include "core/single_precision/float_attention.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/numbers/parallel.hpp"
#include "core/single_precision/float_questions.hpp"
#include "core/single_precision/float_support.hpp"

namespace engram::core {
namespace {

using namespace packed;

constexpr std::size_t tile_queries = 64;  // chosen: their scores of a block stay in the cache

// Softmax

// A worker's room: for a block, its means and what they and those before them are multiplied by.
struct SoftRoom {
  Block block;
  std::vector<float> tops, totals, sums, kept, share;

  SoftRoom(const Questions& questions, std::size_t width)
      : block(questions.room()),
        tops(questions.count),
        totals(questions.count),
        sums(questions.count * width),
        kept((questions.count + lane_keys - 1) / lane_keys * lane_keys),
        share(kept.size()) {}
};

void add_block(const Questions& questions, std::size_t span, SoftRoom& room, Means& means) {
  const std::size_t first = span * questions.count;
  for (std::size_t i = 0; i < questions.count; ++i) {
    float& top = means.tops[first + i];
    const float raised = std::max(top, room.tops[i]);
    room.kept[i] = top - raised;
    room.share[i] = room.tops[i] - raised;
    top = raised;
  }
  for (auto* powers : {&room.kept, &room.share}) {
    std::fill(powers->begin() + static_cast<std::ptrdiff_t>(questions.count), powers->end(), 0.0F);
    questions.kernels.exponentials(powers->data(), powers->size(), 0);
  }
  for (std::size_t i = 0; i < questions.count; ++i) {
    const double kept = double{room.kept[i]}, share = double{room.share[i]};
    means.totals[first + i] = means.totals[first + i] * kept + double{room.totals[i]} * share;
    questions.kernels.add(means.sums.data() + (first + i) * means.width, kept,
                          room.sums.data() + i * means.width, share, means.width);
  }
}

void add_span(const Questions& questions, std::size_t span, const PackedValues& values, SoftRoom& room,
              Means& means) {
  Block& block = room.block;
  questions.for_each_block(span, block, [&] {
    for (std::size_t i = 0; i < questions.count; ++i) {
      room.tops[i] = questions.kernels.largest(block.scores_of(i), block.padded());
      room.totals[i] = questions.kernels.exponentials(block.scores_of(i), block.padded(), room.tops[i]);
    }
    with_stored(values.precision(), [&](auto stored) {
      const auto* rows = values.from_row<decltype(stored)>(static_cast<Index>(block.first_key));
      kernels_for(questions.kernels, stored)
          .weigh(block.scores.data(), questions.count, rows, block.keys, values.width(), room.sums.data());
    });
    add_block(questions, span, room, means);
  });
}

void attend_softly(const Questions& questions, const PackedValues& values, double* out) {
  Means spans(questions.spans, questions.count, values.width());
  std::vector<SoftRoom> rooms(questions.threads, SoftRoom(questions, values.width()));
  for_each_task(questions.spans, questions.threads, [&](std::size_t span, unsigned worker) {
    add_span(questions, span, values, rooms[worker], spans);
  });
  const std::size_t columns = size(values.columns());
  std::vector<double> sums(values.width());
  for (std::size_t i = 0; i < questions.count; ++i)
    answer(spans, questions.count, i, sums, {out + i * columns, columns});
}

// Sparse maps

void attend_sparsely(const Questions& questions, const PackedValues& values, const Regulariser& map,
                     double* out) {
  const std::size_t columns = size(values.columns());
  const Candidates candidates(questions, map.map == SimplexMap::budget ? size(map.k) : 1, margin(map));
  for_each_task(questions.count, thread_count(questions.threads, questions.count),
                [&](std::size_t i, unsigned) {
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
  const bool softly = std::isinf(margin(map));  // no score excludes another
  const std::vector<float> rounded = rounded_queries(keys, queries, softly ? scale * log2_e : scale);
  const std::size_t columns = size(keys.columns());
  Matrix out(queries.rows(), values.columns());
  for (std::size_t first = 0; first < size(queries.rows()); first += tile_queries) {
    const std::size_t count = std::min(tile_queries, size(queries.rows()) - first);
    const Questions questions(keys, {rounded.data() + first * columns, count * columns}, options);
    double* rows = out.data() + first * size(values.columns());
    if (softly)
      attend_softly(questions, values, rows);
    else
      attend_sparsely(questions, values, map, rows);
  }
  return out;
}

Vector scores(const PackedKeys& keys, const Vector& query, double scale, const FloatOptions& options) {
  const std::vector<float> rounded = rounded_queries(keys, query.transpose(), scale);
  const Questions questions(keys, rounded, options);
  std::vector<Block> rooms(questions.threads, questions.room());
  Vector out(keys.rows());
  for_each_task(questions.spans, questions.threads, [&](std::size_t span, unsigned worker) {
    Block& block = rooms[worker];
    questions.for_each_block(
        span, block, [&] { std::copy_n(block.scores_of(0), block.keys, out.data() + block.first_key); });
  });
  return out;
}

std::vector<ScoredKey> top_k(const PackedKeys& keys, const Vector& query, Index k,
                             const FloatOptions& options) {
  require(k >= 0, "k must be at least 0", k);
  const std::vector<float> rounded = rounded_queries(keys, query.transpose(), 1.0);
  const Questions questions(keys, rounded, options);
  const std::size_t wanted = size(std::min(k, keys.rows()));
  if (wanted == 0) return {};
  std::vector<Block> rooms(questions.threads, questions.room());
  std::vector<BestKeys> best(questions.threads, BestKeys(wanted));
  for_each_task(questions.spans, questions.threads, [&](std::size_t span, unsigned worker) {
    const Block& block = rooms[worker];
    questions.for_each_block(span, rooms[worker], [&] {
      best[worker].add(block.scores_of(0), block,
                       questions.kernels.largest(block.scores_of(0), block.padded()));
    });
  });
  BestKeys all(wanted);
  for (const BestKeys& of_worker : best) all.add(of_worker);
  return std::move(all).sorted();
}

}  // namespace engram::core
