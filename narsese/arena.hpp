// SPDX-License-Identifier: MIT
// Memory that is handed out and given back like a stack, addressed by 32-bit numbers: an index that holds
// numbers instead of pointers is half as large.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "narsese/large_allocator.hpp"
#include "narsese/poison.hpp"

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
  /// Errors  std::length_error, and nothing has changed, if for it more than `room` bytes would be reserved
  std::uint32_t allocate(std::size_t bytes, std::size_t room = std::numeric_limits<std::size_t>::max()) {
    const std::size_t units = (bytes + unit_bytes - 1) / unit_bytes;
    const std::size_t left_of_line = line_units - next_ % line_units;
    if (units > left_of_line && units <= line_units) next_ += left_of_line;
    if (units > end_ - next_) add_chunks(units, room);
    const auto number = static_cast<std::uint32_t>(next_);
    next_ += units;
    unpoison(at(number), std::max(units * unit_bytes, readable));
    return number;
  }

  /// A moment: how far memory was handed out then.
  struct Mark {
    std::uint64_t next = 0, end = 0;
    std::size_t blocks = 0;
  };
  Mark mark() const { return {next_, end_, blocks_.size()}; }
  /// Takes back all that was handed out since. One block is kept, for who goes back and forth over its edge.
  void go_back(const Mark& mark) {
    while (blocks_.size() > mark.blocks) {
      spare_ = std::move(blocks_.back());
      poison(spare_.get(), bytes_of(spare_));
      blocks_.pop_back();
    }
    chunks_.resize(mark.end / chunk_units);
    next_ = mark.next;
    end_ = mark.end;
    // The last piece may still be read as if it were longer.
    const std::uint64_t from = std::min(next_ + readable / unit_bytes, end_);
    if (from < end_) poison(at(static_cast<std::uint32_t>(from)), unit_bytes * (end_ - from));
  }

  void* at(std::uint32_t number) const {
    return chunks_[number / chunk_units] + unit_bytes * (number % chunk_units);
  }

  /// Bytes handed out, with what was left unused at the ends of lines and chunks.
  std::size_t bytes() const { return unit_bytes * static_cast<std::size_t>(next_); }
  /// Bytes taken from the system for it.
  std::size_t reserved() const { return unit_bytes * static_cast<std::size_t>(end_) + bytes_of(spare_); }
  /// What that is at most once pieces of so many bytes in all were handed out, `pieces` of them.
  std::size_t reserved_with(std::size_t bytes, std::size_t pieces = 1) const {
    // A piece of up to a line may leave as much unused before it.
    const std::size_t units = 2 * (bytes / unit_bytes + pieces);
    if (pieces == 0 || units <= end_ - next_) return reserved();
    const std::size_t chunks =
        (units + readable / unit_bytes) / chunk_units + 1 + std::min(chunks_.size(), most_chunks);
    return reserved() + chunks * chunk_units * unit_bytes + readable;
  }

 private:
  static constexpr std::size_t line_units = cache_line / unit_bytes;
  static constexpr std::size_t chunk_units = 1 << 13;
  static constexpr std::size_t most_chunks = 256;  // 16 MiB
  static constexpr std::uint64_t max_units = std::uint64_t{1} << 32;

  // A block holds whole chunks, one after the other: as many as there are already, within bounds, or as a
  // large piece needs. What is left of the last chunk stays unused.
  void add_chunks(std::size_t units, std::size_t room) {
    const std::size_t in_front = end_ == 0 ? readable / unit_bytes : 0;
    const std::size_t needed = (in_front + units + chunk_units - 1) / chunk_units;
    const std::size_t chunks = std::max(needed, std::min(chunks_.size(), most_chunks));
    if (end_ + chunks * chunk_units > max_units) throw std::length_error("an arena must hold at most 32 GiB");
    const std::size_t bytes = chunks * chunk_units * unit_bytes + readable;
    if (bytes_of(spare_) != bytes) spare_.reset();
    if (!spare_ && (bytes > room || reserved() > room - bytes))
      throw std::length_error("the arena must stay within its limit of bytes");
    blocks_.reserve(blocks_.size() + 1);
    chunks_.reserve(std::max(chunks_.size() + chunks, 2 * chunks_.size()));
    blocks_.push_back(spare_ ? std::move(spare_)
                             : Block(LargeAllocator<std::byte>().allocate(bytes), Free{bytes}));
    for (std::size_t i = 0; i < chunks; ++i)
      chunks_.push_back(blocks_.back().get() + i * chunk_units * unit_bytes);
    next_ = end_;
    if (end_ == 0) {
      unpoison(chunks_.front(), readable);
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
  static std::size_t bytes_of(const Block& block) { return block ? block.get_deleter().bytes : 0; }

  std::vector<Block> blocks_;
  Block spare_{nullptr, Free{0}};
  std::vector<std::byte*> chunks_;
  std::uint64_t next_ = 0, end_ = 0;
};

}  // namespace engram::narsese
