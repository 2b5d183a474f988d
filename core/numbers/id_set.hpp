// SPDX-License-Identifier: MIT
// Sets of small numbers, a bit each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace engram::core {

/// A set of numbers below `bound`, told in their order.  Cost  bound / 8 bytes
class IdSet {
 public:
  explicit IdSet(std::size_t bound) : words_((bound + 63) / 64) {}

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }
  bool contains(std::uint32_t id) const { return (words_[id / 64] >> (id % 64) & 1) != 0; }
  /// Whether it is new.
  bool insert(std::uint32_t id) {
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    const bool is_new = (words_[id / 64] & bit) == 0;
    words_[id / 64] |= bit;
    size_ += static_cast<std::size_t>(is_new);
    return is_new;
  }
  /// Tells all of them, ascending, and leaves none.
  template <class Visit>
  void take_all(const Visit& visit) {
    size_ = 0;
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = std::exchange(words_[w], 0); word != 0; word &= word - 1)
        visit(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(word)));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace engram::core
