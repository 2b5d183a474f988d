// SPDX-License-Identifier: MIT
// The vectors and matrices of core, and the letters its formulas use:
//   n concepts, p statements (one sparse row of the episode matrix A each), k patterns or keys, d dimensions.
// A row is an item: patterns, keys and values are (k, d), embeddings of concepts (n, d), A is (p, n).
// Eigen holds the numbers; sums that reach a result are taken in the fixed order of core/numbers/numeric.hpp.
#pragma once

#include <Eigen/Core>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace engram::core {

/// Double precision.
using Vector = Eigen::VectorXd;
/// Double precision, row by row.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// Signed, as Eigen has it.
using Index = Eigen::Index;

/// Its numbers, without a copy.
inline std::span<const double> as_span(const Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
/// The numbers of a row, without a copy.
inline std::span<const double> row_span(const Matrix& m, Index row) {
  return {m.data() + row * m.cols(), static_cast<std::size_t>(m.cols())};
}

/// Throws std::invalid_argument naming both sizes unless they are equal.
inline void require_size(const char* what, Index found, Index expected) {
  if (found != expected)
    throw std::invalid_argument(std::string(what) + " has size " + std::to_string(found) + ", expected " +
                                std::to_string(expected));
}

/// Throws std::invalid_argument unless the condition, worded in `rule`, holds.
inline void require(bool holds, const char* rule) {
  if (!holds) throw std::invalid_argument(rule);
}

/// Throws std::invalid_argument: "RULE, found NUMBER".
[[noreturn]] void refuse(const char* rule, double found);

/// The same of a number, which the message tells: "beta must be above 0, found -1".
template <class Number>
requires std::is_arithmetic_v<Number>
void require(bool holds, const char* rule, Number found) {
  if (!holds) refuse(rule, static_cast<double>(found));
}

/// Throws std::invalid_argument: "WHAT must be finite and above 0, found NUMBER" unless it is.
void require_positive(const char* what, double number);

}  // namespace engram::core
