// SPDX-License-Identifier: MIT
// What the tests of core share: seeded random inputs, a distance that lets no NaN pass, and sentences.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/single_precision/float_store.hpp"
#include "narsese/parser.hpp"

namespace engram::core::samples {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::array instruction_sets{Instructions::portable, Instructions::avx2, Instructions::avx512,
                                             Instructions::best};
inline constexpr std::array precisions{Precision::float32, Precision::bf16};

inline double uniform(Rng& rng, double least, double most) { return least + (most - least) * rng.uniform(); }

/// Nearly normal, mean 0 and variance 1: twelve uniforms less their mean.
inline double normal(Rng& rng) {
  double total = -6;
  for (int i = 0; i < 12; ++i) total += rng.uniform();
  return total;
}

inline Vector normal_vector(Rng& rng, Index n) {
  Vector v(n);
  for (double& x : v) x = normal(rng);
  return v;
}

inline Matrix normal_matrix(Rng& rng, Index rows, Index columns) {
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i) m.row(i) = normal_vector(rng, columns).transpose();
  return m;
}

/// In [-1, 1), at little cost where there are very many.
inline Matrix uniform_matrix(Rng& rng, Index rows, Index columns) {
  Matrix m(rows, columns);
  for (double& x : m.reshaped()) x = uniform(rng, -1, 1);
  return m;
}

/// Rows of length 1 in random directions.
inline Matrix unit_rows(Rng& rng, Index rows, Index columns) {
  Matrix m = normal_matrix(rng, rows, columns);
  for (Index i = 0; i < rows; ++i) m.row(i) /= m.row(i).norm();
  return m;
}

/// Entries +1 or -1.
inline Matrix spins(Rng& rng, Index rows, Index columns) {
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) m(i, j) = rng.below(2) == 0 ? -1.0 : 1.0;
  return m;
}

inline Vector spin_state(Rng& rng, Index n) { return spins(rng, 1, n).row(0).transpose(); }

/// Symmetric and nearly normal, 0 on the diagonal.
inline Matrix couplings(Rng& rng, Index n) {
  const Matrix m = normal_matrix(rng, n, n);
  Matrix weights = 0.5 * (m + m.transpose());
  weights.diagonal().setZero();
  return weights;
}

/// Entries of `m` that are not 0, row by row.
inline SparseRows sparse(const Matrix& m) {
  SparseRows rows(m.cols());
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < m.rows(); ++i) {
    columns.clear();
    values.clear();
    for (Index j = 0; j < m.cols(); ++j)
      if (m(i, j) != 0) {
        columns.push_back(static_cast<std::uint32_t>(j));
        values.push_back(m(i, j));
      }
    rows.push_row(columns, values);
  }
  return rows;
}

inline Matrix dense(const SparseRows& rows) {
  Matrix m = Matrix::Zero(rows.rows(), rows.columns());
  for (Index i = 0; i < rows.rows(); ++i)
    for (std::size_t k = 0; k < rows.columns_of(i).size(); ++k)
      m(i, rows.columns_of(i)[k]) = rows.values_of(i)[k];
  return m;
}

template <class A, class B>
double distance_of_dense(const A& a, const B& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return infinity;
  double largest = 0;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) {
      const double difference = std::abs(a(i, j) - b(i, j));
      if (std::isnan(difference)) return infinity;
      largest = std::max(largest, difference);
    }
  return largest;
}

/// The largest absolute difference; infinity where shapes differ or a number is none.
template <class A, class B>
double distance(const A& a, const B& b) {
  if constexpr (std::is_same_v<A, SparseVector>)
    return distance(a.whole(), b);
  else if constexpr (std::is_same_v<B, SparseVector>)
    return distance(a, b.whole());
  else
    return distance_of_dense(a, b);
}

inline Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double x : values) v[i++] = x;
  return v;
}

/// sum (observed - expected)^2 / expected.
inline double chi_square(const std::vector<int>& observed, const std::vector<double>& expected) {
  double total = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double difference = static_cast<double>(observed[i]) - expected[i];
    total += difference * difference / expected[i];
  }
  return total;
}

inline narsese::Sentence sentence(Memory& memory, std::string_view line) {
  const auto parsed = narsese::parse_sentence(line, memory.terms());
  if (!parsed) throw std::runtime_error(std::string(line) + ": " + parsed.error().message());
  return *parsed;
}

inline narsese::Term term(Memory& memory, std::string_view text) {
  const auto parsed = narsese::parse_term(text, memory.terms());
  if (!parsed) throw std::runtime_error(std::string(text) + ": " + parsed.error().message());
  return *parsed;
}

/// Gives the memory a judgment or goal that it must accept.
inline StatementId say(Memory& memory, std::string_view line) {
  const auto accepted = memory.accept(sentence(memory, line));
  if (!accepted) throw std::runtime_error(std::string(line) + ": " + accepted.error());
  return accepted.value().value();
}

/// A memory that was given these.
inline Memory told(const std::vector<std::string>& lines, MemoryOptions options = {}) {
  Memory memory(options);
  for (const auto& line : lines) say(memory, line);
  return memory;
}

inline ConceptId concept_of(Memory& memory, std::string_view text) {
  return memory.graph().find(term(memory, text)).value();
}

}  // namespace engram::core::samples
