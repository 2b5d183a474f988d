// SPDX-License-Identifier: MIT
// Open-addressing hash index from hashes to dense ids, for tables that store their items in an array.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "narsese/byte_scan.hpp"
#include "narsese/shared_pieces.hpp"

namespace engram::narsese {

/// Mixes all bits of x (finaliser of MurmurHash3, Appleby 2011). The value is the same on every machine.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

/// Returns the hash of a sequence: combines the hash `seed` of its earlier items with `value`.
constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
  return mix(seed * 0x9e3779b97f4a7c15ULL + value);
}

/// Hash of a byte string (FNV-1a, then mixed). It is specified, so results may depend on it, unlike std::hash.
constexpr std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return mix(hash);
}

/// Index that finds the id of an item by its hash. The caller stores the items and compares them. Ids are never
/// iterated in table order, so no result depends on the layout.
///
/// Buckets have eight slots of 8 bytes, fill from the front, and overflow into the next bucket. At most 13/16 of the
/// slots are used. Copies share pages of 16 KiB until a write (shared_pieces.hpp).
/// Cost     O(1) expected, mostly one cache miss; copying: O(pages)
class HashIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  HashIndex() = default;
  HashIndex(const HashIndex& other)
      : pieces_(other.pieces_),
        buckets_(other.buckets_),
        contiguous_(other.contiguous_),
        size_(other.size_),
        limit_(other.limit_) {
    other.writable_ = nullptr;
  }
  HashIndex(HashIndex&& other) noexcept { swap(other); }
  HashIndex& operator=(HashIndex other) noexcept {
    swap(other);
    return *this;
  }
  ~HashIndex() = default;

  std::size_t size() const { return size_; }

  /// Returns the id stored under `hash` for which equal(id) is true, or `none`.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (buckets_ == 0) return none;
    for (std::size_t i = home(hash);; i = (i + 1) & mask()) {
      const Bucket& bucket = at(i);
      if (const std::uint32_t id = bucket.find(tag_of(hash), equal); id != none) return id;
      if (!bucket.full()) return none;
    }
  }

  /// Prefetches the bucket that find(hash, ...) reads first. The index must not be empty.
  // Always inlined: GCC may otherwise treat the function as having no effect and drop the call.
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const { __builtin_prefetch(&at(home(hash))); }

  /// Returns the id that find() likely returns plus 1, or 0 if no entry in the first bucket has the same lower 32 bits
  /// of the hash. Use it to prefetch items before find(). The computation avoids branches, because their outcome is
  /// unpredictable. The index must not be empty.
  std::uint32_t guess(std::uint64_t hash) const { return at(home(hash)).guess(tag_of(hash)); }

  std::size_t bytes() const { return bytes_of(buckets_); }
  /// Returns the size of the table after `more` further insertions, in bytes. If the table grows, the old one (bytes())
  ///         is needed beside the new one meanwhile; the result does not include it.
  std::size_t bytes_with(std::size_t more) const {
    std::size_t buckets = buckets_;
    while (is_crowded(size_ + more, buckets)) buckets = twice(buckets);
    return bytes_of(buckets);
  }
  /// Limits bytes(), including the old table while the index grows. Unlimited by default.
  void limit(std::size_t bytes) { limit_ = bytes; }

  /// Reserves room for `ids` ids in all. Use it if the number of ids is known.
  /// Errors   std::length_error beyond the limit, for all functions that insert; the index is then unchanged
  void reserve(std::size_t ids) {
    std::size_t buckets = buckets_;
    while (is_crowded(ids, buckets)) buckets = twice(buckets);
    if (buckets == buckets_) return;
    require_room(bytes_of(buckets));
    rebuild(buckets);
  }

  /// Inserts an id that is not in the index yet.
  void insert(std::uint64_t hash, std::uint32_t id) {
    if (is_crowded(size_ + 1, buckets_)) grow();
    std::size_t i = home(hash);
    while (at(i).full()) i = (i + 1) & mask();
    writable(i).add(tag_of(hash), id + 1);
    ++size_;
  }

  /// Returns find(hash, equal). If that is `none`, calls make(), inserts the id that it returns, and returns this id.
  /// make() must not use the index. If make() throws, the index is unchanged.
  template <class Equal, class Make>
  std::uint32_t find_or_insert(std::uint64_t hash, Equal equal, Make make) {
    if (is_crowded(size_ + 1, buckets_)) {  // existing ids are found even if the limit forbids growth
      if (const std::uint32_t id = find(hash, equal); id != none) return id;
      grow();
    }
    for (std::size_t i = home(hash);; i = (i + 1) & mask()) {
      const Bucket& bucket = at(i);
      if (const std::uint32_t id = bucket.find(tag_of(hash), equal); id != none) return id;
      if (bucket.full()) continue;
      const std::uint32_t id = make();
      writable(i).add(tag_of(hash), id + 1);
      ++size_;
      return id;
    }
  }

  /// Removes an id that is in the index. Call shrink() later to release memory.
  /// Cost     O(1) expected
  void erase(std::uint64_t hash, std::uint32_t id) {
    std::size_t hole = home(hash);
    while (!at(hole).has(id + 1)) hole = (hole + 1) & mask();
    --size_;
    // The bucket was full, so an entry that overflowed from it moves back and leaves another hole.
    for (std::uint32_t entry = id + 1;;) {
      const bool was_full = at(hole).full();
      writable(hole).remove(entry);
      if (!was_full) return;
      std::size_t from = (hole + 1) & mask();
      entry = 0;
      for (;; from = (from + 1) & mask()) {
        entry = movable_entry(from, hole);
        if (entry != 0 || !at(from).full()) break;
      }
      if (entry == 0) return;
      writable(hole).add(at(from).tag_at(entry), entry);
      hole = from;
    }
  }

  /// Halves the table repeatedly, but keeps room for twice the ids. Call it after erase(). The cost is amortised over
  /// earlier insertions.
  void shrink() {
    std::size_t buckets = buckets_;
    while (buckets > least_buckets && !is_crowded(4 * size_, buckets)) buckets /= 2;
    if (buckets != buckets_) rebuild(buckets);
  }

 private:
  static constexpr std::size_t slots = 8, least_buckets = 2, piece_buckets = 256;
  // One cache line. An entry is an id plus 1, so 0 marks an empty slot.
  struct alignas(cache_line) Bucket {
    std::array<std::uint32_t, slots> tags, entries;

    bool full() const { return entries.back() != 0; }
    bool has(std::uint32_t entry) const { return equal_words(entries.data(), entry) != 0; }
    std::uint32_t tag_at(std::uint32_t entry) const {
      return tags[static_cast<std::size_t>(std::countr_zero(equal_words(entries.data(), entry)))];
    }
    // The last entry moves into the free slot.
    void remove(std::uint32_t entry) {
      const auto i = static_cast<std::size_t>(std::countr_zero(equal_words(entries.data(), entry)));
      std::size_t last = slots - 1;
      while (entries[last] == 0) --last;
      tags[i] = tags[last];
      entries[i] = entries[last];
      tags[last] = entries[last] = 0;
    }
    // Number of used slots, without a branch: its outcome would be unpredictable.
    std::size_t used() const {
      return static_cast<std::size_t>(std::countr_zero(equal_words(entries.data(), 0) | 1U << slots));
    }
    // The bucket must not be full.
    void add(std::uint32_t tag, std::uint32_t entry) {
      const std::size_t i = used();
      tags[i] = tag;
      entries[i] = entry;
    }
    // Bits of the slots with that tag; empty slots may be among them.
    unsigned matches(std::uint32_t tag) const { return equal_words(tags.data(), tag); }
    std::uint32_t guess(std::uint32_t tag) const {
      const unsigned found = matches(tag);
      return entries[static_cast<std::size_t>(std::countr_zero(found | 1U << (slots - 1)))] &
             -static_cast<std::uint32_t>(found != 0);
    }
    template <class Equal>
    std::uint32_t find(std::uint32_t tag, Equal equal) const {
      for (unsigned found = matches(tag); found != 0; found &= found - 1) {
        const std::uint32_t entry = entries[static_cast<std::size_t>(std::countr_zero(found))];
        if (entry != 0 && equal(entry - 1)) return entry - 1;
      }
      return none;
    }
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  std::size_t mask() const { return buckets_ - 1; }
  std::size_t home(std::uint64_t hash) const { return tag_of(hash) & mask(); }

  const Bucket& at(std::size_t i) const {
    if (contiguous_ != nullptr) [[likely]]
      return contiguous_[i];
    return pieces_[i / piece_buckets][i % piece_buckets];
  }
  Bucket& writable(std::size_t i) {
    if (writable_ != nullptr) return writable_[i];
    Bucket& bucket = pieces_.writable(i / piece_buckets)[i % piece_buckets];
    if (contiguous_ != nullptr && &bucket != contiguous_ + i) contiguous_ = nullptr;  // a piece has moved
    return bucket;
  }

  // An entry of `bucket` with a probe sequence through `hole`; otherwise 0.
  std::uint32_t movable_entry(std::size_t bucket, std::size_t hole) const {
    const auto& [tags, entries] = at(bucket);
    for (std::size_t i = 0; i < slots && entries[i] != 0; ++i) {
      const std::size_t way = (bucket - home(tags[i])) & mask();
      if (way >= ((bucket - hole) & mask())) return entries[i];
    }
    return 0;
  }

  static constexpr std::size_t bytes_of(std::size_t buckets) { return buckets * sizeof(Bucket); }
  static constexpr bool is_crowded(std::size_t ids, std::size_t buckets) {
    return 16 * ids > 13 * slots * buckets;
  }
  static constexpr std::size_t twice(std::size_t buckets) {
    return buckets == 0 ? least_buckets : 2 * buckets;
  }

  void grow() {
    require_room(bytes_with(1));
    rebuild(twice(buckets_));
  }

  // Checks the limit for a second table in addition to the current one.
  void require_room(std::size_t more) const {
    if (bytes() + more > limit_) throw std::length_error("the index must stay within its limit of bytes");
  }

  void rebuild(std::size_t buckets) {
    SharedPieces<Bucket> pieces;
    pieces.add(std::max<std::size_t>(buckets / piece_buckets, 1), std::min(buckets, piece_buckets));
    Bucket* const anew = pieces.writable(0);
    std::memset(static_cast<void*>(anew), 0, bytes_of(buckets));
    const auto put = [&](std::uint32_t tag, std::uint32_t entry) {
      std::size_t to = tag & (buckets - 1);
      while (anew[to].full()) to = (to + 1) & (buckets - 1);
      anew[to].add(tag, entry);
    };
    for (std::size_t b = 0; b < buckets_; ++b) {
      const auto& [tags, entries] = at(b);
      if (buckets == 2 * buckets_) {
        split_bucket(b, anew[b], anew[b + buckets_], put);
        continue;
      }
      for (std::size_t i = 0; i < slots && entries[i] != 0; ++i) put(tags[i], entries[i]);
    }
    pieces_ = std::move(pieces);
    contiguous_ = writable_ = anew;
    buckets_ = buckets;
  }

  // When the number of buckets doubles, an entry in its home bucket moves to one of two buckets. The choice avoids a
  // branch, because its outcome is unpredictable.
  template <class Put>
  void split_bucket(std::size_t b, Bucket& low, Bucket& high, const Put& put) const {
    const auto& [tags, entries] = at(b);
    const std::array two{&low, &high};
    std::array used{low.used(), high.used()};
    for (std::size_t i = 0; i < slots && entries[i] != 0; ++i) {
      const std::size_t which = (tags[i] & buckets_) != 0;
      if (home(tags[i]) != b || used[which] == slots) [[unlikely]] {
        put(tags[i], entries[i]);
        used = {low.used(), high.used()};
        continue;
      }
      two[which]->tags[used[which]] = tags[i];
      two[which]->entries[used[which]++] = entries[i];
    }
  }

  void swap(HashIndex& other) noexcept {
    std::swap(pieces_, other.pieces_);
    std::swap(buckets_, other.buckets_);
    std::swap(contiguous_, other.contiguous_);
    std::swap(writable_, other.writable_);
    std::swap(size_, other.size_);
    std::swap(limit_, other.limit_);
  }

  SharedPieces<Bucket> pieces_;
  std::size_t buckets_ = 0;
  // Start of the buckets while the pieces are contiguous, which is the case after rebuild(). Then the index skips the
  // look-up of a piece.
  const Bucket* contiguous_ = nullptr;
  mutable Bucket* writable_ = nullptr;  // the same; null once a copy was made
  std::size_t size_ = 0, limit_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace engram::narsese
