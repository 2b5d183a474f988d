// SPDX-License-Identifier: MIT
#include "core/embeddings/embedding_cache.hpp"

#define NO_MANUAL_VECTORIZATION  // we supply our own distance function
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

#ifdef __SANITIZE_THREAD__
// hnswlib locks its points in varying order. ConceptIndex inserts all of them by one thread, so this cannot deadlock.
extern "C" const char* __tsan_default_suppressions() { return "deadlock:hnswlib\n"; }
#endif

namespace engram::core {
namespace {

// Neighbours of a row, and candidates while a row is inserted. Chosen: hnswlib's defaults.
constexpr std::size_t neighbours = 16, candidates = 200, any_seed = 100;

// 1 - cosine of directions of length 1. Sums eight lanes and folds them in halves, the same on all processors.
float distance(const void* a, const void* b, const void* dimensions) {
  constexpr std::size_t lanes = 8;
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  const std::size_t d = *static_cast<const std::size_t*>(dimensions);
  std::array<float, lanes> sums{};
  std::size_t j = 0;
  for (; j + lanes <= d; j += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += x[j + l] * y[j + l];
  for (std::size_t l = 0; j + l < d; ++l) sums[l] += x[j + l] * y[j + l];
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) sums[l] += sums[l + half];
  return 1 - sums[0];
}

class Directions final : public hnswlib::SpaceInterface<float> {
 public:
  explicit Directions(std::size_t dimensions) : dimensions_(dimensions) {}
  std::size_t get_data_size() override { return dimensions_ * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance; }
  void* get_dist_func_param() override { return &dimensions_; }

 private:
  std::size_t dimensions_;
};

std::vector<float> direction_of(std::span<const double> row, double length) {
  std::vector<float> direction;
  for (const double x : row) direction.push_back(static_cast<float>(x / length));
  return direction;
}

std::size_t bytes_for(std::size_t rows, std::size_t dimensions) {
  constexpr std::size_t overhead = 250;  // links, labels, locks
  return rows * (dimensions * sizeof(float) + overhead);
}

}  // namespace

class ConceptIndex::Graph {
 public:
  Graph(std::size_t most_rows, std::size_t of_dimensions)
      : dimensions(of_dimensions),
        reservation(bytes_for(most_rows, of_dimensions)),
        space(of_dimensions),
        found(&space, std::max(most_rows, std::size_t{1}), neighbours, candidates, any_seed) {}

  std::size_t dimensions;
  Reservation reservation;
  Directions space;
  hnswlib::HierarchicalNSW<float> found;
};

ConceptIndex::ConceptIndex(const Matrix& rows, const Vector& lengths) {
  require_size("lengths of rows", lengths.size(), rows.rows());
  const auto nonzero = static_cast<std::size_t>((lengths.array() > 0).count());
  const auto dimensions = static_cast<std::size_t>(rows.cols());
  graph_ = std::make_unique<Graph>(nonzero, dimensions);
  for (Index i = 0; i < rows.rows(); ++i) {
    if (!(lengths[i] > 0)) continue;
    charge(4000 * dimensions);
    graph_->found.addPoint(direction_of(row_span(rows, i), lengths[i]).data(), static_cast<std::size_t>(i));
  }
  graph_->reservation.keep();
}

ConceptIndex::~ConceptIndex() = default;

std::vector<std::uint32_t> ConceptIndex::nearest(const Vector& direction, std::size_t count,
                                                 std::size_t looks) const {
  require_size("direction", direction.size(), static_cast<Index>(graph_->dimensions));
  const double length = std::sqrt(dot(direction, direction));
  if (!(length > 0) || count == 0) return {};
  const std::size_t kept = std::min(std::max(count, looks), graph_->found.max_elements_);
  const Reservation reservation(64 * kept);
  charge(20 * graph_->dimensions * kept);
  auto near = graph_->found.searchKnn(direction_of(as_span(direction), length).data(), kept);
  while (near.size() > count) near.pop();  // the farthest
  std::vector<std::uint32_t> ids;
  for (; !near.empty(); near.pop()) ids.push_back(static_cast<std::uint32_t>(near.top().second));
  std::ranges::sort(ids);
  return ids;
}

std::size_t ConceptIndex::bytes() const { return bytes_for(graph_->found.max_elements_, graph_->dimensions); }

namespace {

// |row|. Divides by the largest number first, because squares may underflow or overflow.
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
  capacity_ = other.capacity_;
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
  Reservation reservation(embedding_bytes(static_cast<std::size_t>(rows.size()), spec.precision));
  entries_.push_front({spec, std::make_shared<const Embedding>(with_lengths(std::move(rows), spec))});
  reservation.keep();
  std::size_t numbers = 0;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    numbers += static_cast<std::size_t>(entry->embedding->rows.size());
    if (numbers > capacity_ && entry != entries_.begin()) {
      entries_.erase(entry, entries_.end());
      break;
    }
  }
  return entries_.front().embedding;
}

}  // namespace engram::core
