// SPDX-License-Identifier: MIT
#include "experiments/inputs/random_cases.hpp"

#include <cmath>
#include <vector>

#include "core/numbers/numeric.hpp"

namespace engram::experiments {

namespace {

template <class Draw>
Matrix filled(Index rows, Index columns, Draw draw) {
  Matrix m(rows, columns);
  for (double& entry : m.reshaped<Eigen::RowMajor>()) entry = draw();
  return m;
}

double normal(Rng& rng) {
  for (;;) {
    const double u = 2 * rng.uniform() - 1, v = 2 * rng.uniform() - 1;
    const double square = u * u + v * v;
    if (square > 0 && square < 1) return u * std::sqrt(-2 * core::log(square) / square);
  }
}

}  // namespace

Matrix random_matrix(Rng& rng, Index rows, Index columns) {
  return filled(rows, columns, [&] { return 2 * rng.uniform() - 1; });
}

Vector random_vector(Rng& rng, Index n) { return random_matrix(rng, 1, n).row(0).transpose(); }

Matrix normal_matrix(Rng& rng, Index rows, Index columns) {
  return filled(rows, columns, [&] { return normal(rng); });
}

Matrix unit_rows(Rng& rng, Index rows, Index columns) {
  Matrix m = normal_matrix(rng, rows, columns);
  for (Index i = 0; i < rows; ++i) {
    const Vector row = m.row(i).transpose();
    m.row(i) /= std::sqrt(core::dot(row, row));
  }
  return m;
}

Matrix random_spins(Rng& rng, Index rows, Index columns) {
  std::uint64_t bits = 0;
  int left = 0;
  return filled(rows, columns, [&] {
    if (left == 0) {
      bits = rng.bits();
      left = 64;
    }
    const double spin = (bits & 1U) != 0 ? 1.0 : -1.0;
    bits >>= 1U;
    --left;
    return spin;
  });
}

Vector random_state(Rng& rng, Index n) { return random_spins(rng, 1, n).row(0).transpose(); }

Vector damaged(Rng& rng, const Matrix& spins, Index row, double damage) {
  Vector state = spins.row(row).transpose();
  for (double& s : state)
    if (rng.uniform() < damage) s = -s;
  return state;
}

core::SparseRows random_links(Rng& rng, Index n, double density) {
  Matrix w = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      const bool beside = j + 1 == i || (j == 0 && i + 1 == n);
      const double weight = 0.1 + rng.uniform();
      if (rng.uniform() < density || beside) w(i, j) = w(j, i) = weight;
    }
  return sparse(w);
}

core::SparseRows sparse(const Matrix& m) {
  core::SparseRows rows(m.cols());
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < m.rows(); ++i) {
    columns.clear();
    values.clear();
    for (Index j = 0; j < m.cols(); ++j) {
      if (m(i, j) == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(j));
      values.push_back(m(i, j));
    }
    rows.push_row(columns, values);
  }
  return rows;
}

}  // namespace engram::experiments
