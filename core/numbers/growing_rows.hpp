// SPDX-License-Identifier: MIT
// Many rows that grow at their ends, each in one piece.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/numbers/chunked_vector.hpp"
#include "core/numbers/pages.hpp"

namespace engram::core {

/// Rows of T. A row's piece holds a power of two of items; what it outgrows goes to the next row that needs as
/// much, so that no row is ever copied but to its own double.
/// A copy shares the pages of all rows. The rows that were copied go on as before, and copy a page alone before what
/// stood there is changed: what is pushed goes behind what the copy knows. The copy itself is for reading: before it
/// is changed, all of its rows are copied.
/// Cost  8 bytes a row, and at most twice its items; an item is moved once on average. At most 32 GiB; of a copy, a
///       look at each page and chunk
template <class T>
requires std::is_trivially_copyable_v<T>
class GrowingRows {
 public:
  GrowingRows() = default;
  GrowingRows(const GrowingRows& other)
      : rows_(other.rows_), pages_(other.pages_), items_(other.items_), is_for_reading_(true) {}
  GrowingRows(GrowingRows&& other) noexcept { swap(other); }
  GrowingRows& operator=(GrowingRows other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowingRows() = default;

  std::size_t size() const { return rows_.size(); }
  std::size_t items() const { return items_; }
  std::span<const T> operator[](std::size_t row) const {
    const Row& r = rows_[row];
    return r.size == 0 ? std::span<const T>() : std::span<const T>(at(r.piece), r.size);
  }
  /// Of a row.
  std::size_t size_of(std::size_t row) const { return rows_[row].size; }
  /// For who is about to look at many: begins to bring near where one stands.
  void prefetch(std::size_t row) const { __builtin_prefetch(&rows_[row]); }
  /// To change items in place. What was got before, to read, may be a copy's from then on.
  std::span<T> operator[](std::size_t row) {
    own();
    const Row r = std::as_const(rows_)[row];
    return r.size == 0 ? std::span<T>() : std::span<T>(static_cast<T*>(pages_.writable(r.piece)), r.size);
  }
  /// Makes room for so many rows; new ones are empty.
  void resize(std::size_t rows) {
    own();
    while (rows_.size() < rows) rows_.push_back({});
  }
  /// Appends to a row.
  void push(std::size_t row, const T& item) {
    own();
    Row& r = rows_[row];
    if (r.size == 0 || (r.size >= least && std::has_single_bit(r.size))) grow(r);
    new (static_cast<T*>(pages_.unknown(r.piece)) + r.size) T(item);
    ++r.size;
    ++items_;
  }
  /// What all this takes, shared or not.
  std::size_t bytes() const { return rows_.bytes() + pages_.reserved() + free_bytes_; }
  /// What that is at most while so many items more are pushed to a row that has `before`: see Growth.
  struct Growth {
    std::size_t bytes = 0, pieces = 0;
    /// Counts a row that had `before` entries and gets `more`.
    void add(std::size_t before, std::size_t more) {
      if (more == 0) return;
      const std::size_t most = std::max<std::size_t>(2 * (before + more), least + 1);
      for (std::size_t items = before == 0 ? least : std::bit_ceil(before); items < most; items *= 2) {
        bytes += items * sizeof(T);
        ++pieces;
      }
    }
  };
  /// Bytes that it takes, and has taken at most, while it grows so.
  std::size_t bytes_with(std::size_t more_rows, const Growth& growth) const {
    // Of free pieces each one that is outgrown is one more, and a list of them may double.
    return rows_.bytes_with(more_rows) + pages_.reserved_with(growth.bytes, growth.pieces) + 3 * free_bytes_ +
           growth.pieces * 16;
  }

 private:
  // The smallest piece: a unit of the pages, or an item.
  static constexpr std::uint32_t least =
      sizeof(T) >= Pages::unit_bytes ? 1 : static_cast<std::uint32_t>(Pages::unit_bytes / sizeof(T));
  static_assert(std::has_single_bit(least) && alignof(T) <= Pages::unit_bytes);
  struct Row {
    std::uint32_t piece = 0, size = 0;
  };

  const T* at(std::uint32_t piece) const { return static_cast<const T*>(pages_.at(piece)); }

  void own() {
    if (is_for_reading_) [[unlikely]]
      copy_all();
  }
  [[gnu::noinline]] void copy_all() {
    GrowingRows all;
    all.resize(size());
    for (std::size_t row = 0; row < size(); ++row)
      for (const T& item : std::as_const(*this)[row]) all.push(row, item);
    swap(all);
  }

  void grow(Row& row) {
    const std::uint32_t items = row.size == 0 ? least : 2 * row.size;
    auto& pieces = free_[static_cast<std::size_t>(std::countr_zero(items))];
    std::uint32_t piece = 0;
    if (pieces.empty()) {
      piece = pages_.allocate(items * sizeof(T));
    } else {
      piece = pieces.back();
      pieces.pop_back();
      pages_.writable(piece);  // a copy may know of what another row had there
    }
    if (row.size > 0) {
      std::memcpy(pages_.unknown(piece), at(row.piece), row.size * sizeof(T));
      auto& outgrown = free_[static_cast<std::size_t>(std::countr_zero(row.size))];
      const std::size_t before = outgrown.capacity();
      outgrown.push_back(row.piece);
      free_bytes_ += (outgrown.capacity() - before) * sizeof(std::uint32_t);
    }
    row.piece = piece;
  }

  void swap(GrowingRows& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(pages_, other.pages_);
    std::swap(free_, other.free_);
    std::swap(free_bytes_, other.free_bytes_);
    std::swap(items_, other.items_);
    std::swap(is_for_reading_, other.is_for_reading_);
  }

  ChunkedVector<Row> rows_;
  Pages pages_;
  std::array<std::vector<std::uint32_t>, 32> free_;  // pieces, by the logarithm of their items
  std::size_t free_bytes_ = 0, items_ = 0;
  bool is_for_reading_ = false;  // a copy that has not been changed yet
};

}  // namespace engram::core
