// SPDX-License-Identifier: MIT
// What has happened already and shall not count twice, in room that is bounded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_set>

namespace engram::bridge {

/// Remembers the last texts that it was told, as the first half of their SHA-256: so each takes as much room.
class Once {
 public:
  /// Remembers so many, at least one: of more the first are forgotten.
  explicit Once(std::size_t most) : most_(most > 0 ? most : 1) {}

  /// Whether it is new.  Cost  O(text size) expected
  bool add(std::string_view text);

  std::size_t size() const { return order_.size(); }
  std::size_t bytes() const { return size() * bytes_each; }
  /// Of one: twice its digest, a link, and its share of a table.
  static constexpr std::size_t bytes_each = 72;

 private:
  using Digest = std::array<std::uint64_t, 2>;
  struct Hash {
    std::size_t operator()(const Digest& digest) const { return static_cast<std::size_t>(digest[0]); }
  };

  std::size_t most_;
  std::deque<Digest> order_;
  std::unordered_set<Digest, Hash> known_;  // looked up alone
};

}  // namespace engram::bridge
