// SPDX-License-Identifier: MIT
#include "narsese/arena.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

namespace {

/// An arena whose pieces are filled with random bytes, one value for each piece.
struct FilledArena {
  struct Piece {
    std::uint32_t number;
    std::size_t bytes;
    unsigned char fill;
  };

  void add(Random& random, std::size_t bytes) {
    pieces.push_back({arena.allocate(bytes), bytes, static_cast<unsigned char>(random.below(256))});
    std::memset(arena.at(pieces.back().number), pieces.back().fill, bytes);
  }
  /// Number of bytes that changed after the pieces were written.
  std::size_t damaged() const {
    std::size_t count = 0;
    for (const Piece& piece : pieces) {
      const auto* bytes = static_cast<const unsigned char*>(arena.at(piece.number));
      for (std::size_t i = 0; i < piece.bytes; ++i) count += bytes[i] != piece.fill;
    }
    return count;
  }

  Arena arena;
  std::vector<Piece> pieces;
};

}  // namespace

TEST_CASE("arena pieces do not overlap, even after a move", "[narsese][arena]") {
  Random random(41);
  FilledArena filled;
  std::size_t misaligned = 0, asked = 0;
  for (int i = 0; i < 20000; ++i) {
    // Sometimes a piece exceeds a chunk of 64 KiB, or has the size of several whole chunks.
    const std::size_t bytes = random.one_in(1000)  ? random.below(1 << 20) + 1
                              : random.one_in(500) ? (std::size_t{1} << 16) * (1 + random.below(4))
                                                   : random.below(100) + 1;
    filled.add(random, bytes);
    asked += bytes;
    const void* const place = filled.arena.at(filled.pieces.back().number);
    misaligned += reinterpret_cast<std::uintptr_t>(place) % Arena::unit_bytes != 0;
  }
  CHECK(misaligned == 0);
  CHECK(filled.damaged() == 0);
  CHECK(filled.arena.bytes() >= asked);
  CHECK(FilledArena(std::move(filled)).damaged() == 0);
}

TEST_CASE("the last piece of an arena is writable beyond its size", "[narsese][arena]") {
  Arena arena;
  for (int i = 0; i < 100000; ++i) std::memset(arena.at(arena.allocate(8)), 1, Arena::readable);
  CHECK(arena.bytes() >= 800000);
}

TEST_CASE("arena number 0 is zero bytes and never a piece", "[narsese][arena]") {
  for (const std::size_t first : {std::size_t{1}, std::size_t{1} << 16, std::size_t{1} << 20}) {
    Arena arena;
    const std::uint32_t number = arena.allocate(first);
    CHECK(number >= Arena::readable / Arena::unit_bytes);
    std::memset(arena.at(number), 0xFF, first);
    const auto* const none = static_cast<const unsigned char*>(arena.at(0));
    CHECK(std::count(none, none + Arena::readable, 0) == Arena::readable);
    // The next piece begins behind the first one.
    const std::uint32_t next = arena.allocate(8);
    CHECK(static_cast<std::size_t>(next - number) * Arena::unit_bytes >= first);
  }
}

TEST_CASE("an arena reuses exactly the memory that was released", "[narsese][arena]") {
  Random random(5);
  FilledArena filled;
  struct Moment {
    Arena::Mark mark;
    std::size_t pieces, bytes;
  };
  std::vector<Moment> moments{{filled.arena.mark(), 0, filled.arena.bytes()}};
  std::size_t damaged = 0, other = 0;
  for (int i = 0; i < 30'000; ++i) {
    if (random.one_in(100))
      moments.push_back({filled.arena.mark(), filled.pieces.size(), filled.arena.bytes()});
    if (random.one_in(150)) {
      while (moments.size() > 1 && random.one_in(2)) moments.pop_back();
      filled.arena.rewind(moments.back().mark);
      filled.pieces.resize(moments.back().pieces);
      other += filled.arena.bytes() != moments.back().bytes;
      damaged += filled.damaged();
    }
    filled.add(random, random.one_in(200) ? random.below(1 << 18) + 1 : random.below(100) + 1);
  }
  CHECK(damaged == 0);
  CHECK(other == 0);
}

TEST_CASE("arena copies allocate and release only their own memory", "[narsese][arena]") {
  Random random(10);
  const auto add = [&](FilledArena& filled) {
    filled.add(random, random.one_in(100) ? 70'000 : 1 + random.below(200));
  };
  std::vector<FilledArena> all(1);
  for (int round = 0; round < 200; ++round) {
    FilledArena& some = all[random.below(all.size())];
    const Arena::Mark mark = some.arena.mark();
    const std::size_t before = some.pieces.size();
    for (int i = 0; i < 50; ++i) add(some);
    std::vector<FilledArena> copies;
    if (random.one_in(3)) copies.push_back(some);  // copies include memory that was released
    if (random.one_in(2)) {
      some.arena.rewind(mark);
      some.pieces.resize(before);
    }
    for (int i = 0; i < 20; ++i) add(some);
    for (FilledArena& copy : copies) {
      add(copy);
      if (all.size() < 6) all.push_back(std::move(copy));
    }
    if (all.size() == 6 && random.one_in(3)) {
      std::swap(all[random.below(6)], all.back());
      all.pop_back();
    }
  }
  for (const FilledArena& some : all) CHECK(some.damaged() == 0);
  // An arena that is copied and changed many times wastes almost no memory.
  Arena often;
  for (int i = 0; i < 1000; ++i) {
    const Arena copy = often;
    often.allocate(64);
  }
  CHECK(often.reserved() <= 4 * 65536 + 1000);
}
