// SPDX-License-Identifier: MIT
// A graph to measure on, as Engram and as Eigen keep it.
#pragma once

#include <Eigen/Sparse>
#include <span>
#include <vector>

#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "experiments/benchmarks/limits.hpp"

namespace engram::benchmarks {

template <class Number>
using SparseMatrix = Eigen::SparseMatrix<Number, Eigen::RowMajor>;

/// Links from each concept to others, half of them by Zipf's law: hubs that much mentions, and a long tail. Symmetric;
/// weights are whole, from 1 to 64.
core::SparseRows concept_graph(core::Rng& rng, core::Index concepts, core::Index links);

/// The same for Eigen.
template <class Number>
SparseMatrix<Number> matrix_of(const core::SparseRows& rows) {
  SparseMatrix<Number> matrix(rows.rows(), rows.columns());
  matrix.resizeNonZeros(static_cast<core::Index>(rows.entries()));
  int place = 0;
  for (core::Index i = 0; i < rows.rows(); ++i) {
    matrix.outerIndexPtr()[i] = place;
    for (std::size_t k = 0; k < rows.columns_of(i).size(); ++k, ++place) {
      matrix.innerIndexPtr()[place] = static_cast<int>(rows.columns_of(i)[k]);
      matrix.valuePtr()[place] = static_cast<Number>(rows.values_of(i)[k]);
    }
  }
  matrix.outerIndexPtr()[rows.rows()] = place;
  return matrix;
}

/// What a product with it must read of its links.
template <class Number>
std::vector<Bytes> link_bytes(const SparseMatrix<Number>& matrix) {
  const auto entries = static_cast<std::size_t>(matrix.nonZeros());
  return {std::as_bytes(std::span(matrix.innerIndexPtr(), entries)),
          std::as_bytes(std::span(matrix.valuePtr(), entries))};
}

}  // namespace engram::benchmarks
