// SPDX-License-Identifier: MIT
#include "core/single_precision/float_scan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core::packed {

std::vector<float> rounded_queries(const PackedKeys& keys, const Matrix& queries, double scale) {
  require_size("columns of queries", queries.cols(), keys.columns());
  require(std::isfinite(scale), "scale must be finite", scale);
  std::vector<float> rounded;
  rounded.reserve(size(queries.size()));
  for (Index i = 0; i < queries.rows(); ++i) {
    double total = 0;
    for (const double q : row_span(queries, i)) {
      require(std::isfinite(q), "queries must be finite", q);
      total += std::abs(q * scale);
    }
    require(total <= 0x1p120 && total * static_cast<double>(keys.largest()) <= 0x1p120,
            "scores would leave the range of float");
    for (const double q : row_span(queries, i)) rounded.push_back(static_cast<float>(q * scale));
  }
  return rounded;
}

double combine_spans(const SpanSums& spans, std::size_t queries, std::size_t query, std::vector<double>& sums,
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
  return log(total) + ln2 * double{top};
}

namespace {

bool better(const ScoredKey& a, const ScoredKey& b) {
  return a.score != b.score ? a.score > b.score : a.key < b.key;
}

// Lower bound on the scores that can have a weight if the best score (budget: the k-th best) is at least `from`. The
// bound allows for the rounding errors of a map, which decides about small weights itself.
float least_with_weight(float from, double margin) {
  const double best = double{from}, least = best - margin - 0x1p-50 * (std::abs(best) + margin);
  return std::nextafter(static_cast<float>(std::max(least, -0x1p126)), -0x1p127F);
}

}  // namespace

void BestKeys::add(const ScoredKey& key) {
  if (heap_.size() == k_) {
    if (!better(key, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.pop_back();
  }
  heap_.push_back(key);
  std::push_heap(heap_.begin(), heap_.end(), better);
}

void BestKeys::add(const float* scores, const Block& block, float largest) {
  if (largest < of_rank(k_)) return;
  for (std::size_t i = 0; i < block.keys; ++i)
    if (scores[i] >= of_rank(k_)) add({static_cast<Index>(block.first_key + i), scores[i]});
}

void BestKeys::add(const BestKeys& others) {
  for (const ScoredKey& key : others.heap_) add(key);
}

float BestKeys::of_rank(std::size_t rank) const {
  if (heap_.size() < rank) return -std::numeric_limits<float>::infinity();
  if (heap_.size() == rank) return heap_.front().score;
  // Rank k - 1 is the worse of the root's two children.
  return heap_.size() == 2 ? heap_[1].score : std::min(heap_[1].score, heap_[2].score);
}

std::vector<ScoredKey> BestKeys::sorted() && {
  std::sort_heap(heap_.begin(), heap_.end(), better);
  return std::move(heap_);
}

Candidates::Candidates(const KeyScan& scan, std::size_t winners, double margin)
    : winners_(winners),
      queries_(scan.count),
      margin_(margin),
      workers_(scan.threads, {scan.make_block(), std::vector<BestKeys>(scan.count, BestKeys(winners + 1))}),
      found_(scan.spans * scan.count) {
  for_each_task(scan.spans, scan.threads,
                [&](std::size_t span, unsigned worker) { visit(scan, span, workers_[worker]); });
}

// A worker knows only its own best keys, so it may keep candidates that another worker's best keys exclude.
void Candidates::visit(const KeyScan& scan, std::size_t span, Worker& state) {
  const Block& block = state.block;
  scan.for_each_block(span, state.block, [&] {
    for (std::size_t i = 0; i < queries_; ++i) {
      const float* scores = block.scores_of(i);
      const float largest = scan.kernels.largest(scores, block.padded());
      state.best[i].add(scores, block, largest);
      const float least = least_with_weight(state.best[i].of_rank(winners_), margin_);
      if (largest < least) continue;
      for (std::size_t key = 0; key < block.keys; ++key)
        if (scores[key] >= least)
          found_[span * queries_ + i].push_back(
              {static_cast<std::uint32_t>(block.first_key + key), scores[key]});
    }
  });
}

BestKeys Candidates::all_best(std::size_t query) const {
  BestKeys best(winners_ + 1);
  for (const Worker& state : workers_) best.add(state.best[query]);
  return best;
}

std::vector<Candidate> Candidates::of(std::size_t query) const {
  const float least = least_with_weight(all_best(query).of_rank(winners_), margin_);
  std::vector<Candidate> kept;
  for (std::size_t part = query; part < found_.size(); part += queries_)
    std::copy_if(found_[part].begin(), found_[part].end(), std::back_inserter(kept),
                 [&](const Candidate& candidate) { return candidate.score >= least; });
  return kept;
}

std::vector<ScoredKey> Candidates::best(std::size_t query) const { return all_best(query).sorted(); }

WeighedKeys weigh(const Regulariser& map, const std::vector<Candidate>& candidates) {
  Vector scores(static_cast<Index>(candidates.size()));
  for (std::size_t j = 0; j < candidates.size(); ++j)
    scores[static_cast<Index>(j)] = double{candidates[j].score};
  const Vector weights = apply(map, scores);
  WeighedKeys weighed{{}, programme_value(map, scores)};
  for (const Index j : support(weights))
    weighed.weights.emplace_back(static_cast<Index>(candidates[size(j)].key), weights[j]);
  return weighed;
}

void add_rows(const PackedRows& rows, const WeighedKeys& weighed, std::span<double> out) {
  for (const auto& [row, weight] : weighed.weights)
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] += weight * double{rows.at(row, static_cast<Index>(c))};
}

}  // namespace engram::core::packed
