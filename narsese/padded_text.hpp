// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace engram::narsese {

/// A copy of a text, with NUL bytes behind it, which no text holds: looking ahead needs no check of its end,
/// and what is short can be read as if it were long.
class PaddedText {
 public:
  static constexpr std::size_t padding = 32;

  /// Room for a text of that size, for the caller to fill.
  char* restart(std::size_t size) {
    if (bytes_.size() < size + padding) bytes_.resize(2 * size + padding);
    size_ = size;
    std::memset(bytes_.data() + size, 0, padding);
    return bytes_.data();
  }

  const char* data() const { return bytes_.data(); }
  std::size_t size() const { return size_; }

 private:
  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

}  // namespace engram::narsese
