// SPDX-License-Identifier: MIT
// Memory that only grows, addressed by 32-bit numbers: an index that holds numbers instead of pointers is
// half as large.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "narsese/large_allocator.hpp"

namespace engram::narsese {

/// Hands out memory in units of 8 bytes, from chunks of 64 KiB: the address of a number costs one look into
/// their list, and what is handed out never moves. No piece has number 0, where `readable` zeros stand once
/// there is one: so it can be looked at as the others are, without asking whether it is none. At most 2^32
/// units (32 GiB). A piece that fits one line of the cache lies on one: looking at it waits for memory once.
/// From the start of every piece `readable` bytes may be read, and written as long as it is the last one:
/// short pieces can be handled as if they were of one size.
class Arena {
 public:
  static constexpr std::size_t unit_bytes = 8;
  static constexpr std::size_t readable = 64;

  /// The number of a fresh piece of memory, aligned to 8 bytes.
  std::uint32_t allocate(std::size_t bytes) {
    const std::size_t units = (bytes + unit_bytes - 1) / unit_bytes;
    const std::size_t left_of_line = line_units - next_ % line_units;
    if (units > left_of_line && units <= line_units) next_ += left_of_line;
    if (units > end_ - next_) add_chunks(units);
    const auto number = static_cast<std::uint32_t>(next_);
    next_ += units;
    return number;
  }

  void* at(std::uint32_t number) const {
    return chunks_[number / chunk_units] + unit_bytes * (number % chunk_units);
  }

  /// Bytes handed out, with what was left unused at the ends of lines and chunks.
  std::size_t bytes() const { return unit_bytes * static_cast<std::size_t>(next_); }

 private:
  static constexpr std::size_t line_units = cache_line / unit_bytes;
  static constexpr std::size_t chunk_units = 1 << 13;
  static constexpr std::size_t most_chunks = 256;  // 16 MiB
  static constexpr std::uint64_t max_units = std::uint64_t{1} << 32;

  // A block holds whole chunks, one after the other: as many as there are already, within bounds, or as a
  // large piece needs. What is left of the last chunk stays unused.
  void add_chunks(std::size_t units) {
    const std::size_t in_front = end_ == 0 ? readable / unit_bytes : 0;
    const std::size_t needed = (in_front + units + chunk_units - 1) / chunk_units;
    const std::size_t chunks = std::max(needed, std::min(chunks_.size(), most_chunks));
    if (end_ + chunks * chunk_units > max_units) throw std::length_error("an arena holds at most 32 GiB");
    const std::size_t bytes = chunks * chunk_units * unit_bytes + readable;
    blocks_.push_back(Block(LargeAllocator<std::byte>().allocate(bytes), Free{bytes}));
    for (std::size_t i = 0; i < chunks; ++i)
      chunks_.push_back(blocks_.back().get() + i * chunk_units * unit_bytes);
    next_ = end_;
    if (end_ == 0) {
      std::memset(chunks_.front(), 0, readable);
      next_ = in_front;
    }
    end_ += chunks * chunk_units;
  }

  struct Free {
    std::size_t bytes;
    void operator()(std::byte* memory) const { LargeAllocator<std::byte>().deallocate(memory, bytes); }
  };
  using Block = std::unique_ptr<std::byte, Free>;

  std::vector<Block> blocks_;
  std::vector<std::byte*> chunks_;
  std::uint64_t next_ = 0, end_ = 0;
};

}  // namespace engram::narsese
