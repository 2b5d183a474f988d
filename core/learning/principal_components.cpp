// SPDX-License-Identifier: MIT
#include "core/learning/principal_components.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/spectral.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

void require_input(const Matrix& w, SparseInput x) {
  require_size("values of an input", static_cast<Index>(x.values.size()),
               static_cast<Index>(x.columns.size()));
  for (const std::uint32_t column : x.columns)
    require(static_cast<Index>(column) < w.cols(), "an input has more columns than the weights");
}

// y = W x.
Vector responses(const Matrix& w, SparseInput x) {
  charge(static_cast<std::uint64_t>(w.rows()) * x.columns.size());
  Vector y = Vector::Zero(w.rows());
  for (Index unit = 0; unit < w.rows(); ++unit)
    for (std::size_t k = 0; k < x.columns.size(); ++k) y[unit] += w(unit, x.columns[k]) * x.values[k];
  return y;
}

Vector dense(SparseInput x, Index n) {
  Vector out = Vector::Zero(n);
  for (std::size_t k = 0; k < x.columns.size(); ++k) out[x.columns[k]] = x.values[k];
  return out;
}

void require_evidence(const SparseRows& inputs, const Vector& evidence) {
  require_size("evidence", evidence.size(), inputs.rows());
  for (const double d : evidence)
    require(d >= 0 && std::isfinite(d), "evidence must be finite and not negative", d);
}

// sqrt(D_e) A_e divided by the length of the longest row; a matrix without rows if that is 0.
SparseRows scaled_inputs(const SparseRows& inputs, const Vector& evidence) {
  SparseRows scaled = inputs;
  double largest = 0, longest = 0;
  for (Index e = 0; e < scaled.rows(); ++e)
    for (double& x : scaled.values_of(e)) {
      x *= std::sqrt(evidence[e]);
      require(std::isfinite(x), "inputs must be finite", x);
      largest = std::max(largest, std::abs(x));
    }
  if (!(largest > 0)) return SparseRows(inputs.columns());
  for (Index e = 0; e < scaled.rows();
       ++e) {  // divides by the largest number first, because squares of tiny numbers underflow
    for (double& x : scaled.values_of(e)) x /= largest;
    longest = std::max(longest, std::sqrt(dot(scaled.values_of(e), scaled.values_of(e))));
  }
  for (Index e = 0; e < scaled.rows(); ++e)
    for (double& x : scaled.values_of(e)) x /= longest;
  return scaled;
}

// Rows of length 1/2 in random directions.
Matrix first_weights(Index units, Index n, std::uint64_t seed) {
  Rng rng(seed, "principal components");
  Matrix w(units, n);
  for (Index unit = 0; unit < units; ++unit) {
    charge(16 * static_cast<std::uint64_t>(n));
    for (Index i = 0; i < n; ++i) w(unit, i) = rng.uniform() - 0.5;
    w.row(unit) *= 0.5 / std::sqrt(dot(row_span(w, unit), row_span(w, unit)));
  }
  return w;
}

}  // namespace

void oja_step(Matrix& w, SparseInput x, double eta) {
  require_input(w, x);
  charge(static_cast<std::uint64_t>(w.size()));
  const Vector y = responses(w, x);
  const Vector left = dense(x, w.cols()) - multiply_transposed(w, y);
  for (Index unit = 0; unit < w.rows(); ++unit) w.row(unit) += eta * y[unit] * left.transpose();
}

void sanger_step(Matrix& w, SparseInput x, double eta) {
  require_input(w, x);
  charge(2 * static_cast<std::uint64_t>(w.size()));
  const Vector y = responses(w, x);
  Vector left = dense(x, w.cols());
  for (Index unit = 0; unit < w.rows(); ++unit) {
    left -= y[unit] * w.row(unit).transpose();
    w.row(unit) += eta * y[unit] * left.transpose();
  }
}

Matrix learn_components(const SparseRows& inputs, const Vector& evidence, ComponentRule rule, Index k,
                        const LearningOptions& options) {
  require_evidence(inputs, evidence);
  require(k >= 0 && options.epochs >= 0, "counts of components and epochs must not be negative");
  require(options.eta > 0 && options.eta <= 1, "the rate of learning must be in (0, 1]", options.eta);
  const Index n = inputs.columns();
  const SparseRows scaled = scaled_inputs(inputs, evidence);
  Matrix components = Matrix::Zero(k, n);
  if (scaled.rows() == 0) return components;
  Matrix w = first_weights(std::min(k, n), n, options.seed);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    Rng rng(options.seed, "principal components order", static_cast<std::uint64_t>(epoch));
    const double eta = options.eta / (1.0 + epoch);
    for (const std::uint32_t row : rng.permutation(static_cast<std::uint32_t>(scaled.rows()))) {
      const SparseInput x{scaled.columns_of(row), scaled.values_of(row)};
      rule == ComponentRule::oja ? oja_step(w, x, eta) : sanger_step(w, x, eta);
    }
  }
  components.topRows(w.rows()) = w;
  return components;
}

Matrix component_embedding(const Matrix& components, const SparseRows& inputs, const Vector& evidence) {
  require_evidence(inputs, evidence);
  require_size("columns of the components", components.cols(), inputs.columns());
  const Index k = components.rows();
  if (components.cols() == 0) return Matrix(0, k);  // Eigen would use a null pointer
  Matrix responded(k, inputs.rows());               // W A' sqrt(D)
  for (Index e = 0; e < inputs.rows(); ++e)
    responded.col(e) =
        std::sqrt(evidence[e]) * responses(components, {inputs.columns_of(e), inputs.values_of(e)});
  Matrix moments(k, k);
  for (Index a = 0; a < k; ++a)
    for (Index b = 0; b <= a; ++b)
      moments(a, b) = moments(b, a) = dot(row_span(responded, a), row_span(responded, b));
  const Eigenpairs pairs = eigenpairs(moments);  // ascending
  Matrix embedding(components.cols(), k);
  for (Index j = 0; j < k; ++j) {
    const Vector root = std::sqrt(std::max(pairs.values[k - 1 - j], 0.0)) * pairs.vectors.col(k - 1 - j);
    embedding.col(j) = multiply_transposed(components, root);
  }
  return embedding;
}

}  // namespace engram::core
