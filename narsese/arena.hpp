// SPDX-License-Identifier: MIT
// An arena: memory handed out like a stack and addressed by 32-bit numbers, which take half the room of pointers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define ENGRAM_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ENGRAM_WATCHED 1
#endif
#endif

#ifdef ENGRAM_WATCHED
#include <sanitizer/asan_interface.h>
#endif

#include "narsese/shared_pieces.hpp"

namespace engram::narsese {

// Mark memory that must not be read, and memory that may be, for AddressSanitizer.
#ifdef ENGRAM_WATCHED
inline void poison(const void* memory, std::size_t bytes) { __asan_poison_memory_region(memory, bytes); }
inline void unpoison(const void* memory, std::size_t bytes) { __asan_unpoison_memory_region(memory, bytes); }
#else
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
#endif

/// Hands out memory in units of 8 bytes from chunks of 64 KiB, at most 2^32 units (32 GiB). Translating a number into
/// an address takes one look-up in the list of chunks. Allocated memory never moves.
///
/// A piece that fits into one cache line never crosses a line boundary, so reading it costs at most one cache miss.
/// Number 0 is not a piece: `readable` zero bytes are there once anything was allocated, so callers can read it
/// without a check. At least `readable` bytes after the start of a piece may be read. The last piece may also be
/// written beyond its size by that much. Therefore short pieces can be copied as if they had one size.
///
/// A copy shares the memory: earlier numbers and addresses stay valid in both arenas, and neither may write there any
/// more. Later pieces belong to the arena that allocated them.
class Arena {
 public:
  static constexpr std::size_t unit_bytes = 8;
  static constexpr std::size_t readable = 64;

  Arena() = default;
  /// Cost     O(blocks and chunks)
  Arena(const Arena& other)
      : blocks_(other.blocks_),
        chunks_(other.chunks_),
        inherited_chunks_(other.chunks_.size()),
        next_(other.end_),
        end_(other.end_),
        shared_(other.end_) {
    // The copy begins a new block. The original continues behind the bytes that the copy may read.
    if (other.next_ != other.shared_)
      other.next_ = other.shared_ = std::min(other.next_ + readable / unit_bytes, other.end_);
  }
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena other) noexcept {
    swap(other);
    return *this;
  }
  ~Arena() = default;

  /// Allocates a piece of memory, aligned to 8 bytes, and returns its number.
  /// Errors   std::length_error if the piece would need more than `room` reserved bytes; the arena is then unchanged
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

  /// A position for rewind(): how much was allocated when mark() was called.
  struct Mark {
    std::uint64_t next = 0, end = 0;
    std::size_t blocks = 0;
  };
  Mark mark() const { return {next_, end_, blocks_.size()}; }
  /// Frees everything allocated since mark() returned `mark`, except what copies share. One block stays reserved, so
  /// alternating across its boundary does not allocate each time.
  void rewind(const Mark& mark) {
    while (blocks_.size() > mark.blocks) {
      const std::size_t last = blocks_.size() - 1;
      if (blocks_.is_shared(last)) {
        blocks_.resize(last);
        continue;
      }
      spare_.resize(0);
      spare_.take_from(blocks_);
      poison(spare_[0], spare_.items(0));
    }
    chunks_.resize(mark.end / chunk_units);
    end_ = mark.end;
    shared_ = std::min(shared_, end_);
    next_ = std::max(mark.next, shared_);
    // The last piece must stay readable for `readable` bytes.
    const std::uint64_t from = std::min(next_ + readable / unit_bytes, end_);
    if (from < end_) poison(at(static_cast<std::uint32_t>(from)), unit_bytes * (end_ - from));
  }

  /// Returns the address of the piece with this number.
  void* at(std::uint32_t number) const {
    return chunks_[number / chunk_units] + unit_bytes * (number % chunk_units);
  }

  /// Allocated bytes, including the padding at the ends of cache lines and chunks.
  std::size_t bytes() const { return unit_bytes * static_cast<std::size_t>(next_); }
  /// Whether the arena shares a block of memory with a copy.
  bool is_shared() const {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_.is_shared(i)) return true;
    return false;
  }
  /// Bytes reserved from the system, shared blocks included.
  std::size_t reserved() const { return unit_bytes * static_cast<std::size_t>(end_) + spare_bytes(); }
  /// Upper bound on the value of reserved() after the allocation of `pieces` more pieces with `bytes` bytes in total.
  std::size_t reserved_with(std::size_t bytes, std::size_t pieces = 1) const {
    // The alignment of a piece may waste as many units as the piece has.
    const std::size_t units = 2 * (bytes / unit_bytes + pieces);
    if (pieces == 0 || units <= end_ - next_) return reserved();
    const std::size_t chunks =
        (units + readable / unit_bytes) / chunk_units + 1 + std::min(own_chunks(), most_chunks);
    return reserved() + chunks * chunk_units * unit_bytes + readable;
  }

 private:
  static constexpr std::size_t line_units = cache_line / unit_bytes;
  static constexpr std::size_t chunk_units = 1 << 13;
  static constexpr std::size_t most_chunks = 256;  // 16 MiB
  static constexpr std::uint64_t max_units = std::uint64_t{1} << 32;

  // A block has whole chunks: the number that this arena owns already (at most most_chunks), or more for a large
  // piece. The rest of the last chunk stays unused.
  void add_chunks(std::size_t units, std::size_t room) {
    const std::size_t in_front = end_ == 0 ? readable / unit_bytes : 0;
    const std::size_t needed = (in_front + units + chunk_units - 1) / chunk_units;
    const std::size_t chunks = std::max(needed, std::min(own_chunks(), most_chunks));
    if (end_ + chunks * chunk_units > max_units) throw std::length_error("an arena must hold at most 32 GiB");
    const std::size_t bytes = chunks * chunk_units * unit_bytes + readable;
    if (spare_bytes() != bytes) spare_.resize(0);
    if (spare_.empty() && (bytes > room || reserved() > room - bytes))
      throw std::length_error("the arena must stay within its limit of bytes");
    chunks_.reserve(std::max(chunks_.size() + chunks, 2 * chunks_.size()));
    if (spare_.empty()) spare_.add(1, bytes);
    blocks_.take_from(spare_);
    std::byte* const block = blocks_.writable(blocks_.size() - 1);
    for (std::size_t i = 0; i < chunks; ++i) chunks_.push_back(block + i * chunk_units * unit_bytes);
    next_ = end_;
    if (end_ == 0) {
      unpoison(chunks_.front(), readable);
      std::memset(chunks_.front(), 0, readable);
      next_ = in_front;
    }
    end_ += chunks * chunk_units;
  }

  std::size_t own_chunks() const { return chunks_.size() - inherited_chunks_; }
  std::size_t spare_bytes() const { return spare_.empty() ? 0 : spare_.items(0); }

  void swap(Arena& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(spare_, other.spare_);
    std::swap(chunks_, other.chunks_);
    std::swap(inherited_chunks_, other.inherited_chunks_);
    std::swap(next_, other.next_);
    std::swap(end_, other.end_);
    std::swap(shared_, other.shared_);
  }

  SharedPieces<std::byte> blocks_, spare_;  // spare_ has at most one block
  std::vector<std::byte*> chunks_;
  std::size_t inherited_chunks_ = 0;  // chunks that a copy started with
  mutable std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
  mutable std::uint64_t shared_ = 0;  // end of the units that copies may read
};

}  // namespace engram::narsese
