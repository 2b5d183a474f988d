// SPDX-License-Identifier: MIT
// What containers take, and what they will have taken once they have grown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "narsese/hash_index.hpp"

namespace engram::core {

/// Bytes that it has taken, room to grow included.
template <class T, class Allocator>
std::size_t bytes_of(const std::vector<T, Allocator>& items) {
  return items.capacity() * sizeof(T);
}

/// The capacity of a vector to which so many more are appended, one at a time: it doubles.
template <class T>
std::size_t grown_capacity(const std::vector<T>& items, std::size_t more) {
  std::size_t capacity = items.capacity();
  while (capacity < items.size() + more) capacity = std::max<std::size_t>(1, 2 * capacity);
  return capacity;
}

/// Sums up what several containers come to that grow one after the other.
class Growth {
 public:
  /// What does not grow, or is known to come to this.
  void add(std::size_t bytes) { bytes_ += bytes; }
  /// What a vector comes to with so many more, while it grows.
  template <class T>
  void add(const std::vector<T>& items, std::size_t more) {
    add(bytes_of(items), grown_capacity(items, more) * sizeof(T));
  }
  void add(const narsese::HashIndex& index, std::size_t more) { add(index.bytes(), index.bytes_with(more)); }
  void add(std::size_t now, std::size_t then) {
    bytes_ += then;
    // While it is copied the half stands beside the whole.
    if (then > now) beside_ = std::max(beside_, then / 2);
  }

  /// The most that they take at a time until all have grown.
  std::size_t bytes() const { return bytes_ + beside_; }

 private:
  std::size_t bytes_ = 0, beside_ = 0;
};

}  // namespace engram::core
