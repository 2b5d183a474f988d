// SPDX-License-Identifier: MIT
// Many rows that grow at their ends, each in one piece.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "core/numbers/chunked_vector.hpp"
#include "narsese/arena.hpp"

namespace engram::core {

/// Rows of T. A row's piece holds a power of two of items; what it outgrows goes to the next row that needs as
/// much, so that no row is ever copied but to its own double.
/// Cost  8 bytes a row, and at most twice its items; an item is moved once on average. At most 32 GiB
template <class T>
requires std::is_trivially_copyable_v<T>
class GrowingRows {
 public:
  std::size_t size() const { return rows_.size(); }
  std::size_t items() const { return items_; }
  std::span<const T> operator[](std::size_t row) const {
    const Row& r = rows_[row];
    return r.size == 0 ? std::span<const T>() : std::span<const T>(at(r.piece), r.size);
  }
  std::span<T> operator[](std::size_t row) {
    const Row& r = rows_[row];
    return r.size == 0 ? std::span<T>() : std::span<T>(at(r.piece), r.size);
  }
  /// Makes room for so many rows; new ones are empty.
  void resize(std::size_t rows) {
    while (rows_.size() < rows) rows_.push_back({});
  }
  void push(std::size_t row, const T& item) {
    Row& r = rows_[row];
    if (r.size == 0 || (r.size >= least && std::has_single_bit(r.size))) grow(r);
    new (at(r.piece) + r.size) T(item);
    ++r.size;
    ++items_;
  }
  /// What all this takes.
  std::size_t bytes() const { return rows_.bytes() + arena_.reserved() + free_bytes_; }
  /// What that is at most while so many items more are pushed to a row that has `before`: see Growth.
  struct Growth {
    std::size_t bytes = 0, pieces = 0;
    void add(std::size_t before, std::size_t more) {
      if (more == 0) return;
      const std::size_t most = std::max<std::size_t>(2 * (before + more), least + 1);
      for (std::size_t items = before == 0 ? least : std::bit_ceil(before); items < most; items *= 2) {
        bytes += items * sizeof(T);
        ++pieces;
      }
    }
  };
  std::size_t bytes_with(std::size_t more_rows, const Growth& growth) const {
    // Of free pieces each one that is outgrown is one more, and a list of them may double.
    return rows_.bytes_with(more_rows) + arena_.reserved_with(growth.bytes, growth.pieces) + 3 * free_bytes_ +
           growth.pieces * 16;
  }

 private:
  // The smallest piece: a unit of the arena, or an item.
  static constexpr std::uint32_t least =
      sizeof(T) >= narsese::Arena::unit_bytes
          ? 1
          : static_cast<std::uint32_t>(narsese::Arena::unit_bytes / sizeof(T));
  static_assert(std::has_single_bit(least) && alignof(T) <= narsese::Arena::unit_bytes);
  struct Row {
    std::uint32_t piece = 0, size = 0;
  };

  T* at(std::uint32_t piece) const { return static_cast<T*>(arena_.at(piece)); }

  void grow(Row& row) {
    const std::uint32_t items = row.size == 0 ? least : 2 * row.size;
    auto& pieces = free_[static_cast<std::size_t>(std::countr_zero(items))];
    std::uint32_t piece = 0;
    if (pieces.empty()) {
      piece = arena_.allocate(items * sizeof(T));
    } else {
      piece = pieces.back();
      pieces.pop_back();
    }
    if (row.size > 0) {
      std::memcpy(static_cast<void*>(at(piece)), at(row.piece), row.size * sizeof(T));
      auto& outgrown = free_[static_cast<std::size_t>(std::countr_zero(row.size))];
      const std::size_t before = outgrown.capacity();
      outgrown.push_back(row.piece);
      free_bytes_ += (outgrown.capacity() - before) * sizeof(std::uint32_t);
    }
    row.piece = piece;
  }

  ChunkedVector<Row> rows_;
  narsese::Arena arena_;
  std::vector<std::uint32_t> free_[32];  // pieces, by the logarithm of their items
  std::size_t free_bytes_ = 0, items_ = 0;
};

}  // namespace engram::core
