// SPDX-License-Identifier: MIT
#include "narsese/hash_index.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

TEST_CASE("an empty hash index finds nothing", "[narsese][hash_index]") {
  const HashIndex index;
  CHECK(index.size() == 0);
  CHECK(index.find(0, [](std::uint32_t) { return true; }) == HashIndex::none);
  CHECK(index.find(~0ULL, [](std::uint32_t) { return true; }) == HashIndex::none);
}

TEST_CASE("reserve needs as much memory as growing", "[narsese][hash_index]") {
  for (const std::uint32_t ids : {1U, 13U, 14U, 1000U, 100'000U}) {
    HashIndex grown, reserved;
    for (std::uint32_t id = 0; id < 5; ++id)
      for (HashIndex* index : {&grown, &reserved}) index->insert(mix(id), id);
    reserved.reserve(ids);
    const std::size_t bytes = reserved.bytes();
    for (std::uint32_t id = 5; id < ids; ++id)
      for (HashIndex* index : {&grown, &reserved}) index->insert(mix(id), id);
    CHECK(reserved.bytes() == bytes);
    CHECK(reserved.bytes() == grown.bytes());
    std::size_t lost = 0;
    for (std::uint32_t id = 0; id < std::max(ids, 5U); ++id)
      lost += reserved.find(mix(id), [&](std::uint32_t found) { return found == id; }) != id;
    CHECK(lost == 0);
    reserved.limit(bytes);
    CHECK_THROWS_AS(reserved.reserve(1U << 20), std::length_error);
    CHECK(reserved.bytes() == bytes);
  }
}

TEST_CASE("a hash index agrees with std::map on random operations", "[narsese][hash_index]") {
  // Hashes with few bits collide in slots and tags. 64-bit hashes do not collide.
  for (const std::uint64_t hash_mask : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
    Random random(hash_mask);
    HashIndex index;
    std::map<std::uint64_t, std::uint32_t> oracle;
    std::vector<std::uint64_t> items;
    const std::size_t operations = hash_mask == ~std::uint64_t{0} ? 20000 : 1000;
    std::size_t differences = 0;
    for (std::size_t i = 0; i < operations; ++i) {
      const std::uint64_t item = random.below(operations / 2);
      const std::uint64_t hash = mix(item) & hash_mask;
      const auto found = index.find(hash, [&](std::uint32_t id) { return items[id] == item; });
      const auto expected = oracle.find(item);
      differences += found != (expected == oracle.end() ? HashIndex::none : expected->second);
      if (found == HashIndex::none) {
        const auto id = static_cast<std::uint32_t>(items.size());
        index.insert(hash, id);
        oracle[item] = id;
        items.push_back(item);
      }
      differences += index.size() != oracle.size();
    }
    CHECK(differences == 0);
    CHECK(items.size() > operations / 4);
  }
}

TEST_CASE("a hash index finds the remaining ids after growing and shrinking", "[narsese][hash_index]") {
  for (const std::uint64_t hash_mask : {std::uint64_t{0x3f}, std::uint64_t{0xfff}, ~std::uint64_t{0}}) {
    HashIndex index;
    const auto hash = [&](std::uint32_t id) { return mix(id) & hash_mask; };
    std::uint32_t first = 0, last = 0;  // the ids from first to last - 1 are in the index
    std::size_t lost = 0;
    for (const std::uint32_t size : {1000U, 3U, 100U, 5U, 3000U, 40U, 0U, 700U}) {
      for (; last - first < size; ++last) index.insert(hash(last), last);
      for (; last - first > size; ++first) index.erase(hash(first), first);
      index.shrink();
      for (std::uint32_t id = 0; id < last; ++id) {
        const std::uint32_t found = index.find(hash(id), [&](std::uint32_t other) { return other == id; });
        lost += found != (id < first ? HashIndex::none : id);
      }
    }
    CHECK(lost == 0);
  }
}

TEST_CASE("find_or_insert makes each item once, even if hashes are equal", "[narsese][hash_index]") {
  for (const std::uint64_t hash_mask : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
    Random random(hash_mask + 1);
    HashIndex index;
    std::vector<std::uint64_t> items;
    std::set<std::uint64_t> seen;
    std::size_t wrong = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t item = random.below(300);
      const auto is_item = [&](std::uint32_t id) { return items[id] == item; };
      const auto id = index.find_or_insert(mix(item) & hash_mask, is_item, [&] {
        items.push_back(item);
        return static_cast<std::uint32_t>(items.size() - 1);
      });
      seen.insert(item);
      wrong += items[id] != item || items.size() != seen.size() || index.size() != seen.size();
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the caller must distinguish hashes with equal low 32 bits", "[narsese][hash_index]") {
  HashIndex index;
  index.insert(0x1'0000'0005, 0);
  index.insert(0x2'0000'0005, 1);
  std::vector<std::uint32_t> asked;
  const auto found = index.find(0x2'0000'0005, [&](std::uint32_t id) {
    asked.push_back(id);
    return id == 1;
  });
  CHECK(found == 1);
  CHECK(asked == std::vector<std::uint32_t>{0, 1});
  CHECK(index.find(0x6, [](std::uint32_t) { return true; }) == HashIndex::none);
}

TEST_CASE("guess is mostly right, and nearly always 0 for missing ids", "[narsese][hash_index]") {
  HashIndex index;
  constexpr std::uint32_t items = 5000;
  for (std::uint32_t id = 1; id <= items; ++id) index.insert(mix(id), id);
  std::uint32_t right = 0, invented = 0;
  for (std::uint32_t id = 1; id <= items; ++id) {
    right += index.guess(mix(id)) == id + 1;
    invented += index.guess(mix(items + id)) != 0;
  }
  CHECK(right > items * 95 / 100);
  CHECK(right < items);  // some guesses are wrong, so the test has both cases
  CHECK(invented < 3);
  // Both ids share one bucket.
  HashIndex pair;
  pair.insert(0x1'0000'0005, 1);
  pair.insert(0x1'0001'0005, 2);
  CHECK(pair.guess(0x1'0000'0005) == 2);
  CHECK(pair.guess(0x1'0001'0005) == 3);
  CHECK(pair.guess(0x1'0002'0005) == 0);
}

TEST_CASE("hash functions give their specified values", "[narsese][hash_index]") {
  CHECK(mix(0) == 0);
  CHECK(mix(1) == 0xb456bcfc34c2cb2cULL);                     // fmix64(1) of MurmurHash3
  CHECK(hash_bytes("") == mix(0xcbf29ce484222325ULL));        // FNV-1a's offset basis
  CHECK(hash_bytes("a") == mix(0xaf63dc4c8601ec8cULL));       // FNV-1a 64 of "a", Noll's test suite
  CHECK(hash_bytes("foobar") == mix(0x85944171f73967e8ULL));  // likewise
  CHECK(hash_combine(0, 1) == mix(1));
  CHECK(hash_combine(1, 0) == mix(0x9e3779b97f4a7c15ULL));
}

TEST_CASE("mix is injective and hash_combine depends on the order", "[narsese][hash_index]") {
  std::set<std::uint64_t> mixed;
  for (std::uint64_t x = 0; x < 10000; ++x) mixed.insert(mix(x));
  CHECK(mixed.size() == 10000);
  CHECK(hash_combine(hash_combine(0, 1), 2) != hash_combine(hash_combine(0, 2), 1));
}
