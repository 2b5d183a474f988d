// SPDX-License-Identifier: MIT
// Memory in pieces that copies share until one of them writes: so a copy of much costs a look at each piece.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "narsese/large_allocator.hpp"

namespace engram::narsese {

/// Bytes of pieces that this thread has let go of while others still had them: what a change leaves to copies.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local std::uint64_t bytes_left_to_others = 0;

/// A list of pieces of memory, each of some items. A copy of the list has the same pieces; who writes to one
/// that others have, too, takes a copy of it first. Two lists may be used by two threads whatever they share;
/// copying a list takes note in it that its pieces are shared, so it must not be copied by two threads at once,
/// nor written to meanwhile.
template <class T>
class SharedPieces {
  static_assert(std::is_trivially_copyable_v<T>, "a piece is copied as bytes");

 public:
  SharedPieces() = default;
  SharedPieces(const SharedPieces& other) : pieces_(other.pieces_) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (i + ahead < pieces_.size()) __builtin_prefetch(pieces_[i + ahead].slab(), 1);
      pieces_[i].owners().fetch_add(1, std::memory_order_relaxed);
      pieces_[i].set_mine(false);
      other.pieces_[i].set_mine(false);
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
  /// To write to. What was got of this piece before, to read, may be another copy's from then on.
  /// Cost  of one that is shared that of copying it
  T* writable(std::size_t i) {
    const Piece& piece = pieces_[i];
    if (!piece.is_mine()) [[unlikely]]
      make_mine(i);
    return piece.items;
  }
  /// Of a piece.
  std::size_t items(std::size_t i) const { return pieces_[i].slab()->items; }
  /// Whether others have the piece as well.
  bool is_shared(std::size_t i) const {
    return !pieces_[i].is_mine() && pieces_[i].owners().load(std::memory_order_acquire) > 1;
  }

  /// So many pieces more, in one stretch of memory, of so many items each: as they are, nothing is written there.
  void add(std::size_t pieces, std::size_t items) {
    if (pieces_.capacity() < pieces_.size() + pieces)
      pieces_.reserve(std::max(pieces_.size() + pieces, 2 * pieces_.size()));
    Slab* const slab = Slab::make(pieces, items);
    for (std::size_t i = 0; i < pieces; ++i) pieces_.push_back({slab->begin() + i * items, slab, true});
  }
  /// Moves the last one of another list to the end of this one.
  void take_from(SharedPieces& other) {
    pieces_.push_back(other.pieces_.back());
    other.pieces_.pop_back();
  }
  /// Lets go of the last ones.
  void resize(std::size_t pieces) {
    for (std::size_t i = pieces; i < pieces_.size(); ++i) {
      if (i + ahead < pieces_.size()) __builtin_prefetch(pieces_[i + ahead].slab(), 1);
      let_go(pieces_[i]);
    }
    pieces_.resize(pieces);
  }

 private:
  static constexpr std::size_t ahead = 16;  // counts stand where no processor foretells
  static constexpr std::size_t front = std::max(cache_line, alignof(T));

  // Some pieces that were allocated together, with how many have each, behind one another.
  struct Slab {
    std::size_t items, bytes;
    std::atomic<std::uint32_t> alive;  // pieces that anybody has
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
  // In two words, as lists of these are looked into all the time: the lowest bit of the slab's address tells whether
  // nobody else has the piece; else others may.
  class Piece {
   public:
    Piece() = default;
    Piece(T* at, Slab* of, bool is_mine)
        : items(at), slab_(reinterpret_cast<std::uintptr_t>(of) | std::uintptr_t{is_mine}) {}
    Slab* slab() const { return reinterpret_cast<Slab*>(slab_ & ~std::uintptr_t{1}); }
    bool is_mine() const { return (slab_ & 1) != 0; }
    void set_mine(bool is_mine) const { slab_ = (slab_ & ~std::uintptr_t{1}) | std::uintptr_t{is_mine}; }
    std::atomic<std::uint32_t>& owners() const {
      return slab()->owners(static_cast<std::size_t>(items - slab()->begin()) / slab()->items);
    }

    T* items = nullptr;

   private:
    mutable std::uintptr_t slab_ = 0;
  };

  void make_mine(std::size_t i) {
    Piece& piece = pieces_[i];
    if (is_shared(i)) {
      Slab* const slab = Slab::make(1, items(i));
      std::memcpy(static_cast<void*>(slab->begin()), piece.items, slab->items * sizeof(T));
      let_go(std::exchange(piece, {slab->begin(), slab, true}));
    }
    piece.set_mine(true);
  }

  static void let_go(const Piece& piece) {
    Slab* const slab = piece.slab();
    const std::size_t bytes = slab->items * sizeof(T);  // asked now: once let go, others may free all of it
    if (!piece.is_mine() && piece.owners().fetch_sub(1, std::memory_order_acq_rel) > 1)
      bytes_left_to_others += bytes;
    else if (slab->alive.fetch_sub(1, std::memory_order_acq_rel) == 1)
      LargeAllocator<std::byte>().deallocate(reinterpret_cast<std::byte*>(slab), slab->bytes);
  }

  std::vector<Piece> pieces_;
};

}  // namespace engram::narsese
