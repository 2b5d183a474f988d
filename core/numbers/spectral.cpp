// SPDX-License-Identifier: MIT
#include "core/numbers/spectral.hpp"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <compare>
#include <concepts>
#include <limits>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

/// A double that Eigen does not vectorise. With plain doubles Eigen adds in packets, and their width depends on the
/// target.
class OrderedReal {
 public:
  OrderedReal() = default;
  template <class T>
  requires(std::integral<T> || std::floating_point<T>) constexpr OrderedReal(T x)
      : value_(static_cast<double>(x)) {}  // implicit: Eigen writes x + 1
  constexpr explicit operator double() const { return value_; }

  constexpr OrderedReal operator-() const { return -value_; }
  constexpr OrderedReal& operator+=(OrderedReal b) { return *this = *this + b; }
  constexpr OrderedReal& operator-=(OrderedReal b) { return *this = *this - b; }
  constexpr OrderedReal& operator*=(OrderedReal b) { return *this = *this * b; }
  constexpr OrderedReal& operator/=(OrderedReal b) { return *this = *this / b; }
  friend constexpr OrderedReal operator+(OrderedReal a, OrderedReal b) { return a.value_ + b.value_; }
  friend constexpr OrderedReal operator-(OrderedReal a, OrderedReal b) { return a.value_ - b.value_; }
  friend constexpr OrderedReal operator*(OrderedReal a, OrderedReal b) { return a.value_ * b.value_; }
  friend constexpr OrderedReal operator/(OrderedReal a, OrderedReal b) { return a.value_ / b.value_; }
  friend constexpr bool operator==(OrderedReal, OrderedReal) = default;
  friend constexpr auto operator<=>(OrderedReal, OrderedReal) = default;

  friend bool isinf(OrderedReal x) { return std::isinf(x.value_); }
  friend bool isnan(OrderedReal x) { return std::isnan(x.value_); }
  friend OrderedReal abs(OrderedReal x) { return std::abs(x.value_); }
  friend OrderedReal sqrt(OrderedReal x) {
    charge(WorkBudget::quantum / 64);  // Eigen takes about one root a column; this is the only hook
    return std::sqrt(x.value_);
  }
  // The bits of the C library's pow depend on the processor.
  friend OrderedReal pow(OrderedReal x, OrderedReal y) { return core::exp(y.value_ * core::log(x.value_)); }

 private:
  double value_;
};

}  // namespace
}  // namespace engram::core

template <>
struct std::numeric_limits<engram::core::OrderedReal> : std::numeric_limits<double> {};

template <>
struct Eigen::NumTraits<engram::core::OrderedReal> : Eigen::NumTraits<double> {
  using Real = engram::core::OrderedReal;
  using NonInteger = engram::core::OrderedReal;
  using Nested = engram::core::OrderedReal;
  using Literal = engram::core::OrderedReal;
};

template <>
struct Spectra::TypeTraits<engram::core::OrderedReal> : Spectra::TypeTraits<double> {};

namespace engram::core {
namespace {

using OrderedMatrix = Eigen::Matrix<OrderedReal, Eigen::Dynamic, Eigen::Dynamic>;
using OrderedVector = Eigen::Matrix<OrderedReal, Eigen::Dynamic, 1>;

Vector to_double(const OrderedVector& v) {
  Vector out(v.size());
  for (Index i = 0; i < v.size(); ++i) out[i] = static_cast<double>(v[i]);
  return out;
}

// Divides M by its largest entry, which is returned, so that squares neither overflow nor vanish.
double to_ordered(const Matrix& m, OrderedMatrix& ordered) {
  require(m.rows() == m.cols(), "a symmetric matrix must be square");
  double largest = 0;
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j <= i; ++j) {
      require(std::isfinite(m(i, j)), "a symmetric matrix must be finite");
      largest = std::max(largest, std::abs(m(i, j)));
    }
  if (!(largest > 0)) largest = 1;
  ordered.resize(m.rows(), m.cols());
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j <= i; ++j) ordered(i, j) = ordered(j, i) = m(i, j) / largest;
  return largest;
}

// Applies the sign rule of Eigenpairs.
void orient(Eigen::Ref<Vector> u) {
  double largest = 0;
  for (const double x : u) largest = std::max(largest, std::abs(x));
  for (const double x : u)
    if (std::abs(x) >= largest * (1 - 1e-8)) {
      if (x < 0) u = -u;
      return;
    }
}

// Q y for the Q of a tridiagonalisation, one reflection after another. Eigen's own product uses blocks that depend on
// the processor's caches.
void apply_reflections(const Eigen::Tridiagonalization<OrderedMatrix>& reduced, OrderedMatrix& y) {
  const OrderedMatrix& packed = reduced.packedMatrix();
  const auto coefficients = reduced.householderCoefficients();
  OrderedVector workspace(y.cols());
  for (Index k = coefficients.size() - 1; k >= 0; --k) {
    const OrderedVector essential = packed.col(k).tail(y.rows() - k - 2);
    y.bottomRows(y.rows() - k - 1).applyHouseholderOnTheLeft(essential, coefficients[k], workspace.data());
  }
}

// The matrix of one connected component.
struct Block {
  std::vector<std::uint32_t> members;  // ascending
  SparseRows matrix;
};

std::vector<Block> blocks_of(const SparseRows& m) {
  const std::vector<std::uint32_t> component = connected_components(m);
  std::vector<std::uint32_t> place(component.size()), block_of(component.size());
  std::vector<Block> blocks;
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    if (component[i] == i) {
      block_of[i] = static_cast<std::uint32_t>(blocks.size());
      blocks.emplace_back();
    }
    Block& block = blocks[block_of[component[i]]];
    place[i] = static_cast<std::uint32_t>(block.members.size());
    block.members.push_back(i);
  }
  std::vector<std::uint32_t> columns;
  for (Block& block : blocks) {
    block.matrix = SparseRows(static_cast<Index>(block.members.size()));
    for (const std::uint32_t row : block.members) {
      columns.clear();
      for (const std::uint32_t column : m.columns_of(row)) columns.push_back(place[column]);
      block.matrix.push_row(columns, m.values_of(row));
    }
  }
  return blocks;
}

double largest_row_sum(const SparseRows& m) {
  double largest = 0;
  for (Index row = 0; row < m.rows(); ++row) {
    double total = 0;
    for (const double x : m.values_of(row)) total += std::abs(x);
    require(std::isfinite(total), "a symmetric matrix must be finite");
    largest = std::max(largest, total);
  }
  return largest;
}

/// The operator that Spectra iterates: I + s M / |M|, with found pairs deflated to 0. The spectrum is in [0, 2], with
/// the wanted end at the top.
class DeflatedOperator {
 public:
  using Scalar = OrderedReal;  // Spectra's name

  DeflatedOperator(const SparseRows& m, double norm) : matrix_(m), norm_(norm) {}

  Index rows() const { return matrix_.rows(); }
  Index cols() const { return matrix_.rows(); }
  void perform_op(const OrderedReal* x, OrderedReal* y) const {
    charge(2 * matrix_.entries() + 2 * (found.size() + 1) * static_cast<std::uint64_t>(rows()));
    for (Index i = 0; i < rows(); ++i) {
      OrderedReal total = 0;
      const auto columns = matrix_.columns_of(i);
      const auto values = matrix_.values_of(i);
      for (std::size_t k = 0; k < columns.size(); ++k) total += OrderedReal(values[k]) * x[columns[k]];
      y[i] = x[i] + total / OrderedReal(norm_);  // 1 / norm_ may be infinite
    }
    const Eigen::Map<const OrderedVector> from(x, rows());
    Eigen::Map<OrderedVector> to(y, rows());
    for (const auto& [value, u] : found) to -= (value * u.dot(from)) * u;
  }

  std::vector<std::pair<OrderedReal, OrderedVector>> found;  // values before the deflation

 private:
  const SparseRows& matrix_;
  double norm_;  // negative for the lower end
};

// Adds the converged topmost pairs of the operator to its deflated pairs. Returns their number.
Index deflate_topmost(DeflatedOperator& op, Index count) {
  // Twice the needed width, but at most 64 more. Close eigenvalues then converge sooner.
  const Index width = std::min(op.rows(), std::max<Index>(20, std::min(2 * count + 1, count + 64)));
  OrderedVector start(op.rows());
  Rng rng(1, "spectral start", static_cast<std::uint64_t>(op.found.size()));
  for (OrderedReal& x : start) x = rng.uniform() - 0.5;
  for (const auto& [value, u] : op.found) start -= u.dot(start) * u;
  Spectra::SymEigsSolver<DeflatedOperator> solver(op, count, width);
  solver.init(start.data());
  const Index converged = solver.compute(Spectra::SortRule::LargestAlge, 300, 1e-12);
  const OrderedVector values = solver.eigenvalues();
  const OrderedMatrix vectors = solver.eigenvectors();
  for (Index i = 0; i < converged; ++i) op.found.emplace_back(values[i], vectors.col(i));
  return converged;
}

// Pairs of one large component, the outermost first.
Eigenpairs pairs_by_iteration(const SparseRows& m, Index count, SpectrumEnd end) {
  require(count <= max_sparse_eigenpairs, "too many eigenpairs of a large matrix were requested");
  const double sums = largest_row_sum(m), norm = sums > 0 ? sums : 1.0;
  DeflatedOperator op(m, end == SpectrumEnd::largest ? norm : -norm);
  const auto outermost_first = [](const auto& a, const auto& b) { return a.first > b.first; };
  const auto wanted = static_cast<std::size_t>(count);
  bool stuck = false;
  for (Index next = count;;) {
    const std::size_t before = op.found.size();
    // Once there are enough pairs, only those above the last kept one improve the result.
    const bool full = before >= wanted;
    const OrderedReal last = full ? op.found[wanted - 1].first : OrderedReal(-1);
    const Index converged = deflate_topmost(op, std::min(next, m.rows() - 1));
    stuck = converged == 0;
    const bool none_better = stuck || (full && op.found[before].first <= last + OrderedReal(1e-10));
    std::stable_sort(op.found.begin(), op.found.end(), outermost_first);
    if (none_better) break;
    next = std::min<Index>(count, 16);
  }
  Eigenpairs pairs;
  pairs.converged = op.found.size() >= wanted;
  const auto kept = static_cast<Index>(std::min(wanted, op.found.size()));
  pairs.values.resize(kept);
  pairs.vectors.resize(m.rows(), kept);
  for (Index k = 0; k < kept; ++k) {
    Vector u = to_double(op.found[static_cast<std::size_t>(k)].second);
    u /= std::sqrt(dot(u, u));
    orient(u);
    pairs.vectors.col(k) = u;
    pairs.values[k] =
        dot(u, m.multiply(u));  // Rayleigh quotient; the operator's shifted values lose digits near 0
  }
  return pairs;
}

Eigenpairs pairs_of_block(const SparseRows& m, Index count, SpectrumEnd end) {
  if (m.rows() > max_dense_size) return pairs_by_iteration(m, count, end);
  Eigenpairs all = eigenpairs(m.dense()), pairs;
  if (end == SpectrumEnd::largest) {
    all.values.reverseInPlace();
    all.vectors.rowwise().reverseInPlace();
  }
  pairs.values = all.values.head(count);
  pairs.vectors = all.vectors.leftCols(count);
  return pairs;
}

}  // namespace

Vector eigenvalues(const Matrix& symmetric) {
  OrderedMatrix ordered;
  const double scale = to_ordered(symmetric, ordered);
  if (ordered.rows() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<OrderedMatrix> solver(ordered, Eigen::EigenvaluesOnly);
  require(solver.info() == Eigen::Success, "the eigenvalues did not converge");
  return to_double(solver.eigenvalues()) * scale;
}

Eigenpairs eigenpairs(const Matrix& symmetric) {
  Eigenpairs pairs;
  OrderedMatrix ordered;
  const double scale = to_ordered(symmetric, ordered);
  const Index n = ordered.rows();
  if (n < 2) {
    pairs.values = symmetric.diagonal();
    pairs.vectors = Matrix::Ones(n, n);
    return pairs;
  }
  const Eigen::Tridiagonalization<OrderedMatrix> reduced(ordered);
  const OrderedVector diagonal = reduced.diagonal(), beside = reduced.subDiagonal();
  Eigen::SelfAdjointEigenSolver<OrderedMatrix> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  require(solver.info() == Eigen::Success, "the eigenvalues did not converge");
  OrderedMatrix vectors = solver.eigenvectors();
  apply_reflections(reduced, vectors);
  pairs.values = to_double(solver.eigenvalues()) * scale;
  pairs.vectors.resize(n, n);
  for (Index k = 0; k < n; ++k) {
    Vector u = to_double(vectors.col(k));
    orient(u);
    pairs.vectors.col(k) = u;
  }
  return pairs;
}

Eigenpairs eigenpairs(const SparseRows& symmetric, Index count, SpectrumEnd end, Index skip) {
  require_size("rows of a symmetric matrix", symmetric.rows(), symmetric.columns());
  require(count >= 0 && skip >= 0, "counts of eigenpairs must not be negative");
  struct Pair {
    double value;
    std::size_t block;
    Vector vector;
  };
  const std::vector<Block> blocks = blocks_of(symmetric);
  Eigenpairs pairs;
  std::vector<Pair> found;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index rows = blocks[b].matrix.rows();
    const Index asked = std::min(count + skip, rows);
    if (asked <= skip) continue;
    const Eigenpairs part = pairs_of_block(blocks[b].matrix, asked, end);
    pairs.converged = pairs.converged && part.converged;
    for (Index k = skip; k < part.values.size(); ++k)
      found.push_back({part.values[k], b, part.vectors.col(k)});
    // Keeps memory small: only the outermost `count` pairs can be in the result.
    std::stable_sort(found.begin(), found.end(), [&](const Pair& x, const Pair& y) {
      return end == SpectrumEnd::largest ? x.value > y.value : x.value < y.value;
    });
    if (static_cast<Index>(found.size()) > count) found.resize(static_cast<std::size_t>(count));
  }
  pairs.values.resize(static_cast<Index>(found.size()));
  pairs.vectors = Matrix::Zero(symmetric.rows(), pairs.values.size());
  for (Index k = 0; k < pairs.values.size(); ++k) {
    const Pair& pair = found[static_cast<std::size_t>(k)];
    pairs.values[k] = pair.value;
    const auto& members = blocks[pair.block].members;
    for (std::size_t i = 0; i < members.size(); ++i)
      pairs.vectors(members[i], k) = pair.vector[static_cast<Index>(i)];
  }
  return pairs;
}

}  // namespace engram::core
