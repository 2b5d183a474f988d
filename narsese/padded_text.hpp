// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace engram::narsese {

/// Copies of texts, with NUL bytes behind each, which no text holds: looking ahead needs no check of the end,
/// and what is short can be read as if it were long.
class PaddedText {
 public:
  static constexpr std::size_t padding = 32;

  /// Forgets all, and makes room for so many texts of so many bytes together.
  void restart(std::size_t bytes, std::size_t texts = 1) {
    const std::size_t room = bytes + texts * padding;
    if (bytes_.size() < room) bytes_.resize(2 * room);
    end_ = bytes_.data();
  }
  /// A text of that size, for the caller to fill.
  char* add(std::size_t size) {
    char* const text = end_;
    std::memset(text + size, 0, padding);
    end_ += size + padding;
    return text;
  }

 private:
  std::vector<char> bytes_;
  char* end_ = nullptr;
};

}  // namespace engram::narsese
