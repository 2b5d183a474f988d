// SPDX-License-Identifier: MIT
// Memory for pieces that change in place, of which copies share all that neither has changed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "narsese/shared_pieces.hpp"

namespace engram::core {

/// Hands out pieces in units of 8 bytes, from pages of 64 KiB; a larger piece has a page of its own size. A piece is
/// known by its number, as it moves when its page is copied; one that fits a line of the cache lies on one.
/// At most 2^19 pages (32 GiB).
class Pages {
 public:
  static constexpr std::size_t unit_bytes = 8;

  /// The number of a fresh piece of memory, aligned to 8 bytes.
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

  /// The place of a number.
  const void* at(std::uint32_t number) const { return pages_[number / page_units] + number % page_units; }
  /// To write what no copy knows of: where nothing stood yet when the last one was taken.
  void* unknown(std::uint32_t number) { return const_cast<void*>(at(number)); }
  /// To change anything.  Cost  where a copy has its page, too, that of copying the page
  void* writable(std::uint32_t number) { return pages_.writable(number / page_units) + number % page_units; }

  /// Bytes taken from the system for it, shared or not.
  std::size_t reserved() const { return unit_bytes * units_; }
  /// What that is at most once pieces of so many bytes in all were handed out, `pieces` of them.
  std::size_t reserved_with(std::size_t bytes, std::size_t pieces = 1) const {
    // A piece may leave as much unused before it.
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
  static constexpr std::size_t most_pages = 256;  // at a time: 16 MiB
  static constexpr std::uint64_t max_pages = (std::uint64_t{1} << 32) / page_units;

  static std::uint32_t number_of(std::size_t page) { return static_cast<std::uint32_t>(page * page_units); }

  // As many as there are already, within bounds.
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
  std::size_t first_free_ = 0, free_pages_ = 0;  // made together, and not begun yet
  std::uint64_t next_ = 0, end_ = 0;             // in the page that is begun
};

}  // namespace engram::core
