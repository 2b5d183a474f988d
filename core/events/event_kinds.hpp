// SPDX-License-Identifier: MIT
// Numbers for the terms of events, and tables indexed by them. A kind of event is a distinct term. The number of kinds
// is bounded, however many terms a stream has.
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

/// The kind of an event: the number of its term in EventKinds.
using EventKind = std::uint32_t;

/// Bounded table that gives each term a number. A full table evicts the third of the terms that were least recently
/// named, and reuses their numbers.
class EventKinds {
 public:
  static constexpr EventKind none = 0xFFFFFFFF;

  /// Errors  std::invalid_argument unless capacity is in [16, 2^24]
  explicit EventKinds(std::size_t capacity);

  /// Returns the number of a term, and assigns one to a new term. If the table is full, kinds are evicted first, and
  /// `evicted` is called once with them, ascending. The callback must remove all data about these kinds.
  /// Cost    O(length); O(capacity) with eviction, once in capacity / 3 new terms
  /// Errors  std::length_error if the table is full and all its kinds are pinned
  EventKind intern(std::string_view term, const std::function<void(const std::vector<EventKind>&)>& evicted);
  /// Returns the number of a term, or `none` for an unknown term.
  EventKind find(std::string_view term) const;
  /// The term with a known number.
  std::string_view term(EventKind kind) const { return *terms_[kind].text; }
  /// Protects a kind from eviction, or ends the protection. Use it for goals, which must keep their numbers.
  void pin(EventKind kind, bool pinned) { terms_[kind].pinned = pinned; }
  /// The number of known terms.
  std::size_t size() const { return numbers_.size(); }
  /// Approximate bytes of the terms and the table.
  std::size_t bytes() const { return text_bytes_ + numbers_.size() * sizeof(Named); }

 private:
  struct Named {
    const std::string* text = nullptr;  // the term (the key in numbers_), or null for a free number
    std::uint64_t last = 0;             // value of clock_ when the term was last named
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

/// Table of numbers by kind: a row of `width` numbers for each kind, initially all 0.
class KindRows {
 public:
  explicit KindRows(std::size_t width = 1) : width_(width) {}

  /// The row of a kind, or null if it is not allocated yet, so all its numbers are 0.
  const double* find(EventKind kind) const {
    return (kind + std::size_t{1}) * width_ <= values_.size() ? values_.data() + kind * width_ : nullptr;
  }
  /// The row of a kind for writing, allocated if necessary. Valid until the next call.
  double* at(EventKind kind) {
    if (find(kind) == nullptr) values_.resize((kind + std::size_t{1}) * width_);
    return values_.data() + kind * width_;
  }
  /// Sets the rows of these kinds to 0. Call it when EventKinds evicts them.
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
