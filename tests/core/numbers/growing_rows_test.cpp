// SPDX-License-Identifier: MIT
#include "core/numbers/growing_rows.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

template <class T>
void check_rows(const GrowingRows<T>& rows, const std::vector<std::vector<T>>& expected) {
  REQUIRE(rows.size() == expected.size());
  std::size_t items = 0;
  for (std::size_t row = 0; row < expected.size(); ++row) {
    CHECK(std::ranges::equal(rows[row], expected[row]));
    items += expected[row].size();
  }
  CHECK(rows.items() == items);
}

// `make`: an item of a number.
template <class T, class Make>
void grow(std::uint64_t seed, const Make& make) {
  Rng rng(seed, "growing rows");
  GrowingRows<T> rows;
  std::vector<std::vector<T>> expected;
  for (std::uint32_t k = 0; k < 20'000; ++k) {
    if (rng.below(10) == 0) {
      expected.emplace_back();
      rows.resize(expected.size());
    }
    if (expected.empty()) continue;
    const std::size_t row =
        rng.below(rng.below(3) == 0 ? std::min<std::size_t>(3, expected.size()) : expected.size());
    expected[row].push_back(make(k));
    rows.push(row, make(k));
  }
  check_rows(rows, expected);
  CHECK(rows.bytes() >= rows.items() * sizeof(T));
  rows.resize(1);  // never fewer
  CHECK(rows.size() == expected.size());
  if (!rows[0].empty()) {
    rows[0].front() = make(7);
    CHECK(rows[0].front() == make(7));
  }
}

}  // namespace

TEST_CASE("rows grow each by itself, whatever the others do", "[core][numbers]") {
  grow<std::uint32_t>(1, [](std::uint32_t k) { return k; });
  grow<std::uint8_t>(2, [](std::uint32_t k) { return static_cast<std::uint8_t>(k); });
  grow<std::array<std::uint32_t, 5>>(3, [](std::uint32_t k) {
    return std::array<std::uint32_t, 5>{k, k + 1, k + 2, k + 3, k + 4};
  });
}

TEST_CASE("what rows outgrow is used again", "[core][numbers]") {
  GrowingRows<std::uint64_t> rows;
  rows.resize(1000);
  for (std::size_t row = 0; row < 1000; ++row)
    for (std::uint64_t k = 0; k < 64; ++k) rows.push(row, k);
  // All pieces of 32 and fewer but those of the last rows have gone to later ones.
  CHECK(rows.bytes() < 2 * 1000 * 64 * sizeof(std::uint64_t) + (1 << 17));
}

}  // namespace engram::core
