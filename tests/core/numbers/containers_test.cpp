// SPDX-License-Identifier: MIT
// Tests of the containers that copies of a memory share, and of numbers as bytes.
#include <bit>
#include <thread>

#include "core/numbers/bytes.hpp"
#include "core/numbers/chunked_vector.hpp"
#include "core/numbers/growing_rows.hpp"
#include "tests/core/samples.hpp"

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

// Pushes random items to random rows and compares the rows with vectors. `make` converts a number to an item.
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
  rows.resize(1);  // a smaller size does not remove rows
  CHECK(rows.size() == expected.size());
  if (!rows[0].empty()) {
    rows[0].front() = make(7);
    CHECK(rows[0].front() == make(7));
  }
}

}  // namespace

TEST_CASE("rows grow independently", "[numbers]") {
  grow<std::uint32_t>(1, [](std::uint32_t k) { return k; });
  grow<std::uint8_t>(2, [](std::uint32_t k) { return static_cast<std::uint8_t>(k); });
  grow<std::array<std::uint32_t, 5>>(3, [](std::uint32_t k) {
    return std::array<std::uint32_t, 5>{k, k + 1, k + 2, k + 3, k + 4};
  });
}

TEST_CASE("outgrown pieces are reused", "[numbers]") {
  GrowingRows<std::uint64_t> rows;
  rows.resize(1000);
  for (std::size_t row = 0; row < 1000; ++row)
    for (std::uint64_t k = 0; k < 64; ++k) rows.push(row, k);
  // Later rows reuse the outgrown pieces of up to 32 items of earlier rows. Only the pieces that the last rows outgrow
  // stay unused.
  CHECK(rows.bytes() < 2 * 1000 * 64 * sizeof(std::uint64_t) + (1 << 17));
}

TEST_CASE("copies of rows are independent, also for changes in place", "[numbers]") {
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

TEST_CASE("another row does not overwrite an outgrown piece that a copy shares", "[numbers]") {
  GrowingRows<std::uint32_t> rows;
  rows.resize(2);
  // These two items fill the first piece of row 0.
  for (const std::uint32_t item : {7U, 8U}) rows.push(0, item);
  const GrowingRows<std::uint32_t> copy = rows;
  rows.push(0, 9);
  rows.push(1, 1);  // may reuse the piece, but must not change the copy
  CHECK(std::ranges::equal(copy[0], std::vector<std::uint32_t>{7, 8}));
  check_rows(rows, {{7, 8, 9}, {1}});
}

TEST_CASE("another thread can read copied rows while the originals grow and change", "[numbers]") {
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

TEST_CASE("a chunked vector equals std::vector, and bytes_with bounds its bytes", "[numbers]") {
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
  // The spare capacity is at most about one chunk.
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

TEST_CASE("copies of a chunked vector are independent", "[numbers]") {
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

TEST_CASE("another thread can use a copy of a chunked vector", "[numbers]") {
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

TEST_CASE("numbers round-trip through little-endian bytes", "[numbers]") {
  std::string bytes;
  put_bytes(bytes, std::uint32_t{0x01020304});
  put_bytes(bytes, std::uint64_t{0xFF});
  CHECK(bytes == std::string("\x04\x03\x02\x01\xFF\0\0\0\0\0\0\0", 12));
  const std::vector<float> numbers{1.5F, -0.0F, std::numeric_limits<float>::denorm_min()};
  put_floats(bytes, numbers);
  std::string_view rest = bytes;
  CHECK(take_bytes<std::uint32_t>(rest) == 0x01020304);
  CHECK(take_bytes<std::uint64_t>(rest) == 0xFF);
  const std::vector<float> back = take_floats(rest, 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::bit_cast<std::uint32_t>(back[i]) == std::bit_cast<std::uint32_t>(numbers[i]));
  CHECK(rest.empty());
}

}  // namespace engram::core
