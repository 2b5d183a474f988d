// SPDX-License-Identifier: MIT
#include "core/embeddings/embedding_cache.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// Over the largest entry: squares of tiny numbers would vanish, of huge ones overflow.
double length_of(std::span<const double> row) {
  double largest = 0;
  for (const double x : row) largest = std::max(largest, std::abs(x));
  if (!(largest > 0)) return 0;
  Vector scaled(static_cast<Index>(row.size()));
  for (Index j = 0; j < scaled.size(); ++j) scaled[j] = row[static_cast<std::size_t>(j)] / largest;
  return largest * std::sqrt(dot(scaled, scaled));
}

PackedKeys directions_of(const Matrix& rows, const Vector& lengths, Precision precision) {
  PackedKeys directions(rows.cols(), precision);
  directions.reserve(rows.rows());
  std::vector<double> direction(static_cast<std::size_t>(rows.cols()));
  for (Index i = 0; i < rows.rows(); ++i) {
    std::ranges::transform(row_span(rows, i), direction.begin(),
                           [&](double x) { return lengths[i] > 0 ? x / lengths[i] : 0.0; });
    directions.push_back(direction);
  }
  return directions;
}

Embedding with_lengths(Matrix rows, const EmbeddingSpec& spec) {
  Vector lengths(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) lengths[i] = length_of(row_span(rows, i));
  Embedding embedding{std::move(rows), std::move(lengths)};
  if (spec.precision)
    embedding.directions = directions_of(embedding.rows, embedding.lengths, *spec.precision);
  if (spec.indexed) embedding.index = std::make_unique<const ConceptIndex>(embedding.rows, embedding.lengths);
  return embedding;
}

}  // namespace

std::size_t embedding_bytes(std::size_t numbers, const std::optional<Precision>& precision) {
  return numbers * (sizeof(double) + (precision ? sizeof(float) : 0));
}

std::size_t EmbeddingCache::bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [spec, embedding] : entries_)
    bytes += embedding_bytes(static_cast<std::size_t>(embedding->rows.size()), spec.precision) +
             (embedding->index ? embedding->index->bytes() : 0);
  return bytes;
}

EmbeddingCache& EmbeddingCache::operator=(const EmbeddingCache& other) {
  if (this == &other) return *this;
  const std::lock_guard lock(mutex_);
  entries_.clear();
  room_ = other.room_;
  return *this;
}

std::shared_ptr<const Embedding> EmbeddingCache::get(const EmbeddingSpec& spec,
                                                     const std::function<Matrix()>& make) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, spec, &Entry::spec);
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().embedding;
  }
  Matrix rows = make();
  Reservation claim(embedding_bytes(static_cast<std::size_t>(rows.size()), spec.precision));
  entries_.push_front({spec, std::make_shared<const Embedding>(with_lengths(std::move(rows), spec))});
  claim.keep();
  std::size_t numbers = 0;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    numbers += static_cast<std::size_t>(entry->embedding->rows.size());
    if (numbers > room_ && entry != entries_.begin()) {
      entries_.erase(entry, entries_.end());
      break;
    }
  }
  return entries_.front().embedding;
}

}  // namespace engram::core
