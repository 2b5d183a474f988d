// SPDX-License-Identifier: MIT
// Vectors and matrices of core, and checks of arguments. Formulas and shapes use these letters:
//   n concepts, p statements (one sparse row of the episode matrix A each), k patterns or keys, d dimensions.
// A row is an item: patterns, keys and values are (k, d), embeddings of concepts (n, d), A is (p, n). Eigen stores the
// numbers. Sums that reach a result use the fixed order of core/numbers/numeric.hpp instead of Eigen's.
#pragma once

#include <Eigen/Core>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace engram::core {

/// Column vector of doubles.
using Vector = Eigen::VectorXd;
/// Matrix of doubles, stored row by row.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// Signed index, as Eigen uses it.
using Index = Eigen::Index;

/// Returns a view of the numbers of a vector, which must outlive it.
inline std::span<const double> as_span(const Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
/// Returns a view of the numbers of a row of a matrix, which must outlive it.
inline std::span<const double> row_span(const Matrix& m, Index row) {
  return {m.data() + row * m.cols(), static_cast<std::size_t>(m.cols())};
}

/// Throws std::invalid_argument unless the sizes are equal. The message is "WHAT has size FOUND, expected EXPECTED".
inline void require_size(const char* what, Index found, Index expected) {
  if (found != expected)
    throw std::invalid_argument(std::string(what) + " has size " + std::to_string(found) + ", expected " +
                                std::to_string(expected));
}

/// Throws std::invalid_argument with the message `rule` unless the condition holds.
inline void require(bool holds, const char* rule) {
  if (!holds) throw std::invalid_argument(rule);
}

/// Throws std::invalid_argument with the message "RULE, found NUMBER".
[[noreturn, gnu::cold]] inline void refuse(const char* rule, double found) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), found).ptr;
  throw std::invalid_argument(std::string(rule) + ", found " + std::string(digits.data(), end));
}

/// Throws std::invalid_argument unless the condition holds. The message is "RULE, found NUMBER", such as "beta must be
/// above 0, found -1".
template <class Number>
requires std::is_arithmetic_v<Number>
void require(bool holds, const char* rule, Number found) {
  if (!holds) refuse(rule, static_cast<double>(found));
}

/// Throws std::invalid_argument unless the number is finite and above 0.
inline void require_positive(const char* what, double number) {
  if (!(number > 0 && std::isfinite(number)))
    refuse((std::string(what) + " must be finite and above 0").c_str(), number);
}

}  // namespace engram::core
