// SPDX-License-Identifier: MIT
// Memory that is handed out and given back like a stack, addressed by 32-bit numbers: an index that holds
// numbers instead of pointers is half as large.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "narsese/poison.hpp"
#include "narsese/shared_pieces.hpp"

namespace engram::narsese {

/// Hands out memory in units of 8 bytes, from chunks of 64 KiB: the address of a number costs one look into
/// their list, and what is handed out never moves. No piece has number 0, where `readable` zeros stand once
/// there is one: so it can be looked at as the others are, without asking whether it is none. At most 2^32
/// units (32 GiB). A piece that fits one line of the cache lies on one: looking at it waits for memory once.
/// From the start of every piece `readable` bytes may be read, and written as long as it is the last one:
/// short pieces can be handled as if they were of one size.
/// A copy has the same memory: numbers and addresses of what was handed out before are good in both, and neither
/// may write there any more. What is handed out since is each one's own.
class Arena {
 public:
  static constexpr std::size_t unit_bytes = 8;
  static constexpr std::size_t readable = 64;

  Arena() = default;
  /// Cost  a look at each block and chunk
  Arena(const Arena& other)
      : blocks_(other.blocks_),
        chunks_(other.chunks_),
        inherited_chunks_(other.chunks_.size()),
        next_(other.end_),
        end_(other.end_),
        shared_(other.end_) {
    // The copy begins a block of its own; the original goes on behind what the copy may read.
    if (other.next_ != other.shared_)
      other.next_ = other.shared_ = std::min(other.next_ + readable / unit_bytes, other.end_);
  }
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena other) noexcept {
    swap(other);
    return *this;
  }
  ~Arena() = default;

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
  /// Takes back all that was handed out since, but for what a copy has. One block is kept, for who goes back and
  /// forth over its edge.
  void go_back(const Mark& mark) {
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
    // The last piece may still be read as if it were longer.
    const std::uint64_t from = std::min(next_ + readable / unit_bytes, end_);
    if (from < end_) poison(at(static_cast<std::uint32_t>(from)), unit_bytes * (end_ - from));
  }

  /// The place of a piece, by its number.
  void* at(std::uint32_t number) const {
    return chunks_[number / chunk_units] + unit_bytes * (number % chunk_units);
  }

  /// Bytes handed out, with what was left unused at the ends of lines and chunks.
  std::size_t bytes() const { return unit_bytes * static_cast<std::size_t>(next_); }
  /// Whether a copy has some of it, too.
  bool is_shared() const {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_.is_shared(i)) return true;
    return false;
  }
  /// Bytes taken from the system for it, shared or not.
  std::size_t reserved() const { return unit_bytes * static_cast<std::size_t>(end_) + spare_bytes(); }
  /// What that is at most once pieces of so many bytes in all were handed out, `pieces` of them.
  std::size_t reserved_with(std::size_t bytes, std::size_t pieces = 1) const {
    // A piece of up to a line may leave as much unused before it.
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

  // A block holds whole chunks, one after the other: as many as there are already that are no copy's, within
  // bounds, or as a large piece needs. What is left of the last chunk stays unused.
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

  SharedPieces<std::byte> blocks_, spare_;  // at most one to spare
  std::vector<std::byte*> chunks_;
  std::size_t inherited_chunks_ = 0;  // those that a copy began with
  mutable std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
  mutable std::uint64_t shared_ = 0;  // what copies may read ends before
};

}  // namespace engram::narsese
