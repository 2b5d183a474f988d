// SPDX-License-Identifier: MIT
// Copy-on-write memory. The copies of a list share pieces of memory until one copy writes. Also an allocator for large
// arrays.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace engram::narsese {

/// Bytes of a cache line.
inline constexpr std::size_t cache_line = 64;

/// Allocator for large arrays. Memory begins at a cache line, and large arrays ask the system for pages of 2 MiB:
/// with pages of 4 KiB, random look-ups spend most of their time on address translation. If large pages are not
/// available, the system provides usual ones.
template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < huge_page) return static_cast<T*>(::operator new(bytes, std::align_val_t(cache_line)));
#ifdef __linux__
    // Not operator new: it may allocate whole pages, and a table with a header would waste the last one.
    void* memory = nullptr;
    if (::posix_memalign(&memory, huge_page, bytes) != 0) throw std::bad_alloc();
    ::madvise(memory, bytes, MADV_HUGEPAGE);  // only advice: failure is harmless
    return static_cast<T*>(memory);
#else
    return static_cast<T*>(::operator new(bytes, std::align_val_t(huge_page)));
#endif
  }

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

/// Vector for large arrays with random look-ups. Use it also for many items that are written and read only once: large
/// pages need fewer page faults.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/// Counts the bytes of all pieces that this thread released while copies of the list still used them. The difference
/// between two readings tells how much memory a release did not free.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local std::uint64_t released_shared_bytes = 0;

/// List of copy-on-write pieces of memory, each with several items. A copy of the list shares all pieces. The first
/// write to a shared piece copies that piece.
///
/// Two threads may use two lists that share pieces. Copying marks the pieces of the source as shared, so only one
/// thread at a time may copy or write to a list.
template <class T>
class SharedPieces {
  static_assert(std::is_trivially_copyable_v<T>, "a piece is copied as bytes");

 public:
  SharedPieces() = default;
  SharedPieces(const SharedPieces& other) : pieces_(other.pieces_) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (i + ahead < pieces_.size()) __builtin_prefetch(pieces_[i + ahead].slab(), 1);
      pieces_[i].owners().fetch_add(1, std::memory_order_relaxed);
      pieces_[i].set_exclusive(false);
      other.pieces_[i].set_exclusive(false);
    }
  }
  SharedPieces(SharedPieces&& other) noexcept : pieces_(std::exchange(other.pieces_, {})) {}
  SharedPieces& operator=(SharedPieces other) noexcept {
    pieces_.swap(other.pieces_);
    return *this;
  }
  ~SharedPieces() { resize(0); }

  std::size_t size() const { return pieces_.size(); }
  std::size_t capacity() const { return pieces_.capacity(); }
  bool empty() const { return pieces_.empty(); }
  const T* operator[](std::size_t i) const { return pieces_[i].items; }
  /// Returns a piece for writing; copies it first if other lists share it. Pointers to this piece obtained earlier for
  /// reading may belong to another list afterwards.
  /// Cost     O(1), plus copying if the piece is shared
  T* writable(std::size_t i) {
    const Piece& piece = pieces_[i];
    if (!piece.is_exclusive()) [[unlikely]]
      make_exclusive(i);
    return piece.items;
  }
  /// Number of items in a piece.
  std::size_t items(std::size_t i) const { return pieces_[i].slab()->items; }
  /// Whether other lists share the piece.
  bool is_shared(std::size_t i) const {
    return !pieces_[i].is_exclusive() && pieces_[i].owners().load(std::memory_order_acquire) > 1;
  }

  /// Appends `pieces` pieces of `items` items each in one allocation. The memory is not initialised.
  void add(std::size_t pieces, std::size_t items) {
    if (pieces_.capacity() < pieces_.size() + pieces)
      pieces_.reserve(std::max(pieces_.size() + pieces, 2 * pieces_.size()));
    Slab* const slab = Slab::make(pieces, items);
    for (std::size_t i = 0; i < pieces; ++i) pieces_.push_back({slab->begin() + i * items, slab, true});
  }
  /// Moves the last piece of `other` to the end of this list.
  void take_from(SharedPieces& other) {
    pieces_.push_back(other.pieces_.back());
    other.pieces_.pop_back();
  }
  /// Releases all pieces after the first `pieces`.
  void resize(std::size_t pieces) {
    for (std::size_t i = pieces; i < pieces_.size(); ++i) {
      if (i + ahead < pieces_.size()) __builtin_prefetch(pieces_[i + ahead].slab(), 1);
      release(pieces_[i]);
    }
    pieces_.resize(pieces);
  }

 private:
  // prefetch distance: processors cannot predict where the counts are
  static constexpr std::size_t ahead = 16;
  static constexpr std::size_t front = std::max(cache_line, alignof(T));

  // Pieces that were allocated together. Owner counts follow this header, then the pieces.
  struct Slab {
    std::size_t items, bytes;
    std::atomic<std::uint32_t> alive;  // pieces that some list still uses
    std::uint32_t pieces;

    static Slab* make(std::size_t pieces, std::size_t items) {
      const std::size_t bytes = begin_of(pieces) + pieces * items * sizeof(T);
      auto* const slab = new (LargeAllocator<std::byte>().allocate(bytes))
          Slab{items, bytes, static_cast<std::uint32_t>(pieces), static_cast<std::uint32_t>(pieces)};
      for (std::size_t i = 0; i < pieces; ++i) new (&slab->owners(i)) std::atomic<std::uint32_t>(1);
      return slab;
    }
    std::atomic<std::uint32_t>& owners(std::size_t i) {
      return reinterpret_cast<std::atomic<std::uint32_t>*>(this + 1)[i];
    }
    T* begin() { return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(this) + begin_of(pieces)); }
    static std::size_t begin_of(std::size_t pieces) {
      return (sizeof(Slab) + pieces * sizeof(std::atomic<std::uint32_t>) + front - 1) / front * front;
    }
  };
  // Two words, because lists of pieces are read all the time. The lowest bit of the slab's address is set if no other
  // list can have the piece.
  class Piece {
   public:
    Piece() = default;
    Piece(T* at, Slab* of, bool is_exclusive)
        : items(at), slab_(reinterpret_cast<std::uintptr_t>(of) | std::uintptr_t{is_exclusive}) {}
    Slab* slab() const { return reinterpret_cast<Slab*>(slab_ & ~std::uintptr_t{1}); }
    bool is_exclusive() const { return (slab_ & 1) != 0; }
    void set_exclusive(bool is_exclusive) const {
      slab_ = (slab_ & ~std::uintptr_t{1}) | std::uintptr_t{is_exclusive};
    }
    std::atomic<std::uint32_t>& owners() const {
      return slab()->owners(static_cast<std::size_t>(items - slab()->begin()) / slab()->items);
    }

    T* items = nullptr;

   private:
    mutable std::uintptr_t slab_ = 0;
  };

  void make_exclusive(std::size_t i) {
    Piece& piece = pieces_[i];
    if (is_shared(i)) {
      Slab* const slab = Slab::make(1, items(i));
      std::memcpy(static_cast<void*>(slab->begin()), piece.items, slab->items * sizeof(T));
      release(std::exchange(piece, {slab->begin(), slab, true}));
    }
    piece.set_exclusive(true);
  }

  static void release(const Piece& piece) {
    Slab* const slab = piece.slab();
    // read now: after the release another thread may free the slab
    const std::size_t bytes = slab->items * sizeof(T);
    if (!piece.is_exclusive() && piece.owners().fetch_sub(1, std::memory_order_acq_rel) > 1)
      released_shared_bytes += bytes;
    else if (slab->alive.fetch_sub(1, std::memory_order_acq_rel) == 1)
      LargeAllocator<std::byte>().deallocate(reinterpret_cast<std::byte*>(slab), slab->bytes);
  }

  std::vector<Piece> pieces_;
};

}  // namespace engram::narsese
