// SPDX-License-Identifier: MIT
// An open-addressing index from hashes to dense ids, for tables that keep their items in a vector.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

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
/// Cost  O(1) expected; 8 bytes a slot, at most 2/3 of the slots used.
class HashIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  std::size_t size() const { return size_; }

  /// The id stored under `hash` for which equal(id) holds, or `none`.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (slots_.empty()) return none;
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::size_t i = tag & mask();; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (slot.id == none) return none;
      if (slot.tag == tag && equal(slot.id)) return slot.id;
    }
  }

  /// Asks memory for the slot of a hash, so that a later find need not wait.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[static_cast<std::uint32_t>(hash) & mask()]);
  }

  /// The id that find is likely to give, by what the first two slots say; 0 where they say nothing. In
  /// arithmetic alone, as whether there is one cannot be foretold: asking for many costs no wrong branches.
  std::uint32_t guess(std::uint64_t hash) const {
    if (slots_.empty()) return 0;
    const auto tag = static_cast<std::uint32_t>(hash);
    const auto id_in = [&](std::size_t i) {
      const Slot& slot = slots_[i & mask()];
      return slot.id | -static_cast<std::uint32_t>(slot.tag != tag);  // or none, which has all bits
    };
    const std::uint32_t id = std::min(id_in(tag), id_in(tag + std::size_t{1}));
    return id + static_cast<std::uint32_t>(id == none);
  }

  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

  /// Adds an id that is not in the index yet.
  void insert(std::uint64_t hash, std::uint32_t id) {
    make_room();
    place({static_cast<std::uint32_t>(hash), id});
    ++size_;
  }

  /// What find finds; where that is `none`, the id that make() returns, which is then in the index. make()
  /// must not use the index.
  template <class Equal, class Make>
  std::uint32_t find_or_insert(std::uint64_t hash, Equal equal, Make make) {
    make_room();
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::size_t i = tag & mask();; i = (i + 1) & mask()) {
      Slot& slot = slots_[i];
      if (slot.id == none) {
        slot = {tag, make()};
        ++size_;
        return slot.id;
      }
      if (slot.tag == tag && equal(slot.id)) return slot.id;
    }
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = none;
  };

  using Slots = std::vector<Slot, LargeAllocator<Slot>>;

  std::size_t mask() const { return slots_.size() - 1; }

  void place(Slot slot) {
    std::size_t i = slot.tag & mask();
    while (slots_[i].id != none) i = (i + 1) & mask();
    slots_[i] = slot;
  }

  void make_room() {
    if (3 * (size_ + 1) > 2 * slots_.size()) grow();
  }

  void grow() {
    Slots old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.id != none) place(slot);
  }

  Slots slots_;
  std::size_t size_ = 0;
};

}  // namespace engram::narsese
