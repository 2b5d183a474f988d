// SPDX-License-Identifier: MIT
// Memory that only grows, addressed by 32-bit numbers: an index that holds numbers instead of pointers is
// half as large.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

namespace engram::narsese {

/// Hands out memory in units of 8 bytes. Chunk k holds the units numbered from 2^k to 2^(k+1), so the address
/// of a number costs a bit scan and an addition, and what is handed out never moves. At most 2^32 units (32
/// GiB). From the start of every piece `readable` bytes may be read, and written as long as it is the last
/// one: short pieces can be handled as if they were of one size.
class Arena {
 public:
  static constexpr std::size_t unit_bytes = 8;
  static constexpr std::size_t readable = 64;

  Arena() = default;
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Arena() {
    for (std::byte* chunk : chunks_) ::operator delete(chunk);
  }

  /// The number of a fresh piece of memory, aligned to 8 bytes.
  std::uint32_t allocate(std::size_t bytes) {
    const std::size_t units = (bytes + unit_bytes - 1) / unit_bytes;
    auto chunk = static_cast<std::size_t>(std::bit_width(next_)) - 1;
    if (next_ + units > std::uint64_t{2} << chunk) {  // the rest of a chunk stays unused
      do ++chunk;
      while (std::uint64_t{1} << chunk < units);
      next_ = std::uint64_t{1} << chunk;
    }
    if (chunk >= chunks_.size()) throw std::length_error("an arena holds at most 32 GiB");
    if (chunks_[chunk] == nullptr)
      chunks_[chunk] = static_cast<std::byte*>(::operator new((unit_bytes << chunk) + readable));
    const auto number = static_cast<std::uint32_t>(next_);
    next_ += units;
    return number;
  }

  void* at(std::uint32_t number) const {
    const auto chunk = static_cast<std::size_t>(std::bit_width(number)) - 1;
    return chunks_[chunk] + unit_bytes * (number - (std::uint32_t{1} << chunk));
  }

  /// Bytes handed out, with what was left unused at the ends of chunks.
  std::size_t bytes() const { return unit_bytes * static_cast<std::size_t>(next_ - first); }

 private:
  static constexpr std::uint64_t first = 512;  // 4 KiB to begin with

  void swap(Arena& other) noexcept {
    std::swap(chunks_, other.chunks_);
    std::swap(next_, other.next_);
  }

  std::array<std::byte*, 32> chunks_{};
  std::uint64_t next_ = first;
};

}  // namespace engram::narsese
