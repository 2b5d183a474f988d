// SPDX-License-Identifier: MIT
// A vector of which most is 0, so that what few numbers say costs no more than these.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/numbers/lazy.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// n numbers, held as those that were given, or as a whole. Who reads it as a Vector pays for all n, once.
class SparseVector {
 public:
  using Entry = std::pair<std::uint32_t, double>;  // index, value

  SparseVector() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a vector is one
  SparseVector(Vector whole) : size_(whole.size()), is_whole_(true), numbers_(std::move(whole)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  template <class Derived>
  SparseVector(const Eigen::MatrixBase<Derived>& whole) : SparseVector(Vector(whole)) {}
  /// All 0 but for the entries.  Errors  std::invalid_argument unless their indices ascend below `size`
  SparseVector(Index size, std::vector<Entry> entries);
  /// All 0.
  static SparseVector zero(Index size) { return {size, {}}; }

  Index size() const { return size_; }
  /// Cost  O(log entries)
  double operator[](Index i) const;
  /// visit(index, value) for each that is not 0, ascending.
  template <class Visit>
  void each(Visit visit) const {
    if (is_whole_) {
      for (Index i = 0; i < size_; ++i)
        if (numbers_[i] != 0) visit(static_cast<std::uint32_t>(i), numbers_[i]);
    } else {
      for (const auto& [i, x] : entries_)
        if (x != 0) visit(i, x);
    }
  }
  /// How many numbers are held: what it costs to look at each.
  std::size_t held() const { return is_whole_ ? static_cast<std::size_t>(size_) : entries_.size(); }
  bool any_above_zero() const;
  /// Of those that are not 0, as of the whole to the last bit.  Cost  O(held)
  double sum() const;
  /// The inner product.  Cost  O(held) of both
  double dot(const SparseVector& other) const;
  /// The largest; -infinity for none.
  double max() const;
  /// All n.  Cost  O(n) the first time
  const Vector& whole() const;
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const Vector&() const { return whole(); }

  SparseVector operator*(double factor) const {
    return mapped([&](double x) { return x * factor; });
  }
  SparseVector operator/(double divisor) const {
    return mapped([&](double x) { return x / divisor; });
  }
  /// Each number, or 0 where it is less.
  SparseVector at_least_zero() const {
    return mapped([](double x) { return x > 0 ? x : 0.0; });
  }
  friend bool operator==(const SparseVector& a, const SparseVector& b) {
    return a.size_ == b.size_ && a.whole() == b.whole();
  }

 private:
  template <class Function>  // that leaves 0 as it is
  SparseVector mapped(Function function) const {
    SparseVector result = *this;
    for (double& x : result.numbers_) x = function(x);
    for (auto& [i, x] : result.entries_) x = function(x);
    return result;
  }

  Index size_ = 0;
  bool is_whole_ = false;
  Vector numbers_;              // of a whole
  std::vector<Entry> entries_;  // of others, ascending
  Lazy<Vector> made_;
};

/// The same, called as those of a Vector are (core/numbers/numeric.hpp); templates, lest they compete for what
/// can become either.
template <std::same_as<SparseVector> V>
double sum(const V& v) {
  return v.sum();
}
template <std::same_as<SparseVector> V>
double dot(const V& a, const V& b) {
  return a.dot(b);
}
template <std::same_as<SparseVector> V>
double max(const V& v) {
  return v.max();
}

}  // namespace engram::core
