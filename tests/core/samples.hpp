// SPDX-License-Identifier: MIT
// Shared by the tests of core: Catch2 and the standard headers that most of them need, seeded random inputs, a distance
// that is infinite for NaN, and functions that parse sentences into a memory.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/single_precision/float_store.hpp"
#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

/// Checks that the expression throws std::invalid_argument.
#define CHECK_INVALID(...) CHECK_THROWS_AS((__VA_ARGS__), std::invalid_argument)

namespace engram::core::samples {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::array instruction_sets{Instructions::portable, Instructions::avx2, Instructions::avx512,
                                             Instructions::best};
inline constexpr std::array precisions{Precision::float32, Precision::bf16};

/// The instruction sets that this processor supports.
inline std::vector<Instructions> available_instructions() {
  std::vector<Instructions> all;
  std::ranges::copy_if(instruction_sets, std::back_inserter(all),
                       [](Instructions set) { return available(set); });
  return all;
}

/// A random index in [0, n).
inline Index below(Rng& rng, Index n) { return static_cast<Index>(rng.below(static_cast<std::uint64_t>(n))); }

inline double uniform(Rng& rng, double least, double most) { return least + (most - least) * rng.uniform(); }

/// Approximately standard normal: the sum of twelve uniform numbers minus its mean.
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

/// Uniform entries in [-1, 1). Use it instead of normal_matrix() for large matrices, because it is faster.
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

/// Random entries +1 or -1.
inline Matrix spins(Rng& rng, Index rows, Index columns) {
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) m(i, j) = rng.below(2) == 0 ? -1.0 : 1.0;
  return m;
}

inline Vector spin_state(Rng& rng, Index n) { return spins(rng, 1, n).row(0).transpose(); }

/// A symmetric matrix of approximately normal entries with a zero diagonal.
inline Matrix couplings(Rng& rng, Index n) {
  const Matrix m = normal_matrix(rng, n, n);
  Matrix weights = 0.5 * (m + m.transpose());
  weights.diagonal().setZero();
  return weights;
}

/// The nonzero entries of `m`, row by row.
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

/// The largest absolute difference. Infinity if the shapes differ or an entry is NaN.
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

/// The derivative of f() with respect to `x`, by central differences. Leaves `x` unchanged.
template <class Function>
double slope(double& x, Function f) {
  const double at = x, h = 1e-5;
  x = at + h;
  const double up = f();
  x = at - h;
  const double down = f();
  x = at;
  return (up - down) / (2 * h);
}

/// Whether no energy exceeds the one before by more than the tolerance.
inline bool never_rises(const std::vector<double>& energies, double tolerance) {
  return std::ranges::adjacent_find(energies, [&](double before, double after) {
           return !(after <= before + tolerance);
         }) == energies.end();
}

/// Whether each energy is below the one before.
inline bool falls(const std::vector<double>& energies) {
  return std::ranges::adjacent_find(
             energies, [](double before, double after) { return !(after < before); }) == energies.end();
}

/// Pearson's statistic: sum (observed - expected)^2 / expected.
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

/// Default options of a memory, but with this decay of evidence per cycle.
inline MemoryOptions with_decay(double decay) {
  MemoryOptions options;
  options.decay = decay;
  return options;
}

/// Default options of a memory, but with these limits.
inline MemoryOptions with_limits(const MemoryLimits& limits) {
  MemoryOptions options;
  options.limits = limits;
  return options;
}

/// Default options of a memory, but with a learner if there is a rule.
inline MemoryOptions with_rule(const std::optional<LinkLearning>& rule) {
  MemoryOptions options;
  options.learning = rule;
  return options;
}

/// Adds a judgement or goal to the memory. Throws if the memory rejects it.
inline StatementId say(Memory& memory, std::string_view line) {
  const auto accepted = memory.accept(sentence(memory, line));
  if (!accepted) throw std::runtime_error(std::string(line) + ": " + accepted.error());
  return accepted.value().value();
}

/// A memory with these sentences.
inline Memory told(const std::vector<std::string>& lines, MemoryOptions options = {}) {
  Memory memory(options);
  for (const auto& line : lines) say(memory, line);
  return memory;
}

inline ConceptId concept_of(Memory& memory, std::string_view text) {
  return memory.graph().find(term(memory, text)).value();
}

}  // namespace engram::core::samples
