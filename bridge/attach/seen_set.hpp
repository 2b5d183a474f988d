// SPDX-License-Identifier: MIT
// Bounded set of texts that were already counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_set>

namespace engram::bridge {

/// Remembers the latest texts by the first half of their SHA-256, so every text takes the same space.
class SeenSet {
 public:
  /// A set of at most `most` texts, at least one. If it is full, it drops the oldest.
  explicit SeenSet(std::size_t most) : most_(most > 0 ? most : 1) {}

  /// Adds a text. Returns whether it is new.  Cost  O(text size) expected
  bool add(std::string_view text);

  std::size_t size() const { return order_.size(); }
  std::size_t bytes() const { return size() * bytes_each; }
  /// Bytes of one text: two copies of its digest, a list node, and its share of the hash table.
  static constexpr std::size_t bytes_each = 72;

 private:
  using Digest = std::array<std::uint64_t, 2>;
  struct Hash {
    std::size_t operator()(const Digest& digest) const { return static_cast<std::size_t>(digest[0]); }
  };

  std::size_t most_;
  std::deque<Digest> order_;
  std::unordered_set<Digest, Hash> known_;  // only for look-ups
};

}  // namespace engram::bridge
