// SPDX-License-Identifier: MIT
// Sparse vectors, and containers for a few ids of many: consecutive numbers for them, and sums by id.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/numbers/lazy.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/hash_index.hpp"

namespace engram::core {

/// A vector of n numbers, stored as entries or densely. Use it if most numbers are 0: most functions cost the number of
/// stored numbers. The first conversion to a dense Vector costs O(n); its result is cached.
class SparseVector {
 public:
  using Entry = std::pair<std::uint32_t, double>;  // index, value

  SparseVector() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): every vector is a valid value
  SparseVector(Vector whole) : size_(whole.size()), is_dense_(true), numbers_(std::move(whole)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): every vector is a valid value
  template <class Derived>
  SparseVector(const Eigen::MatrixBase<Derived>& whole) : SparseVector(Vector(whole)) {}
  /// Makes a vector with these entries; all other numbers are 0.  Errors  std::invalid_argument unless the indices
  /// ascend below `size`
  SparseVector(Index size, std::vector<Entry> entries);
  /// Returns a vector of `size` zeros.
  static SparseVector zero(Index size) { return {size, {}}; }

  Index size() const { return size_; }
  /// Returns number i.  Cost  O(log entries)
  double operator[](Index i) const;
  /// Calls visit(index, value) for each number that is not 0, by ascending index.
  template <class Visit>
  void each(Visit visit) const {
    if (is_dense_) {
      for (Index i = 0; i < size_; ++i)
        if (numbers_[i] != 0) visit(static_cast<std::uint32_t>(i), numbers_[i]);
    } else {
      for (const auto& [i, x] : entries_)
        if (x != 0) visit(i, x);
    }
  }
  /// The number of stored numbers, which is the cost of visiting all.
  std::size_t held() const { return is_dense_ ? static_cast<std::size_t>(size_) : entries_.size(); }
  bool any_above_zero() const;
  /// Sum of all numbers, with the same bits as core's sum() of the dense vector.  Cost  O(held())
  double sum() const;
  /// Inner product with another vector.  Cost  O(held() of both vectors)
  double dot(const SparseVector& other) const;
  /// The largest number; -infinity if the size is 0.
  double max() const;
  /// Returns the dense vector, which is cached.  Cost  O(n) the first time
  const Vector& whole() const;
  // NOLINTNEXTLINE(google-explicit-constructor): the conversion loses nothing
  operator const Vector&() const { return whole(); }

  SparseVector operator*(double factor) const {
    return mapped([&](double x) { return x * factor; });
  }
  SparseVector operator/(double divisor) const {
    return mapped([&](double x) { return x / divisor; });
  }
  /// Returns the vector with negative numbers replaced by 0.
  SparseVector at_least_zero() const {
    return mapped([](double x) { return x > 0 ? x : 0.0; });
  }
  friend bool operator==(const SparseVector& a, const SparseVector& b) {
    return a.size_ == b.size_ && a.whole() == b.whole();
  }

 private:
  template <class Function>  // function(0) must be 0
  SparseVector mapped(Function function) const {
    SparseVector result = *this;
    for (double& x : result.numbers_) x = function(x);
    for (auto& [i, x] : result.entries_) x = function(x);
    return result;
  }

  Index size_ = 0;
  bool is_dense_ = false;
  Vector numbers_;              // the numbers, if the vector is dense
  std::vector<Entry> entries_;  // the entries if it is not dense, by ascending index
  Lazy<Vector> dense_copy_;
};

// Overloads of the functions for Vector (core/numbers/numeric.hpp). They are templates so that a call with a type that
// converts to both vectors is not ambiguous.
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

/// Assigns the numbers 0, 1, 2, ... to ids in the order of insertion. Use it to store data about a few of many ids in
/// short vectors.
/// Cost  O(1) expected per operation; 24 reserved bytes an id
class IdNumbers {
 public:
  std::size_t size() const { return ids_.size(); }
  /// All ids, indexed by their numbers.
  const std::vector<std::uint32_t>& ids() const { return ids_; }
  /// Whether an id has a number.
  bool contains(std::uint32_t id) const { return find(id).has_value(); }
  /// Returns the number of an id, or nothing if it was not inserted.
  std::optional<std::uint32_t> find(std::uint32_t id) const {
    const std::uint32_t number =
        index_.find(narsese::mix(id), [&](std::uint32_t i) { return ids_[i] == id; });
    return number == narsese::HashIndex::none ? std::nullopt : std::optional(number);
  }
  /// Inserts an id unless it has a number. Returns its number and whether the id is new.
  std::pair<std::uint32_t, bool> insert(std::uint32_t id) {
    const std::size_t before = ids_.size();
    const std::uint32_t number = index_.find_or_insert(
        narsese::mix(id), [&](std::uint32_t i) { return ids_[i] == id; },
        [&] {
          memory_.cover(bytes_an_id * (before + 1));
          ids_.push_back(id);
          return static_cast<std::uint32_t>(before);
        });
    return {number, ids_.size() > before};
  }

 private:
  static constexpr std::size_t bytes_an_id = 24;

  GrowingReservation memory_;
  std::vector<std::uint32_t> ids_;
  narsese::HashIndex index_;
};

/// Sums of numbers by id. The numbers of an id are added in the order of the calls.
class SparseSums {
 public:
  /// Adds x to the sum of id.  Cost  O(1) amortised
  void add(std::uint32_t id, double x) {
    const auto [number, is_new] = ids_.insert(id);
    if (is_new) sums_.push_back(0);
    sums_[number] += x;
  }
  bool empty() const { return sums_.empty(); }
  double operator[](std::uint32_t id) const {
    const auto number = ids_.find(id);
    return number ? sums_[*number] : 0.0;
  }
  /// Returns the sums of all ids that were added to, by ascending id.
  std::vector<SparseVector::Entry> ascending() const {
    std::vector<SparseVector::Entry> all;
    for (std::size_t k = 0; k < sums_.size(); ++k) all.emplace_back(ids_.ids()[k], sums_[k]);
    std::ranges::sort(all);
    return all;
  }

 private:
  IdNumbers ids_;
  std::vector<double> sums_;
};

}  // namespace engram::core
