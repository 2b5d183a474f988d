// SPDX-License-Identifier: MIT
// An open-addressing index from hashes to dense ids, for tables that keep their items in a vector.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "narsese/byte_scan.hpp"
#include "narsese/large_allocator.hpp"

namespace engram::narsese {

/// Spreads all bits of x (the finaliser of MurmurHash3, Appleby 2011). The same on every machine.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

/// Folds `value` into the running hash `seed`.
constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
  return mix(seed * 0x9e3779b97f4a7c15ULL + value);
}

/// Hash of a byte string (FNV-1a, then mixed); unlike std::hash it is specified, so it may reach results.
constexpr std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return mix(hash);
}

/// Finds the id of an item from its hash; the caller keeps the items and decides equality.
/// Ids are never iterated in table order, so no result can depend on the layout.
/// Cost  O(1) expected, in one line of the cache: slots come in buckets of eight, filled from the front, and
/// a full one overflows into the next. 8 bytes a slot, at most 13/16 of the slots used.
class HashIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  std::size_t size() const { return size_; }

  /// The id stored under `hash` for which equal(id) holds, or `none`.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (buckets_.empty()) return none;
    for (std::size_t i = home(hash);; i = (i + 1) & mask()) {
      const Bucket& bucket = buckets_[i];
      if (const std::uint32_t id = bucket.find(tag_of(hash), equal); id != none) return id;
      if (!bucket.full()) return none;
    }
  }

  /// Asks memory for the bucket of a hash, so that a later find need not wait. Not of an empty index.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(buckets_.data() + home(hash)); }

  /// One more than the id that find is likely to give, by what its bucket says; 0 where that says nothing. In
  /// arithmetic alone, as whether there is one cannot be foretold: asking for many costs no wrong branches.
  /// Not of an empty index.
  std::uint32_t guess(std::uint64_t hash) const { return buckets_[home(hash)].guess(tag_of(hash)); }

  std::size_t bytes() const { return bytes_of(buckets_.size()); }
  /// The same once so many more are inserted. Half of it is taken beside it for a moment, where it grows.
  std::size_t bytes_with(std::size_t more) const {
    std::size_t buckets = buckets_.size();
    while (is_crowded(size_ + more, buckets)) buckets = twice(buckets);
    return bytes_of(buckets);
  }
  /// What it may take, at such a moment, too: beyond, inserting is an error. Not limited unless told.
  void limit(std::size_t bytes) { room_ = bytes; }

  /// Adds an id that is not in the index yet.
  /// Errors, here and below: std::length_error past the limit; nothing has changed
  void insert(std::uint64_t hash, std::uint32_t id) {
    make_room();
    place(tag_of(hash), id + 1);
    ++size_;
  }

  /// What find finds; where that is `none`, the id that make() returns, which is then in the index. make()
  /// must not use the index; where it throws, nothing has changed.
  template <class Equal, class Make>
  std::uint32_t find_or_insert(std::uint64_t hash, Equal equal, Make make) {
    if (is_crowded(size_ + 1, buckets_.size())) {  // what is there is found where nothing new has room
      if (const std::uint32_t id = find(hash, equal); id != none) return id;
      grow();
    }
    for (std::size_t i = home(hash);; i = (i + 1) & mask()) {
      Bucket& bucket = buckets_[i];
      if (const std::uint32_t id = bucket.find(tag_of(hash), equal); id != none) return id;
      if (bucket.full()) continue;
      const std::uint32_t id = make();
      bucket.add(tag_of(hash), id + 1);
      ++size_;
      return id;
    }
  }

  /// Takes an id out that is in the index.  Cost  O(1) expected; memory is given back by shrink()
  void erase(std::uint64_t hash, std::uint32_t id) {
    std::size_t hole = home(hash);
    while (!buckets_[hole].has(id + 1)) hole = (hole + 1) & mask();
    --size_;
    // What overflowed from a bucket that is no longer full moves back into it, and leaves a hole in its turn.
    for (std::uint32_t entry = id + 1;;) {
      const bool was_full = buckets_[hole].full();
      buckets_[hole].remove(entry);
      if (!was_full) return;
      std::size_t from = (hole + 1) & mask();
      entry = 0;
      for (;; from = (from + 1) & mask()) {
        entry = first_that_may_move(from, hole);
        if (entry != 0 || !buckets_[from].full()) break;
      }
      if (entry == 0) return;
      buckets_[hole].add(buckets_[from].tag_at(entry), entry);
      hole = from;
    }
  }

  /// Gives back memory where so much is out that half of it would do for twice the ids there are. So it costs
  /// no more than what was inserted before.
  void shrink() {
    std::size_t buckets = buckets_.size();
    while (buckets > least_buckets && !is_crowded(4 * size_, buckets)) buckets /= 2;
    if (buckets != buckets_.size()) rebuild(buckets);
  }

 private:
  static constexpr std::size_t slots = 8, least_buckets = 2;
  // A line of the cache. An entry is an id plus 1, so that 0 is an empty slot.
  struct alignas(cache_line) Bucket {
    std::array<std::uint32_t, slots> tags, entries;

    bool full() const { return entries.back() != 0; }
    bool has(std::uint32_t entry) const { return equal_words(entries.data(), entry) != 0; }
    std::uint32_t tag_at(std::uint32_t entry) const {
      return tags[static_cast<std::size_t>(std::countr_zero(equal_words(entries.data(), entry)))];
    }
    // The last one takes its place.
    void remove(std::uint32_t entry) {
      const auto i = static_cast<std::size_t>(std::countr_zero(equal_words(entries.data(), entry)));
      std::size_t last = slots - 1;
      while (entries[last] == 0) --last;
      tags[i] = tags[last];
      entries[i] = entries[last];
      tags[last] = entries[last] = 0;
    }
    // Not to a full one. How many slots are used cannot be foretold: no loop asks.
    void add(std::uint32_t tag, std::uint32_t entry) {
      const auto i = static_cast<std::size_t>(std::countr_zero(equal_words(entries.data(), 0)));
      tags[i] = tag;
      entries[i] = entry;
    }
    // The bits of the slots with that tag, empty ones perhaps among them.
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

  using Buckets = std::vector<Bucket, LargeAllocator<Bucket>>;

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  std::size_t mask() const { return buckets_.size() - 1; }
  std::size_t home(std::uint64_t hash) const { return tag_of(hash) & mask(); }

  void place(std::uint32_t tag, std::uint32_t entry) {
    std::size_t i = home(tag);
    while (buckets_[i].full()) i = (i + 1) & mask();
    buckets_[i].add(tag, entry);
  }

  // An entry of a bucket that stands behind `hole` on its way from its home; 0 where there is none.
  std::uint32_t first_that_may_move(std::size_t bucket, std::size_t hole) const {
    for (std::size_t i = 0; i < slots && buckets_[bucket].entries[i] != 0; ++i) {
      const std::size_t way = (bucket - home(buckets_[bucket].tags[i])) & mask();
      if (way >= ((bucket - hole) & mask())) return buckets_[bucket].entries[i];
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

  void make_room() {
    if (is_crowded(size_ + 1, buckets_.size())) grow();
  }

  void grow() {
    if (bytes() + bytes_with(1) > room_)
      throw std::length_error("the index must stay within its limit of bytes");
    rebuild(twice(buckets_.size()));
  }

  void rebuild(std::size_t buckets) {
    Buckets old(buckets);
    old.swap(buckets_);
    for (const Bucket& bucket : old)
      for (std::size_t i = 0; i < slots && bucket.entries[i] != 0; ++i)
        place(bucket.tags[i], bucket.entries[i]);
  }

  Buckets buckets_;
  std::size_t size_ = 0, room_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace engram::narsese
