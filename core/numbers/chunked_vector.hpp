// SPDX-License-Identifier: MIT
// ChunkedVector: a vector in chunks that copies share. Also an iterator for containers that are accessed by index.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/iterator/iterator_facade.hpp>
#include <cstddef>
#include <utility>

#include "narsese/shared_pieces.hpp"

namespace engram::core {

/// Random-access iterator over items[0], items[1], ... of a container. `Reference` is the type of items[i], which may
/// be a value.
template <class Items, class Value, class Reference>
class IndexIterator : public boost::iterator_facade<IndexIterator<Items, Value, Reference>, const Value,
                                                    boost::random_access_traversal_tag, Reference> {
 public:
  IndexIterator() = default;
  IndexIterator(const Items* items, std::size_t at) : items_(items), at_(at) {}

 private:
  friend class boost::iterator_core_access;
  Reference dereference() const { return (*items_)[at_]; }
  bool equal(const IndexIterator& other) const { return at_ == other.at_; }
  void increment() { ++at_; }
  void decrement() { --at_; }
  void advance(std::ptrdiff_t by) { at_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at_) + by); }
  std::ptrdiff_t distance_to(const IndexIterator& other) const {
    return static_cast<std::ptrdiff_t>(other.at_) - static_cast<std::ptrdiff_t>(at_);
  }

  const Items* items_ = nullptr;
  std::size_t at_ = 0;
};

/// A vector stored in chunks of about 64 KiB; the first chunk starts small. Use it for large vectors that grow: no
/// allocation exceeds a chunk, and items are not moved. Copies share chunks until one copy writes to a chunk
/// (narsese/shared_pieces.hpp).
/// Cost  an access reads the list of chunks first; a copy is O(chunks)
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
  /// The last item. The vector must not be empty.
  T& back() { return (*this)[size_ - 1]; }
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, size_}; }

  /// Appends an item. References to other items stay valid.
  void push_back(const T& item) {
    if (size_ == capacity_) grow();
    new (&(*this)[size_]) T(item);
    ++size_;
  }

  /// Bytes in use, including chunks that copies share.
  std::size_t bytes() const { return bytes_for(capacity_, chunks_.capacity()); }
  /// Upper bound on bytes() while `more` items are appended.
  std::size_t bytes_with(std::size_t more) const {
    if (size_ + more <= capacity_) return bytes();
    const std::size_t chunks = (size_ + more + chunk_items - 1) / chunk_items;
    const std::size_t first = chunks > 1 ? 0 : capacity_;  // exists while it is copied
    return bytes_for(chunks > 1 ? chunks * chunk_items : std::bit_ceil(std::max(fewest, size_ + more)),
                     3 * chunks + 1) +
           first * sizeof(T);
  }

 private:
  static constexpr std::size_t fewest = 16;

  static constexpr std::size_t bytes_for(std::size_t items, std::size_t chunks) {
    return items * sizeof(T) + chunks * sizeof(void*);
  }

  // Doubles the first chunk up to its full size; the others have their full size from the start.
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
