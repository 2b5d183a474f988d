// SPDX-License-Identifier: MIT
#include "core/numbers/chunked_vector.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>
#include <vector>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {

TEST_CASE("a chunked vector equals std::vector, and bytes_with bounds its bytes", "[core][numbers]") {
  using Item = std::array<int, 5>;
  ChunkedVector<Item> items;
  std::vector<Item> expected;
  CHECK(items.empty());
  CHECK(items.bytes() == 0);
  for (int k = 0; k < 5000; ++k) {
    const std::size_t with_one = items.bytes_with(1), with_many = items.bytes_with(700);
    const std::size_t before = items.bytes();
    items.push_back({k, k + 1});
    expected.push_back({k, k + 1});
    CHECK(items.bytes() <= with_one);
    CHECK(with_one <= with_many);
    CHECK(before <= items.bytes());
  }
  CHECK(items.size() == expected.size());
  CHECK(std::ranges::equal(items, expected));
  CHECK(items.back() == expected.back());
  // The spare capacity is small.
  CHECK(items.bytes() < sizeof(Item) * (5000 + ChunkedVector<Item>::chunk_items) + 1000);

  ChunkedVector<Item> copy = items;
  copy[17] = {};
  CHECK(items[17] == expected[17]);
  const ChunkedVector<Item> moved = std::move(items);
  CHECK(std::ranges::equal(moved, expected));
  CHECK(items.empty());  // NOLINT(bugprone-use-after-move): a moved-from vector is empty
  items.push_back({1});
  CHECK(items.size() == 1);
}

TEST_CASE("copies of a chunked vector are independent", "[core][numbers]") {
  Rng rng(3, "chunks");
  std::vector<std::pair<ChunkedVector<int>, std::vector<int>>> all(1);
  for (int step = 0; step < 300; ++step) {
    if (rng.below(4) == 0) {
      auto copy = all[rng.below(static_cast<std::uint32_t>(all.size()))];
      all.size() < 6 ? all.push_back(std::move(copy)) : void(all[rng.below(6)] = copy);
    }
    auto& [items, expected] = all[rng.below(static_cast<std::uint32_t>(all.size()))];
    for (std::uint64_t k = rng.below(2000); k > 0; --k) {
      items.push_back(step);
      expected.push_back(step);
    }
    for (int k = 0; k < 20 && !expected.empty(); ++k) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(expected.size()));
      items[at] = expected[at] = -step;
    }
  }
  for (const auto& [items, expected] : all) CHECK(std::ranges::equal(items, expected));
}

TEST_CASE("another thread can use a copy of a chunked vector", "[core][numbers]") {
  ChunkedVector<std::uint64_t> items;
  for (std::uint64_t k = 0; k < 20'000; ++k) items.push_back(k);
  std::uint64_t sum = 0;
  for (int round = 0; round < 20; ++round) {
    const std::size_t size = items.size();
    std::thread other([&sum, copy = items]() mutable {
      for (const std::uint64_t item : copy) sum += item;
      for (std::size_t k = 0; k < copy.size(); k += 700) copy[k] = 0;
      copy.push_back(0);
    });
    for (std::size_t k = 0; k < size; k += 500) items[k] = items[k] + 1 - 1;
    items.push_back(0);
    other.join();
  }
  CHECK(sum == 20 * (std::uint64_t{20'000} * 19'999 / 2));
  CHECK(items.size() == 20'020);
}

}  // namespace engram::core
