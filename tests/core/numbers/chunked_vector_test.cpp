// SPDX-License-Identifier: MIT
#include "core/numbers/chunked_vector.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace engram::core {

TEST_CASE("a chunked vector holds what a vector holds, and tells what it takes before it does",
          "[core][numbers]") {
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
  // Little in reserve, however many there are.
  CHECK(items.bytes() < sizeof(Item) * (5000 + ChunkedVector<Item>::chunk_items) + 1000);

  ChunkedVector<Item> copy = items;
  copy[17] = {};
  CHECK(items[17] == expected[17]);
  const ChunkedVector<Item> moved = std::move(items);
  CHECK(std::ranges::equal(moved, expected));
  CHECK(items.empty());  // NOLINT(bugprone-use-after-move): it may be used again
  items.push_back({1});
  CHECK(items.size() == 1);
}

}  // namespace engram::core
