// SPDX-License-Identifier: MIT
// Memory for large tables that are read here and there.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace engram::narsese {

/// Bytes that memory brings at once.
inline constexpr std::size_t cache_line = 64;

/// An allocator for arrays that begin with a line of the cache, and that asks the system for pages of 2 MiB
/// where they pay: with those of 4 KiB most of the time of a look-up goes into finding its page. Where the
/// system has none to give, memory is as usual.
template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  /// Room for so many, in large pages where it is much.
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < huge_page) return static_cast<T*>(::operator new(bytes, std::align_val_t(cache_line)));
#ifdef __linux__
    // Not by operator new: it may take whole pages, of which a table with a head would leave the last one unused.
    void* memory = nullptr;
    if (::posix_memalign(&memory, huge_page, bytes) != 0) throw std::bad_alloc();
    ::madvise(memory, bytes, MADV_HUGEPAGE);  // advice only: nothing to do where it is not followed
    return static_cast<T*>(memory);
#else
    return static_cast<T*>(::operator new(bytes, std::align_val_t(huge_page)));
#endif
  }

  /// Gives it back.
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < huge_page) return ::operator delete(memory, std::align_val_t(cache_line));
#ifdef __linux__
    std::free(memory);
#else
    ::operator delete(memory, std::align_val_t(huge_page));
#endif
  }

  friend bool operator==(LargeAllocator, LargeAllocator) { return true; }

 private:
  static constexpr std::size_t huge_page = std::size_t{1} << 21;
};

/// For many items that are written and read once, too: of large pages the system has few to bring.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace engram::narsese
