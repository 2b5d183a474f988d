// SPDX-License-Identifier: MIT
// Numbers for the terms of events, and tables indexed by them. The number of terms is bounded, for any stream of names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engram::core {

/// The number of an event's term.
using EventKind = std::uint32_t;

/// Bounded table of terms by number. A full table evicts the least recently named third and reuses its numbers.
class EventKinds {
 public:
  static constexpr EventKind none = 0xFFFFFFFF;

  /// Errors  std::invalid_argument unless capacity is in [16, 2^24]
  explicit EventKinds(std::size_t capacity);

  /// The term's number; a new one for a new term. If that evicts kinds, calls `evicted` once with these kinds,
  /// ascending. The callback must remove all data about them.
  /// Cost    O(length); O(capacity) with eviction, once in capacity / 3 new terms
  /// Errors  std::length_error if the table is full and all its kinds are pinned
  EventKind intern(std::string_view term, const std::function<void(const std::vector<EventKind>&)>& evicted);
  /// The term's number, or none.
  EventKind find(std::string_view term) const;
  /// The term of a known number.
  std::string_view term(EventKind kind) const { return *terms_[kind].text; }
  /// Protects a kind from eviction, or ends the protection.
  void pin(EventKind kind, bool pinned) { terms_[kind].pinned = pinned; }
  /// The number of known terms.
  std::size_t size() const { return numbers_.size(); }
  /// Bytes of the terms and the table.
  std::size_t bytes() const { return text_bytes_ + numbers_.size() * sizeof(Named); }

 private:
  struct Named {
    const std::string* text = nullptr;  // the key in the table, or null for a free number
    std::uint64_t last = 0;             // clock when the term was last named
    bool pinned = false;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::vector<EventKind> evict();

  std::size_t capacity_;
  std::uint64_t clock_ = 0;
  std::unordered_map<std::string, EventKind, Hash, std::equal_to<>> numbers_;  // never iterated
  std::vector<Named> terms_;
  std::vector<EventKind> free_;
  std::size_t text_bytes_ = 0;
};

/// A row of `width` numbers for each kind, initially all 0.
class KindRows {
 public:
  explicit KindRows(std::size_t width = 1) : width_(width) {}

  /// The row, or null if it is not allocated yet.
  const double* find(EventKind kind) const {
    return (kind + std::size_t{1}) * width_ <= values_.size() ? values_.data() + kind * width_ : nullptr;
  }
  /// The row, writable until the next call.
  double* at(EventKind kind) {
    if (find(kind) == nullptr) values_.resize((kind + std::size_t{1}) * width_);
    return values_.data() + kind * width_;
  }
  /// Sets the rows of these kinds to 0.
  void forget(std::span<const EventKind> kinds) {
    for (const EventKind kind : kinds)
      if (find(kind) != nullptr) std::fill_n(at(kind), width_, 0.0);
  }
  /// The number of allocated rows.
  std::size_t size() const { return values_.size() / width_; }
  std::size_t bytes() const { return values_.capacity() * sizeof(double); }

 private:
  std::size_t width_;
  std::vector<double> values_;
};

}  // namespace engram::core
