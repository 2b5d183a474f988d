// SPDX-License-Identifier: MIT
#include "core/single_precision/float_support.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/numbers/parallel.hpp"

namespace engram::core::packed {
namespace {

bool better(const ScoredKey& a, const ScoredKey& b) {
  return a.score != b.score ? a.score > b.score : a.key < b.key;
}

// No score below it has a weight, if the one from which the margin counts (the best; of a budget the k-th
// best) is `from` or more. Lower by more than the rounding in a map: the map, not this, says what the least
// weights are.
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
  // The last but one is the worse of the two below the last.
  return heap_.size() == 2 ? heap_[1].score : std::min(heap_[1].score, heap_[2].score);
}

std::vector<ScoredKey> BestKeys::sorted() && {
  std::sort_heap(heap_.begin(), heap_.end(), better);
  return std::move(heap_);
}

Candidates::Candidates(const Questions& questions, std::size_t winners, double margin)
    : winners_(winners),
      queries_(questions.count),
      margin_(margin),
      rooms_(questions.threads,
             {questions.room(), std::vector<BestKeys>(questions.count, BestKeys(winners + 1))}),
      found_(questions.spans * questions.count) {
  for_each_task(questions.spans, questions.threads,
                [&](std::size_t span, unsigned worker) { visit(questions, span, rooms_[worker]); });
}

// A worker knows its own best alone, so it may keep some that another's best excludes.
void Candidates::visit(const Questions& questions, std::size_t span, Room& room) {
  const Block& block = room.block;
  questions.for_each_block(span, room.block, [&] {
    for (std::size_t i = 0; i < queries_; ++i) {
      const float* scores = block.scores_of(i);
      const float largest = questions.kernels.largest(scores, block.padded());
      room.best[i].add(scores, block, largest);
      const float least = least_with_weight(room.best[i].of_rank(winners_), margin_);
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
  for (const Room& room : rooms_) best.add(room.best[query]);
  return best;
}

std::vector<Candidate> Candidates::of(std::size_t query) const {
  const float least = least_with_weight(all_best(query).of_rank(winners_), margin_);
  std::vector<Candidate> left;
  for (std::size_t part = query; part < found_.size(); part += queries_)
    std::copy_if(found_[part].begin(), found_[part].end(), std::back_inserter(left),
                 [&](const Candidate& candidate) { return candidate.score >= least; });
  return left;
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
