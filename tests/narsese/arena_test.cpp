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

struct Piece {
  std::uint32_t number;
  std::size_t bytes;
  unsigned char fill;
};

/// Counts the bytes that changed after the pieces were written.
std::size_t damaged(const Arena& arena, const std::vector<Piece>& pieces) {
  std::size_t count = 0;
  for (const Piece& piece : pieces) {
    const auto* bytes = static_cast<const unsigned char*>(arena.at(piece.number));
    for (std::size_t i = 0; i < piece.bytes; ++i) count += bytes[i] != piece.fill;
  }
  return count;
}

}  // namespace

TEST_CASE("arena pieces do not overlap, even after a move", "[narsese][arena]") {
  Random random(41);
  Arena arena;
  std::vector<Piece> pieces;
  std::size_t misaligned = 0;
  for (int i = 0; i < 20000; ++i) {
    // Sometimes more than a chunk of 64 KiB, or a whole number of chunks.
    const std::size_t bytes = random.one_in(1000)  ? random.below(1 << 20) + 1
                              : random.one_in(500) ? (std::size_t{1} << 16) * (1 + random.below(4))
                                                   : random.below(100) + 1;
    pieces.push_back({arena.allocate(bytes), bytes, static_cast<unsigned char>(random.below(256))});
    std::memset(arena.at(pieces.back().number), pieces.back().fill, bytes);
    misaligned += reinterpret_cast<std::uintptr_t>(arena.at(pieces.back().number)) % Arena::unit_bytes != 0;
  }
  CHECK(misaligned == 0);
  CHECK(damaged(arena, pieces) == 0);
  std::size_t asked = 0;
  for (const Piece& piece : pieces) asked += piece.bytes;
  CHECK(arena.bytes() >= asked);

  const Arena moved = std::move(arena);
  CHECK(damaged(moved, pieces) == 0);
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
    // The next piece begins after the first one.
    const std::uint32_t next = arena.allocate(8);
    CHECK(static_cast<std::size_t>(next - number) * Arena::unit_bytes >= first);
  }
}
