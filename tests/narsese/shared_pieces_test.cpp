// SPDX-License-Identifier: MIT
#include "narsese/shared_pieces.hpp"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "narsese/hash_index.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

namespace {

using Pieces = SharedPieces<std::uint32_t>;

std::vector<std::uint32_t> contents(const Pieces& pieces) {
  std::vector<std::uint32_t> all;
  for (std::size_t p = 0; p < pieces.size(); ++p)
    all.insert(all.end(), pieces[p], pieces[p] + pieces.items(p));
  return all;
}

template <class T>
T& one_of(std::vector<T>& all, Random& random) {
  return all[random.below(all.size())];
}
template <class T>
void drop_one(std::vector<T>& all, Random& random) {
  std::swap(one_of(all, random), all.back());
  all.pop_back();
}

// An index and its expected items.
struct Indexed {
  HashIndex index;
  std::vector<bool> has;

  void turn(std::uint32_t id) {
    has[id] ? index.erase(mix(id), id) : index.insert(mix(id), id);
    has[id] = !has[id];
  }
  std::size_t differences() const {
    std::size_t count = 0;
    for (std::uint32_t id = 0; id < has.size(); ++id)
      count += (index.find(mix(id), [&](std::uint32_t i) { return i == id; }) == id) != has[id];
    return count;
  }
};

}  // namespace

TEST_CASE("copies share pieces until one of them writes", "[narsese][shared_pieces]") {
  Random random(5);
  std::vector<std::pair<Pieces, std::vector<std::uint32_t>>> all(1);
  for (std::uint32_t step = 0; step < 4000; ++step) {
    auto& [pieces, expected] = one_of(all, random);
    const std::size_t kind = random.below(20);
    if (kind == 0) {
      const std::size_t more = 1 + random.below(4);
      constexpr std::size_t items = 7;
      for (std::size_t p = pieces.size(), i = 0; i < more; ++i, ++p) {
        if (i == 0) pieces.add(more, items);
        for (std::size_t k = 0; k < items; ++k) pieces.writable(p)[k] = step;
      }
      expected.insert(expected.end(), more * items, step);
    } else if (kind == 1 && all.size() < 8) {
      auto copy = one_of(all, random);
      all.push_back(std::move(copy));
    } else if (kind == 2 && all.size() > 1) {
      drop_one(all, random);
    } else if (kind == 3 && pieces.size() > 20) {
      pieces.resize(10);
      expected.resize(70);
    } else if (!expected.empty()) {
      const std::size_t at = random.below(expected.size());
      pieces.writable(at / 7)[at % 7] = expected[at] = step;
    }
  }
  for (const auto& [pieces, expected] : all) CHECK(contents(pieces) == expected);
}

TEST_CASE("a piece is copied on write only while shared, and released bytes are counted",
          "[narsese][shared_pieces]") {
  Pieces one;
  one.add(2, 100);
  const std::uint32_t* const first = one.writable(0);
  const std::uint64_t before = released_shared_bytes;
  {
    Pieces two = one;
    CHECK(one[0] == two[0]);
    CHECK(one.is_shared(0));
    one.writable(0)[0] = 1;
    CHECK(one[0] != first);
    CHECK(two[0] == first);
    CHECK_FALSE(one.is_shared(0));
    CHECK_FALSE(two.is_shared(0));
    CHECK(two.writable(0) == first);  // no other list shares the piece now
    CHECK(released_shared_bytes - before == 400);
  }
  CHECK(released_shared_bytes - before == 800);  // including the piece that both lists still shared
  const std::uint32_t* const second = one[1];
  CHECK(one.writable(1) == second);
  one.resize(0);
  CHECK(released_shared_bytes - before == 800);
}

TEST_CASE("copies of an index are independent", "[narsese][hash_index]") {
  Random random(9);
  constexpr std::uint32_t ids = 6000;  // more than fit into a piece
  std::vector<Indexed> all(1);
  all[0].has.resize(ids);
  for (int round = 0; round < 60; ++round) {
    if (random.one_in(4)) {
      Indexed copy = one_of(all, random);
      all.push_back(std::move(copy));
    }
    if (random.one_in(4) && all.size() > 4) drop_one(all, random);
    Indexed& some = one_of(all, random);
    for (int i = 0; i < 1500; ++i) some.turn(static_cast<std::uint32_t>(random.below(ids)));
    if (random.one_in(5)) some.index.shrink();
  }
  for (const Indexed& some : all) CHECK(some.differences() == 0);
  CHECK(all.size() > 2);
}

TEST_CASE("a thread can read a copy of an index while the original changes", "[narsese][hash_index]") {
  Indexed original;
  original.has.resize(20'000);
  for (std::uint32_t id = 0; id < 10'000; ++id) original.turn(id);
  std::atomic<std::size_t> differences = 0;
  for (int round = 0; round < 5; ++round) {
    std::vector<std::thread> readers;
    for (int r = 0; r < 2; ++r)
      readers.emplace_back([&, copy = original]() mutable {
        differences += copy.differences();
        for (std::uint32_t id = 0; id < 3000; ++id) copy.turn(id * 5);
        differences += copy.differences();
      });
    for (std::uint32_t id = 0; id < 20'000; id += 3) original.turn(id);
    for (std::thread& reader : readers) reader.join();
  }
  CHECK(differences == 0);
  CHECK(original.differences() == 0);
}
