// SPDX-License-Identifier: MIT
#include "core/numbers/growing_rows.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>
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

// `make` converts a number to an item.
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
  rows.resize(1);  // does not shrink
  CHECK(rows.size() == expected.size());
  if (!rows[0].empty()) {
    rows[0].front() = make(7);
    CHECK(rows[0].front() == make(7));
  }
}

}  // namespace

TEST_CASE("rows grow independently", "[core][numbers]") {
  grow<std::uint32_t>(1, [](std::uint32_t k) { return k; });
  grow<std::uint8_t>(2, [](std::uint32_t k) { return static_cast<std::uint8_t>(k); });
  grow<std::array<std::uint32_t, 5>>(3, [](std::uint32_t k) {
    return std::array<std::uint32_t, 5>{k, k + 1, k + 2, k + 3, k + 4};
  });
}

TEST_CASE("outgrown pieces are reused", "[core][numbers]") {
  GrowingRows<std::uint64_t> rows;
  rows.resize(1000);
  for (std::size_t row = 0; row < 1000; ++row)
    for (std::uint64_t k = 0; k < 64; ++k) rows.push(row, k);
  // Later rows reuse all pieces of at most 32 items, except the last rows' own pieces.
  CHECK(rows.bytes() < 2 * 1000 * 64 * sizeof(std::uint64_t) + (1 << 17));
}

TEST_CASE("copies of rows are independent, also for changes in place", "[core][numbers]") {
  using Rows = std::pair<GrowingRows<std::uint32_t>, std::vector<std::vector<std::uint32_t>>>;
  Rng rng(4, "copied rows");
  std::vector<Rows> all(1);
  all[0].first.resize(50);
  all[0].second.resize(50);
  for (std::uint32_t step = 0; step < 200; ++step) {
    if (rng.below(4) == 0) {
      Rows copy = all[rng.below(static_cast<std::uint32_t>(all.size()))];
      all.size() < 5 ? all.push_back(std::move(copy)) : void(all[rng.below(5)] = std::move(copy));
    }
    auto& [rows, expected] = all[rng.below(static_cast<std::uint32_t>(all.size()))];
    for (std::uint64_t k = rng.below(3000); k > 0; --k) {
      const std::size_t row = rng.below(rng.below(2) == 0 ? 2 : 50);
      rows.push(row, step);
      expected[row].push_back(step);
    }
    const std::size_t row = rng.below(50);
    if (expected[row].empty()) continue;
    rows[row].back() = expected[row].back() = 1'000'000 + step;
  }
  for (const auto& [rows, expected] : all) check_rows(rows, expected);
}

TEST_CASE("another row does not overwrite an outgrown piece that a copy shares", "[core][numbers]") {
  GrowingRows<std::uint32_t> rows;
  rows.resize(2);
  for (const std::uint32_t item : {7U, 8U}) rows.push(0, item);  // fills its first piece
  const GrowingRows<std::uint32_t> copy = rows;
  rows.push(0, 9);
  rows.push(1, 1);  // reuses the piece
  CHECK(std::ranges::equal(copy[0], std::vector<std::uint32_t>{7, 8}));
  check_rows(rows, {{7, 8, 9}, {1}});
}

TEST_CASE("another thread can read copied rows while the originals grow and change", "[core][numbers]") {
  GrowingRows<std::uint64_t> rows;
  rows.resize(100);
  std::vector<std::vector<std::uint64_t>> expected(100);
  std::size_t wrong = 0;
  for (std::uint64_t round = 0; round < 30; ++round) {
    std::thread reader([&wrong, copy = rows, known = expected] {
      for (std::size_t row = 0; row < known.size(); ++row)
        wrong += !std::ranges::equal(copy[row], known[row]);
    });
    for (std::uint64_t k = 0; k < 2000; ++k) {
      const std::size_t row = k * k % 97;
      rows.push(row, k);
      expected[row].push_back(k);
      if (k % 50 == 0) rows[row].front() = expected[row].front() = round;
    }
    reader.join();
  }
  CHECK(wrong == 0);
  check_rows(rows, expected);
}

}  // namespace engram::core
