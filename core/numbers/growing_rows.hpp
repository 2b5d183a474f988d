// SPDX-License-Identifier: MIT
// GrowingRows: many rows of items that grow at their ends, stored in pages of memory that copies share.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/numbers/chunked_vector.hpp"
#include "narsese/shared_pieces.hpp"

namespace engram::core {

/// Allocator of pieces of memory in pages of 64 KiB, which copies share until one copy writes to a page. Pieces are
/// multiples of 8 bytes; a piece larger than a page gets a page of its own size. Pieces are identified by number
/// because they move when their page is copied. A piece of at most a cache line does not cross a line. At most 2^19
/// pages (32 GiB).
class Pages {
 public:
  static constexpr std::size_t unit_bytes = 8;

  /// Allocates a piece, aligned to 8 bytes, and returns its number.
  /// Errors  std::length_error past the limit
  std::uint32_t allocate(std::size_t bytes) {
    const std::size_t units = (bytes + unit_bytes - 1) / unit_bytes;
    if (units > page_units) {
      add(1, units);
      return number_of(pages_.size() - 1);
    }
    const std::size_t left_of_line = line_units - next_ % line_units;
    if (units > left_of_line && units <= line_units) next_ += left_of_line;
    if (units > end_ - next_) next_page();
    const std::uint64_t number = next_;
    next_ += units;
    return static_cast<std::uint32_t>(number);
  }

  /// Returns the address of a piece for reading.
  const void* at(std::uint32_t number) const { return pages_[number / page_units] + number % page_units; }
  /// Returns an address for writing to a part of a piece that no copy can see, because it was unused when the last copy
  /// was made. Does not copy the page.
  void* unshared(std::uint32_t number) { return const_cast<void*>(at(number)); }
  /// Returns an address for writing anywhere in a piece.  Cost  O(page) if a copy shares the page
  void* writable(std::uint32_t number) { return pages_.writable(number / page_units) + number % page_units; }

  /// Bytes of all pages, shared pages included.
  std::size_t reserved() const { return unit_bytes * units_; }
  /// Upper bound on the value of reserved() after the allocation of `pieces` more pieces with `bytes` bytes in total.
  std::size_t reserved_with(std::size_t bytes, std::size_t pieces = 1) const {
    // The space left unused before a piece is at most the size of the piece.
    const std::size_t units = 2 * (bytes / unit_bytes + pieces);
    if (pieces == 0 || (units <= page_units && units <= end_ - next_ + free_pages_ * page_units))
      return reserved();
    return reserved() + (units / page_units + 2 + slab_pages()) * page_units * unit_bytes;
  }

 private:
  struct Unit {
    std::byte bytes[unit_bytes];
  };
  static constexpr std::size_t line_units = narsese::cache_line / unit_bytes;
  static constexpr std::size_t page_units = 1 << 13;
  static constexpr std::size_t most_pages = 256;  // allocated at a time: 16 MiB
  static constexpr std::uint64_t max_pages = (std::uint64_t{1} << 32) / page_units;

  static std::uint32_t number_of(std::size_t page) { return static_cast<std::uint32_t>(page * page_units); }

  // Number of pages to allocate next: doubles the number of pages, within bounds.
  std::size_t slab_pages() const { return std::clamp<std::size_t>(pages_.size(), 1, most_pages); }

  void add(std::size_t pages, std::size_t units) {
    if (pages_.size() + pages > max_pages) throw std::length_error("rows must take at most 32 GiB");
    pages_.add(pages, units);
    units_ += pages * units;
  }

  void next_page() {
    if (free_pages_ == 0) {
      const std::size_t pages = slab_pages();
      add(pages, page_units);
      free_pages_ = pages;
      first_free_ = pages_.size() - pages;
    }
    next_ = std::uint64_t{first_free_} * page_units;
    end_ = next_ + page_units;
    ++first_free_;
    --free_pages_;
  }

  narsese::SharedPieces<Unit> pages_;
  std::size_t units_ = 0;
  std::size_t first_free_ = 0, free_pages_ = 0;  // allocated pages that are still empty
  std::uint64_t next_ = 0, end_ = 0;             // unused units of the current page
};

/// Many rows of T that grow at their ends; each row is contiguous. A row's capacity is a power of two. If a row
/// outgrows its piece, it moves to a piece of twice the size, and another row can reuse the old one. A copy is cheap
/// and meant for reading: it shares all pages. The original copies a page only before it overwrites data that the copy
/// can see; appended items do not count. Changing the copy first copies all of its rows.
/// Cost  8 bytes a row, and at most twice the bytes of its items; an item is moved once on average; a copy is
///       O(pages + chunks). At most 32 GiB
template <class T>
requires std::is_trivially_copyable_v<T>
class GrowingRows {
 public:
  GrowingRows() = default;
  GrowingRows(const GrowingRows& other)
      : rows_(other.rows_), pages_(other.pages_), items_(other.items_), is_unchanged_copy_(true) {}
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
  /// Number of items in a row.
  std::size_t size_of(std::size_t row) const { return rows_[row].size; }
  /// Prefetches the entry that locates a row. Use it before reading many rows.
  void prefetch(std::size_t row) const { __builtin_prefetch(&rows_[row]); }
  /// Mutable access to a row's items. Invalidates spans that were obtained before.
  std::span<T> operator[](std::size_t row) {
    own();
    const Row r = std::as_const(rows_)[row];
    return r.size == 0 ? std::span<T>() : std::span<T>(static_cast<T*>(pages_.writable(r.piece)), r.size);
  }
  /// Appends empty rows until there are `rows` rows. Never removes rows.
  void resize(std::size_t rows) {
    own();
    while (rows_.size() < rows) rows_.push_back({});
  }
  /// Appends an item to a row.
  void push(std::size_t row, const T& item) {
    own();
    Row& r = rows_[row];
    if (r.size == 0 || (r.size >= least && std::has_single_bit(r.size))) grow(r);
    new (static_cast<T*>(pages_.unshared(r.piece)) + r.size) T(item);
    ++r.size;
    ++items_;
  }
  /// Bytes in use, including pages that copies share.
  std::size_t bytes() const { return rows_.bytes() + pages_.reserved() + free_bytes_; }
  /// Sum of the memory that a planned series of push() calls needs, for bytes_with().
  struct PlannedPushes {
    std::size_t bytes = 0, pieces = 0;
    /// Adds a plan to push `more` items to a row that has `before` items.
    void add(std::size_t before, std::size_t more) {
      if (more == 0) return;
      const std::size_t most = std::max<std::size_t>(2 * (before + more), least + 1);
      for (std::size_t items = before == 0 ? least : std::bit_ceil(before); items < most; items *= 2) {
        bytes += items * sizeof(T);
        ++pieces;
      }
    }
  };
  /// Upper bound on bytes() while `more_rows` rows are added and the planned pushes are executed. Use it to check a
  /// memory limit first.
  std::size_t bytes_with(std::size_t more_rows, const PlannedPushes& pushes) const {
    // An outgrown piece is added to a list of free pieces, which may double.
    return rows_.bytes_with(more_rows) + pages_.reserved_with(pushes.bytes, pushes.pieces) + 3 * free_bytes_ +
           pushes.pieces * 16;
  }

 private:
  // Items of the smallest piece, which is a unit of the pages, or one item.
  static constexpr std::uint32_t least =
      sizeof(T) >= Pages::unit_bytes ? 1 : static_cast<std::uint32_t>(Pages::unit_bytes / sizeof(T));
  static_assert(std::has_single_bit(least) && alignof(T) <= Pages::unit_bytes);
  struct Row {
    std::uint32_t piece = 0, size = 0;
  };

  const T* at(std::uint32_t piece) const { return static_cast<const T*>(pages_.at(piece)); }

  void own() {
    if (is_unchanged_copy_) [[unlikely]]
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
      pages_.writable(piece);  // a copy may still see the items of another row here
    }
    if (row.size > 0) {
      std::memcpy(pages_.unshared(piece), at(row.piece), row.size * sizeof(T));
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
    std::swap(is_unchanged_copy_, other.is_unchanged_copy_);
  }

  ChunkedVector<Row> rows_;
  Pages pages_;
  std::array<std::vector<std::uint32_t>, 32> free_;  // free pieces, by the binary logarithm of their items
  std::size_t free_bytes_ = 0, items_ = 0;
  bool is_unchanged_copy_ = false;  // shares all pages with its original
};

}  // namespace engram::core
