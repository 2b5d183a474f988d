// SPDX-License-Identifier: MIT
#include "core/hopfield/modern_hopfield.hpp"

#include <algorithm>
#include <limits>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// What the dynamics ask of patterns, dense or sparse.
struct DensePatterns {
  const Matrix& x;
  Index count() const { return x.rows(); }
  Index dimensions() const { return x.cols(); }
  Vector similarity(const Vector& state) const { return multiply(x, state); }
  Vector project(const Vector& weights) const { return multiply_transposed(x, weights); }
  double square_norm(Index row) const { return dot(row_span(x, row), row_span(x, row)); }
};

struct SparsePatterns {
  const SparseRows& x;
  Index count() const { return x.rows(); }
  Index dimensions() const { return x.columns(); }
  Vector similarity(const Vector& state) const { return x.multiply(state); }
  Vector project(const Vector& weights) const { return x.multiply_transposed(weights); }
  double square_norm(Index row) const { return dot(x.values_of(row), x.values_of(row)); }
};

template <class Patterns>
ModernRecall iterate(const Patterns& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                     const Vector& field, const StepObserver& observer) {
  require(patterns.count() > 0, "a modern Hopfield network needs at least one pattern");
  require_size("cue", cue.size(), patterns.dimensions());
  if (field.size() > 0) require_size("field", field.size(), patterns.dimensions());
  check(options);

  double largest_square = 0;
  for (Index i = 0; i < patterns.count(); ++i)
    largest_square = std::max(largest_square, patterns.square_norm(i));
  const double constant = energy_constant(options, patterns.count(), largest_square);
  const auto energy = [&](const Vector& state, const Vector& scores) {
    const double coupling = field.size() > 0 ? dot(field, state) : 0.0;
    // beta^-1 Omega*(beta s) is the value of the programme with scores s at temperature 1/beta.
    return constant - programme_value(options.map, scores, 1.0 / options.beta) + 0.5 * dot(state, state) -
           coupling;
  };

  ModernRecall recall;
  recall.state = cue;
  Vector scores = patterns.similarity(recall.state);
  recall.energies.push_back(energy(recall.state, scores));
  recall.certificate = certify_retrieval(options.map, scores, options.beta);
  while (recall.iterations < options.max_steps && (options.every_step || !recall.converged)) {
    recall.weights = apply(options.map, scores, 1.0 / options.beta);
    Vector next = patterns.project(recall.weights);
    if (field.size() > 0) next += field;
    const double change = (next - recall.state).lpNorm<Eigen::Infinity>();
    recall.state = std::move(next);
    scores = patterns.similarity(recall.state);
    recall.energies.push_back(energy(recall.state, scores));
    ++recall.iterations;
    recall.converged = change <= options.tolerance;
    if (observer) observer(recall.state, recall.weights);
  }
  return recall;
}

}  // namespace

double nearest_but_copies(double nearest, double overlap) {
  constexpr double copy = 1 - 1e-9;
  return overlap < copy ? std::max(nearest, overlap) : nearest;
}

double median_separation(Index patterns, const std::function<std::optional<double>(Index)>& separation) {
  constexpr Index most = 64;
  std::vector<double> separations;
  const Index count = std::min(most, patterns);
  for (Index i = 0; i < count; ++i)
    if (const std::optional<double> of_one = separation(i * patterns / count)) separations.push_back(*of_one);
  if (separations.empty()) return 1;
  const auto middle = separations.begin() + static_cast<std::ptrdiff_t>(separations.size() / 2);
  std::ranges::nth_element(separations, middle);
  return *middle;
}

double median_separation(const SparseRows& patterns, const SparseRows& transposed) {
  Vector pattern = Vector::Zero(patterns.columns());
  return median_separation(patterns.rows(), [&](Index row) -> std::optional<double> {
    const auto columns = patterns.columns_of(row);
    if (columns.empty()) return {};
    for (std::size_t c = 0; c < columns.size(); ++c) pattern[columns[c]] = patterns.values_of(row)[c];
    double nearest = 0;
    for (const std::uint32_t column : columns) {
      charge(8 * transposed.columns_of(column).size());
      for (const std::uint32_t other : transposed.columns_of(column))
        nearest = nearest_but_copies(nearest, patterns.row_dot(other, pattern));
    }
    for (const std::uint32_t column : columns) pattern[column] = 0;
    return 1 - nearest;
  });
}

double median_separation(const Matrix& patterns) {
  return median_separation(patterns.rows(), [&](Index row) -> std::optional<double> {
    const Vector pattern = patterns.row(row).transpose();
    if (pattern.isZero(0)) return {};
    double nearest = 0;
    for (const double overlap : multiply(patterns, pattern)) nearest = nearest_but_copies(nearest, overlap);
    return 1 - nearest;
  });
}

double separating_beta(const Regulariser& map, Index patterns, double separation) {
  require(separation > 0 && separation <= 2, "patterns of length 1 are more than 0 and at most 2 apart",
          separation);
  const double needed = margin(map);
  if (needed == 0) return 1 / separation;
  const auto k = static_cast<double>(std::max<Index>(patterns, 2));
  // The right side times beta grows more slowly than beta, from 1 / separation on, where it is above.
  double beta = 1 / separation;
  for (double before = 0; beta > before * (1 + 1e-14);) {
    before = beta;
    beta = (2 / k + log(2 * (k - 1) * k * beta)) / separation;
  }
  return std::min(beta, needed / separation);
}

void check(const ModernHopfieldOptions& options) {
  require_positive("beta", options.beta);
  require(options.max_steps >= 1, "max_steps must be at least 1", options.max_steps);
}

double energy_constant(const ModernHopfieldOptions& options, Index count, double largest_square) {
  // A budget's weights sum to k: what it retrieves may be k times as long as a pattern.
  if (options.map.map == SimplexMap::budget)
    largest_square *= static_cast<double>(options.map.k) * static_cast<double>(options.map.k);
  return 0.5 * largest_square - omega_uniform(options.map, count) / options.beta;
}

RetrievalCertificate certify_retrieval(const Regulariser& map, const Vector& similarity, double beta) {
  const Index winners = map.map == SimplexMap::budget ? map.k : 1;
  require(winners >= 1 && winners <= similarity.size(), "the map needs as many patterns as it selects");
  RetrievalCertificate certificate{std::numeric_limits<double>::infinity(), margin(map), true, beta};
  if (winners < similarity.size()) {
    Vector sorted = similarity;
    std::partial_sort(sorted.begin(), sorted.begin() + winners + 1, sorted.end(), std::greater<>());
    certificate.gap = sorted[winners - 1] - sorted[winners];
    certificate.exact = beta * certificate.gap >= certificate.margin;
  }
  return certificate;
}

ModernRecall recall_modern(const Matrix& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                           const Vector& field, const StepObserver& observer) {
  return iterate(DensePatterns{patterns}, cue, options, field, observer);
}

ModernRecall recall_modern(const SparseRows& patterns, const Vector& cue,
                           const ModernHopfieldOptions& options, const Vector& field,
                           const StepObserver& observer) {
  return iterate(SparsePatterns{patterns}, cue, options, field, observer);
}

}  // namespace engram::core
