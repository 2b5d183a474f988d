// SPDX-License-Identifier: MIT
// An open-addressing index from hashes to dense ids, for tables that keep their items in a vector.
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
/// a full one overflows into the next. 8 bytes a slot, at most 13/16 of the slots used. A copy costs a look at each
/// 16 KiB, which both share until one of them changes something there (narsese/shared_pieces.hpp).
class HashIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  HashIndex() = default;
  HashIndex(const HashIndex& other)
      : pieces_(other.pieces_),
        buckets_(other.buckets_),
        all_(other.all_),
        size_(other.size_),
        room_(other.room_) {
    other.mine_ = nullptr;
  }
  HashIndex(HashIndex&& other) noexcept { swap(other); }
  HashIndex& operator=(HashIndex other) noexcept {
    swap(other);
    return *this;
  }
  ~HashIndex() = default;

  std::size_t size() const { return size_; }

  /// The id stored under `hash` for which equal(id) holds, or `none`.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (buckets_ == 0) return none;
    for (std::size_t i = home(hash);; i = (i + 1) & mask()) {
      const Bucket& bucket = at(i);
      if (const std::uint32_t id = bucket.find(tag_of(hash), equal); id != none) return id;
      if (!bucket.full()) return none;
    }
  }

  /// Asks memory for the bucket of a hash, so that a later find need not wait. Not of an empty index.
  // Inlined in any case: a compiler that looks at it alone may find that it changes nothing, and leave it out.
  [[gnu::always_inline]] void prefetch(std::uint64_t hash) const { __builtin_prefetch(&at(home(hash))); }

  /// One more than the id that find is likely to give, by what its bucket says; 0 where that says nothing. In
  /// arithmetic alone, as whether there is one cannot be foretold: asking for many costs no wrong branches.
  /// Not of an empty index.
  std::uint32_t guess(std::uint64_t hash) const { return at(home(hash)).guess(tag_of(hash)); }

  std::size_t bytes() const { return bytes_of(buckets_); }
  /// The same once so many more are inserted. Half of it is taken beside it for a moment, where it grows.
  std::size_t bytes_with(std::size_t more) const {
    std::size_t buckets = buckets_;
    while (is_crowded(size_ + more, buckets)) buckets = twice(buckets);
    return bytes_of(buckets);
  }
  /// What it may take, at such a moment, too: beyond, inserting is an error. Not limited unless told.
  void limit(std::size_t bytes) { room_ = bytes; }

  /// Makes room for so many ids in all, for who knows how many will come.
  /// Errors, here and below: std::length_error past the limit; nothing has changed
  void reserve(std::size_t ids) {
    std::size_t buckets = buckets_;
    while (is_crowded(ids, buckets)) buckets = twice(buckets);
    if (buckets == buckets_) return;
    require_room(bytes_of(buckets));
    rebuild(buckets);
  }

  /// Adds an id that is not in the index yet.
  void insert(std::uint64_t hash, std::uint32_t id) {
    if (is_crowded(size_ + 1, buckets_)) grow();
    std::size_t i = home(hash);
    while (at(i).full()) i = (i + 1) & mask();
    to_change(i).add(tag_of(hash), id + 1);
    ++size_;
  }

  /// What find finds; where that is `none`, the id that make() returns, which is then in the index. make()
  /// must not use the index; where it throws, nothing has changed.
  template <class Equal, class Make>
  std::uint32_t find_or_insert(std::uint64_t hash, Equal equal, Make make) {
    if (is_crowded(size_ + 1, buckets_)) {  // what is there is found where nothing new has room
      if (const std::uint32_t id = find(hash, equal); id != none) return id;
      grow();
    }
    for (std::size_t i = home(hash);; i = (i + 1) & mask()) {
      const Bucket& bucket = at(i);
      if (const std::uint32_t id = bucket.find(tag_of(hash), equal); id != none) return id;
      if (bucket.full()) continue;
      const std::uint32_t id = make();
      to_change(i).add(tag_of(hash), id + 1);
      ++size_;
      return id;
    }
  }

  /// Takes an id out that is in the index.  Cost  O(1) expected; memory is given back by shrink()
  void erase(std::uint64_t hash, std::uint32_t id) {
    std::size_t hole = home(hash);
    while (!at(hole).has(id + 1)) hole = (hole + 1) & mask();
    --size_;
    // What overflowed from a bucket that is no longer full moves back into it, and leaves a hole in its turn.
    for (std::uint32_t entry = id + 1;;) {
      const bool was_full = at(hole).full();
      to_change(hole).remove(entry);
      if (!was_full) return;
      std::size_t from = (hole + 1) & mask();
      entry = 0;
      for (;; from = (from + 1) & mask()) {
        entry = first_that_may_move(from, hole);
        if (entry != 0 || !at(from).full()) break;
      }
      if (entry == 0) return;
      to_change(hole).add(at(from).tag_at(entry), entry);
      hole = from;
    }
  }

  /// Gives back memory where so much is out that half of it would do for twice the ids there are. So it costs
  /// no more than what was inserted before.
  void shrink() {
    std::size_t buckets = buckets_;
    while (buckets > least_buckets && !is_crowded(4 * size_, buckets)) buckets /= 2;
    if (buckets != buckets_) rebuild(buckets);
  }

 private:
  static constexpr std::size_t slots = 8, least_buckets = 2, piece_buckets = 256;
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
    // How many slots are used cannot be foretold: no loop asks.
    std::size_t used() const {
      return static_cast<std::size_t>(std::countr_zero(equal_words(entries.data(), 0) | 1U << slots));
    }
    // Not to a full one.
    void add(std::uint32_t tag, std::uint32_t entry) {
      const std::size_t i = used();
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

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  std::size_t mask() const { return buckets_ - 1; }
  std::size_t home(std::uint64_t hash) const { return tag_of(hash) & mask(); }

  const Bucket& at(std::size_t i) const {
    if (all_ != nullptr) [[likely]]
      return all_[i];
    return pieces_[i / piece_buckets][i % piece_buckets];
  }
  Bucket& to_change(std::size_t i) {
    if (mine_ != nullptr) return mine_[i];
    Bucket& bucket = pieces_.writable(i / piece_buckets)[i % piece_buckets];
    if (all_ != nullptr && &bucket != all_ + i) all_ = nullptr;  // a piece has gone elsewhere
    return bucket;
  }

  // An entry of a bucket that stands behind `hole` on its way from its home; 0 where there is none.
  std::uint32_t first_that_may_move(std::size_t bucket, std::size_t hole) const {
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

  // For a table beside the one there is.
  void require_room(std::size_t more) const {
    if (bytes() + more > room_) throw std::length_error("the index must stay within its limit of bytes");
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
        put_in_two(b, anew[b], anew[b + buckets_], put);
        continue;
      }
      for (std::size_t i = 0; i < slots && entries[i] != 0; ++i) put(tags[i], entries[i]);
    }
    pieces_ = std::move(pieces);
    all_ = mine_ = anew;
    buckets_ = buckets;
  }

  // What stands in its own bucket goes to one of two, where there are twice as many. To which cannot be foretold, and
  // no branch asks.
  template <class Put>
  void put_in_two(std::size_t b, Bucket& low, Bucket& high, const Put& put) const {
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
    std::swap(all_, other.all_);
    std::swap(mine_, other.mine_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

  SharedPieces<Bucket> pieces_;
  std::size_t buckets_ = 0;
  // While all pieces stand behind one another, as they were made, where they begin: nobody needs to look for one.
  const Bucket* all_ = nullptr;
  mutable Bucket* mine_ = nullptr;  // the same, as long as no copy has been taken
  std::size_t size_ = 0, room_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace engram::narsese
