// SPDX-License-Identifier: MIT
#include "core/numbers/random.hpp"

#include <numeric>

#include "narsese/hash_index.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Block = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

// Reference implementation of Philox4x32-10 as printed by Salmon et al. 2011.
Block philox(Block c, Key k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53u} * c[0], second = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(second >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(second),
         static_cast<std::uint32_t>(first >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(first)};
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  return c;
}

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

std::vector<std::uint64_t> draws(Rng rng, int count) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < count; ++i) all.push_back(rng.bits());
  return all;
}

std::vector<double> equal_shares(std::size_t bins, int total) {
  return std::vector<double>(bins, static_cast<double>(total) / static_cast<double>(bins));
}

TEST_CASE("bits are words 0 and 1 of Philox4x32-10 at counter (draw, trial)", "[random]") {
  // Checks the reference with the known answers of Random123.
  REQUIRE(philox({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
  REQUIRE(philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}) ==
          Block{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u});
  for (const std::uint64_t seed : {0ULL, 1ULL, 0xdeadbeefcafef00dULL})
    for (const std::uint64_t trial : {0ULL, 7ULL, 0x123456789abcdef0ULL}) {
      const std::uint64_t key = narsese::hash_combine(narsese::hash_bytes("a stream"), seed);
      Rng rng(seed, "a stream", trial);
      for (std::uint64_t draw = 0; draw < 20; ++draw) {
        const Block block = philox({low(draw), high(draw), low(trial), high(trial)}, {low(key), high(key)});
        CHECK(rng.bits() == ((std::uint64_t{block[1]} << 32) | block[0]));
      }
    }
}

TEST_CASE("the name of the scheme and its first numbers never change", "[random]") {
  CHECK(Rng::scheme == "philox4x32-10/engram-1");
  // These values must never change, because every published result would change with them.
  Rng rng(1, "pinned", 2);
  CHECK(rng.bits() == 0xc7e2d8a4ad04a3c2ULL);
  CHECK(rng.bits() == 0xf0b6c30ecbf26a44ULL);
  CHECK(rng.bits() == 0x45dc0b1e47e58c46ULL);
}

TEST_CASE("draws repeat for the same seed, stream and trial, and differ for others", "[random]") {
  const auto reference = draws(Rng(1, "stream", 0), 100);
  CHECK(draws(Rng(1, "stream", 0), 100) == reference);
  std::set<std::uint64_t> seen(reference.begin(), reference.end());
  CHECK(seen.size() == 100);
  for (const Rng& other : {Rng(2, "stream", 0), Rng(1, "stream", 1), Rng(1, "streams", 0), Rng(1, "", 0),
                           Rng(1ULL << 63, "stream", 0), Rng(1, "stream", 1ULL << 32)})
    for (const std::uint64_t x : draws(other, 100)) CHECK(seen.insert(x).second);  // 64 bits do not repeat
}

TEST_CASE("a draw depends only on its number, not on the use of earlier draws", "[random]") {
  Rng plain(5, "independent"), mixed(5, "independent");
  for (int i = 0; i < 3; ++i) plain.bits();
  mixed.uniform();
  mixed.bits();
  mixed.below(1ULL << 20);  // one draw, because a power of two needs no rejection
  CHECK(plain.bits() == mixed.bits());

  Rng copy = plain;
  CHECK(copy.bits() == plain.bits());
}

TEST_CASE("uniform has a uniform distribution in (0, 1)", "[random]") {
  constexpr int n = 200000;
  Rng rng(6, "uniform");
  std::vector<int> bins(20, 0);
  double total = 0, squares = 0, product = 0, before = 0.5;
  bool inside = true;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    inside = inside && u > 0 && u < 1;
    ++bins[static_cast<std::size_t>(u * 20)];
    total += u;
    squares += (u - 0.5) * (u - 0.5);
    product += (u - 0.5) * (before - 0.5);
    before = u;
  }
  CHECK(inside);
  // Chi-square with 19 degrees of freedom: 99.9 % lie between 4.9 and 45.97.
  const double chi = chi_square(bins, equal_shares(20, n));
  CHECK(chi > 4.9);
  CHECK(chi < 45.97);
  // The tolerances are five standard errors: sqrt(1/12n) for the mean, sqrt(1/180n) for the variance, and 1/(12
  // sqrt(n)) for the lag product.
  CHECK(std::abs(total / n - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
  CHECK(std::abs(squares / n - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / n));
  CHECK(std::abs(product / n) < 5.0 / 12 / std::sqrt(n));
}

TEST_CASE("uniform returns numbers on its grid", "[random]") {
  Rng numbers(12, "uniform grid");
  bool on_grid = true;
  for (int i = 0; i < 1000; ++i) {
    const double place = numbers.uniform() * 0x1p52 - 0.5;
    on_grid = on_grid && place == std::floor(place) && place >= 0 && place <= 0x1p52 - 1;
  }
  CHECK(on_grid);
}

TEST_CASE("uniform uses the high bits of a draw", "[random]") {
  Rng numbers(7, "uniform bits"), raw(7, "uniform bits");
  for (int i = 0; i < 1000; ++i) {
    const double expected = std::ldexp(static_cast<double>(raw.bits() >> 32), -32);
    const double u = numbers.uniform();
    CHECK(u >= expected);
    CHECK(u <= expected + std::ldexp(1.0, -32));
  }
}

TEST_CASE("below is unbiased for bounds other than powers of two", "[random]") {
  Rng rng(8, "below");
  std::vector<int> bins(6, 0);
  for (int i = 0; i < 60000; ++i) ++bins[rng.below(6)];
  CHECK(chi_square(bins, equal_shares(6, 60000)) < 20.52);  // 5 degrees of freedom, 99.9 %

  // Without rejection, the lowest third of the numbers below 3 * 2^62 would be twice as frequent.
  std::vector<int> thirds(3, 0);
  bool inside = true;
  for (int i = 0; i < 30000; ++i) {
    const std::uint64_t x = rng.below(3ULL << 62);
    inside = inside && x < (3ULL << 62);
    ++thirds[std::min<std::size_t>(x >> 62, 2)];
  }
  CHECK(inside);
  CHECK(chi_square(thirds, equal_shares(3, 30000)) < 13.82);  // 2 degrees of freedom, 99.9 %
}

TEST_CASE("below stays below its bound and rejects 0", "[random]") {
  Rng rng(9, "below bounds");
  for (int i = 0; i < 100; ++i) CHECK(rng.below(1) == 0);
  for (const std::uint64_t bound : {2ULL, 3ULL, 1000003ULL, 1ULL << 63, ~0ULL}) {
    bool inside = true;
    for (int i = 0; i < 1000; ++i) inside = inside && rng.below(bound) < bound;
    CHECK(inside);
  }
  CHECK_INVALID(rng.below(0));
}

TEST_CASE("a permutation contains every number once", "[random]") {
  Rng rng(10, "permutation");
  for (const std::uint32_t n : {0u, 1u, 2u, 3u, 17u, 1000u}) {
    auto items = rng.permutation(n);
    REQUIRE(items.size() == n);
    std::sort(items.begin(), items.end());
    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0u);
    CHECK(items == expected);
  }
}

TEST_CASE("all 24 permutations of four numbers are equally frequent", "[random]") {
  Rng rng(11, "permutations of four");
  std::map<std::vector<std::uint32_t>, int> counts;
  for (int i = 0; i < 24000; ++i) ++counts[rng.permutation(4)];
  REQUIRE(counts.size() == 24);
  std::vector<int> observed;
  for (const auto& entry : counts) observed.push_back(entry.second);
  CHECK(chi_square(observed, equal_shares(24, 24000)) < 49.73);  // 23 degrees of freedom, 99.9 %
}

}  // namespace
}  // namespace engram::core
