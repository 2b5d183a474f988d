// SPDX-License-Identifier: MIT
#include "core/float_attention.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/numeric.hpp"
#include "core/parallel.hpp"

namespace engram::core {
namespace {

constexpr double ln2 = 6.93147180559945309417e-01, log2_e = 1.44269504088896340736;
constexpr std::size_t span_keys = 16 * block_keys;  // chosen: fine enough to share out, coarse to store
constexpr std::size_t tile_queries = 64;            // chosen: their scores of a block stay in the cache

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

// Rows of floats: scale q, rounded once.
std::vector<float> rounded_queries(const PackedKeys& keys, const Matrix& queries, double scale) {
  require_size("columns of queries", queries.cols(), keys.columns());
  require(std::isfinite(scale), "scale must be finite");
  std::vector<float> rounded;
  rounded.reserve(size(queries.size()));
  for (Index i = 0; i < queries.rows(); ++i) {
    double total = 0;
    for (const double q : row_span(queries, i)) {
      require(std::isfinite(q), "queries must be finite");
      total += std::abs(q * scale);
    }
    require(total <= 0x1p120 && total * static_cast<double>(keys.largest()) <= 0x1p120,
            "scores would leave the range of float");
    for (const double q : row_span(queries, i)) rounded.push_back(static_cast<float>(q * scale));
  }
  return rounded;
}

const StoredKernels<float>& kernels_for(const FloatKernels& kernels, float) { return kernels.of_float; }
const StoredKernels<Bf16>& kernels_for(const FloatKernels& kernels, Bf16) { return kernels.of_bf16; }

// Calls function(Stored{}) for the type of the numbers.
template <class Function>
void with_stored(Precision precision, Function function) {
  if (precision == Precision::float32)
    function(float{});
  else
    function(Bf16{});
}

// Some queries' scores with a block of keys. Those past the last key are -infinity, which no maximum and no
// sum of exponentials notices.
struct Block {
  std::size_t first_key = 0, keys = 0;  // the first of all, and how many
  std::vector<float> scores;            // (queries, block_keys)

  std::size_t padded() const { return (keys + lane_keys - 1) / lane_keys * lane_keys; }
  float* scores_of(std::size_t query) { return scores.data() + query * score_stride; }
  const float* scores_of(std::size_t query) const { return scores.data() + query * score_stride; }
};

// Keys and the queries asked of them together, with the means to do it.
struct Questions {
  const PackedKeys& keys;
  std::span<const float> queries;  // (count, d)
  const FloatKernels& kernels;
  std::size_t count, spans;
  unsigned threads;

  Questions(const PackedKeys& of_keys, std::span<const float> rounded, const FloatOptions& options)
      : keys(of_keys),
        queries(rounded),
        kernels(float_kernels(options.instructions)),
        count(rounded.size() / size(of_keys.columns())),
        spans((size(of_keys.rows()) + span_keys - 1) / span_keys),
        threads(thread_count(options.threads, spans)) {}

  Block room() const { return {0, 0, std::vector<float>(count * score_stride)}; }

  // Visits the blocks of a span in their order.
  template <class Visit>
  void for_each_block(std::size_t span, Block& block, Visit visit) const {
    const std::size_t end = std::min(size(keys.rows()), (span + 1) * span_keys);
    for (std::size_t first = span * span_keys; first < end; first += block_keys) {
      block.first_key = first;
      block.keys = std::min(block_keys, end - first);
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

// Softmax

// Of each of several parts of the keys, and each query: top, the largest score of the keys seen so far, and
// sum p and sum p v with p = 2^(s - top).
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

// The spans' means of a query added up in their order; sums has the width of the values.
void answer(const Means& spans, std::size_t queries, std::size_t query, std::vector<double>& sums,
            std::span<double> out) {
  float top = -std::numeric_limits<float>::infinity();
  for (std::size_t i = query; i < spans.tops.size(); i += queries) top = std::max(top, spans.tops[i]);
  double total = 0;
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::size_t i = query; i < spans.tops.size(); i += queries) {
    const double share = exp(ln2 * (double{spans.tops[i]} - double{top}));
    total += share * spans.totals[i];
    for (std::size_t c = 0; c < spans.width; ++c) sums[c] += share * spans.sums[i * spans.width + c];
  }
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = sums[c] / total;
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

// Top k

bool better(const ScoredKey& a, const ScoredKey& b) {
  return a.score != b.score ? a.score > b.score : a.key < b.key;
}

// The k best so far, the worst of them in front.
class Best {
 public:
  explicit Best(std::size_t k) : k_(k) {}

  void add(const ScoredKey& key) {
    if (heap_.size() == k_) {
      if (!better(key, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.pop_back();
    }
    heap_.push_back(key);
    std::push_heap(heap_.begin(), heap_.end(), better);
  }
  void add(const float* scores, const Block& block, float largest) {
    if (largest < kth()) return;
    for (std::size_t i = 0; i < block.keys; ++i)
      if (scores[i] >= kth()) add({static_cast<Index>(block.first_key + i), scores[i]});
  }
  void add(const Best& others) {
    for (const ScoredKey& key : others.heap_) add(key);
  }
  /// The k-th best score, -infinity while there are fewer.
  float kth() const {
    return heap_.size() == k_ ? heap_.front().score : -std::numeric_limits<float>::infinity();
  }
  std::vector<ScoredKey> sorted() && {
    std::sort_heap(heap_.begin(), heap_.end(), better);
    return std::move(heap_);
  }

 private:
  std::size_t k_;
  std::vector<ScoredKey> heap_;
};

// Sparse maps

// A score that may have a weight.
struct Candidate {
  std::uint32_t key;
  float score;
};

// No score below it has a weight, if the one from which the margin counts (the best; of a budget the k-th
// best) is `from` or more. Lower by more than the rounding in a map: the map, not this, says what the least
// weights are.
float least_with_weight(float from, double margin) {
  const double best = double{from}, least = best - margin - 0x1p-50 * (std::abs(best) + margin);
  return std::nextafter(static_cast<float>(std::max(least, -0x1p126)), -0x1p127F);
}

struct SparseRoom {
  Block block;
  std::vector<Best> best;  // of what this worker has met, for each query
};

// The candidates of every span and query. A worker knows its own best alone, so there may be some that
// another's best excludes.
std::vector<std::vector<Candidate>> candidates(const Questions& questions, double margin,
                                               std::vector<SparseRoom>& rooms) {
  std::vector<std::vector<Candidate>> found(questions.spans * questions.count);
  for_each_task(questions.spans, questions.threads, [&](std::size_t span, unsigned worker) {
    SparseRoom& room = rooms[worker];
    const Block& block = room.block;
    questions.for_each_block(span, room.block, [&] {
      for (std::size_t i = 0; i < questions.count; ++i) {
        const float* scores = block.scores_of(i);
        const float largest = questions.kernels.largest(scores, block.padded());
        room.best[i].add(scores, block, largest);
        const float least = least_with_weight(room.best[i].kth(), margin);
        if (largest < least) continue;
        for (std::size_t key = 0; key < block.keys; ++key)
          if (scores[key] >= least)
            found[span * questions.count + i].push_back(
                {static_cast<std::uint32_t>(block.first_key + key), scores[key]});
      }
    });
  });
  return found;
}

// Their values in the mean of the map's weights.
void weigh_candidates(const Regulariser& map, const std::vector<Candidate>& left, const PackedValues& values,
                      std::span<double> out) {
  Vector scores(static_cast<Index>(left.size()));
  for (std::size_t j = 0; j < left.size(); ++j) scores[static_cast<Index>(j)] = double{left[j].score};
  const Vector weights = apply(map, scores);
  std::fill(out.begin(), out.end(), 0.0);
  for (const Index j : support(weights))
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] += weights[j] * double{values.at(static_cast<Index>(left[size(j)].key), static_cast<Index>(c))};
}

void attend_sparsely(const Questions& questions, const PackedValues& values, const Regulariser& map,
                     double* out) {
  const std::size_t k = map.map == SimplexMap::budget ? size(map.k) : 1, columns = size(values.columns());
  const double of_map = margin(map);
  std::vector<SparseRoom> rooms(questions.threads,
                                {questions.room(), std::vector<Best>(questions.count, Best(k))});
  const auto found = candidates(questions, of_map, rooms);
  for_each_task(questions.count, thread_count(questions.threads, questions.count),
                [&](std::size_t i, unsigned) {
                  Best best(k);
                  for (const SparseRoom& room : rooms) best.add(room.best[i]);
                  const float least = least_with_weight(best.kth(), of_map);
                  std::vector<Candidate> left;
                  for (std::size_t j = i; j < found.size(); j += questions.count)
                    std::copy_if(found[j].begin(), found[j].end(), std::back_inserter(left),
                                 [&](const Candidate& candidate) { return candidate.score >= least; });
                  weigh_candidates(map, left, values, {out + i * columns, columns});
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
  require(k >= 0, "k must be at least 0");
  const std::vector<float> rounded = rounded_queries(keys, query.transpose(), 1.0);
  const Questions questions(keys, rounded, options);
  const std::size_t wanted = size(std::min(k, keys.rows()));
  if (wanted == 0) return {};
  std::vector<SparseRoom> rooms(questions.threads, {questions.room(), {Best(wanted)}});
  for_each_task(questions.spans, questions.threads, [&](std::size_t span, unsigned worker) {
    SparseRoom& room = rooms[worker];
    const Block& block = room.block;
    questions.for_each_block(span, room.block, [&] {
      room.best[0].add(block.scores_of(0), block,
                       questions.kernels.largest(block.scores_of(0), block.padded()));
    });
  });
  Best all(wanted);
  for (const SparseRoom& room : rooms) all.add(room.best[0]);
  return std::move(all).sorted();
}

}  // namespace engram::core
