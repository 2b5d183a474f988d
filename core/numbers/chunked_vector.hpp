// SPDX-License-Identifier: MIT
// A vector that grows piece by piece, so that no reserve is larger than a piece.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "core/numbers/index_iterator.hpp"
#include "narsese/shared_pieces.hpp"

namespace engram::core {

/// Items in chunks of about 64 KiB, of which the first begins small. Copies share chunks until one of them writes
/// there (narsese/shared_pieces.hpp).
/// Cost  a look into the list of chunks at each access; of a copy, a look at each chunk
template <class T>
class ChunkedVector {
 public:
  static constexpr std::size_t chunk_items = sizeof(T) <= 16 ? 4096 : sizeof(T) <= 64 ? 1024 : 256;

  using const_iterator = IndexIterator<ChunkedVector, T, const T&>;

  ChunkedVector() = default;
  ChunkedVector(ChunkedVector&& other) noexcept { *this = std::move(other); }
  ChunkedVector& operator=(ChunkedVector&& other) noexcept {
    chunks_ = std::move(other.chunks_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }
  ChunkedVector(const ChunkedVector&) = default;
  ChunkedVector& operator=(const ChunkedVector&) = default;
  ~ChunkedVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t i) const { return chunks_[i / chunk_items][i % chunk_items]; }
  T& operator[](std::size_t i) { return chunks_.writable(i / chunk_items)[i % chunk_items]; }
  const T& back() const { return (*this)[size_ - 1]; }
  /// The last one; there must be one.
  T& back() { return (*this)[size_ - 1]; }
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, size_}; }

  /// Appends it. References to others stay good.
  void push_back(const T& item) {
    if (size_ == capacity_) grow();
    new (&(*this)[size_]) T(item);
    ++size_;
  }

  /// What it takes, shared or not, and has taken at most while it comes to so many more.
  std::size_t bytes() const { return bytes_for(capacity_, chunks_.capacity()); }
  /// The same with so many more.
  std::size_t bytes_with(std::size_t more) const {
    if (size_ + more <= capacity_) return bytes();
    const std::size_t chunks = (size_ + more + chunk_items - 1) / chunk_items;
    const std::size_t first = chunks > 1 ? 0 : capacity_;  // stands beside its double for a moment
    return bytes_for(chunks > 1 ? chunks * chunk_items : std::bit_ceil(std::max(fewest, size_ + more)),
                     3 * chunks + 1) +
           first * sizeof(T);
  }

 private:
  static constexpr std::size_t fewest = 16;

  static constexpr std::size_t bytes_for(std::size_t items, std::size_t chunks) {
    return items * sizeof(T) + chunks * sizeof(void*);
  }

  // The first chunk doubles until it is one; the others are whole.
  void grow() {
    if (capacity_ > 0 && capacity_ < chunk_items) {
      narsese::SharedPieces<T> twice;
      twice.add(1, 2 * capacity_);
      std::copy_n(chunks_[0], size_, twice.writable(0));
      chunks_ = std::move(twice);
      capacity_ *= 2;
    } else {
      const std::size_t items = capacity_ == 0 ? fewest : chunk_items;
      chunks_.add(1, items);
      capacity_ += items;
    }
  }

  narsese::SharedPieces<T> chunks_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace engram::core
