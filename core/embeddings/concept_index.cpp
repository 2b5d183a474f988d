// SPDX-License-Identifier: MIT
#include "core/embeddings/concept_index.hpp"

#define NO_MANUAL_VECTORIZATION  // its distances and the functions that choose among them: we have our own
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// Chosen, as hnswlib has them by default: neighbours of a row, and rows in sight while one is put in.
constexpr std::size_t neighbours = 16, sight = 200, any_seed = 100;

// Of directions of length 1: 1 - cosine. Eight lanes folded in halves, one order for all processors.
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
  constexpr std::size_t beside = 250;  // links, labels, locks
  return rows * (dimensions * sizeof(float) + beside);
}

}  // namespace

class ConceptIndex::Graph {
 public:
  Graph(std::size_t most_rows, std::size_t of_dimensions)
      : dimensions(of_dimensions),
        claim(bytes_for(most_rows, of_dimensions)),
        space(of_dimensions),
        found(&space, std::max(most_rows, std::size_t{1}), neighbours, sight, any_seed) {}

  std::size_t dimensions;
  Reservation claim;
  Directions space;
  hnswlib::HierarchicalNSW<float> found;
};

ConceptIndex::ConceptIndex(const Matrix& rows, const Vector& lengths) {
  require_size("lengths of rows", lengths.size(), rows.rows());
  const auto pointing = static_cast<std::size_t>((lengths.array() > 0).count());
  const auto dimensions = static_cast<std::size_t>(rows.cols());
  graph_ = std::make_unique<Graph>(pointing, dimensions);
  for (Index i = 0; i < rows.rows(); ++i) {
    if (!(lengths[i] > 0)) continue;
    charge(4000 * dimensions);
    graph_->found.addPoint(direction_of(row_span(rows, i), lengths[i]).data(), static_cast<std::size_t>(i));
  }
  graph_->claim.keep();
}

ConceptIndex::~ConceptIndex() = default;

std::vector<std::uint32_t> ConceptIndex::nearest(const Vector& direction, std::size_t count,
                                                 std::size_t looks) const {
  require_size("direction", direction.size(), static_cast<Index>(graph_->dimensions));
  const double length = std::sqrt(dot(direction, direction));
  if (!(length > 0) || count == 0) return {};
  const std::size_t kept = std::min(std::max(count, looks), graph_->found.max_elements_);
  const Reservation claim(64 * kept);
  charge(20 * graph_->dimensions * kept);
  auto near = graph_->found.searchKnn(direction_of(as_span(direction), length).data(), kept);
  while (near.size() > count) near.pop();  // the farthest
  std::vector<std::uint32_t> ids;
  for (; !near.empty(); near.pop()) ids.push_back(static_cast<std::uint32_t>(near.top().second));
  std::ranges::sort(ids);
  return ids;
}

std::size_t ConceptIndex::bytes() const { return bytes_for(graph_->found.max_elements_, graph_->dimensions); }

}  // namespace engram::core
