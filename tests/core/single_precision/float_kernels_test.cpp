// SPDX-License-Identifier: MIT
#include "core/single_precision/float_kernels.hpp"

#include <bit>

#include "core/single_precision/float_store.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

std::vector<float> numbers(Rng& rng, std::size_t count) {
  std::vector<float> all(count);
  for (float& x : all) x = static_cast<float>(normal(rng));
  return all;
}

// Converts numbers to their storage order, in groups of 16.
template <class Stored>
std::vector<Stored> stored(const std::vector<float>& plain) {
  std::vector<Stored> all(plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::size_t place = i / lane_keys * lane_keys + stored_place<Stored>(i % lane_keys);
    if constexpr (std::is_same_v<Stored, float>)
      all[place] = plain[i];
    else
      all[place] = to_bf16(plain[i]);
  }
  return all;
}

template <class Stored>
float as_stored(float x) {
  if constexpr (std::is_same_v<Stored, float>)
    return x;
  else
    return to_float(to_bf16(x));
}

template <class Stored>
const StoredKernels<Stored>& of(const FloatKernels& kernels) {
  if constexpr (std::is_same_v<Stored, float>)
    return kernels.of_float;
  else
    return kernels.of_bf16;
}

template <class Stored>
void check_products(std::size_t queries, std::size_t columns, std::size_t keys) {
  Rng rng(1, "float_kernels_test products", queries * 1000003 + columns * 1009 + keys);
  const std::size_t panels = (keys + lane_keys - 1) / lane_keys, width = panels * lane_keys;
  const std::vector<float> q = numbers(rng, queries * columns), k = numbers(rng, width * columns);
  const std::vector<float> w = numbers(rng, queries * score_stride), v = numbers(rng, keys * width);
  std::vector<float> scores(queries * score_stride), sums(queries * width);
  for (std::size_t i = 0; i < queries; ++i) {
    for (std::size_t key = 0; key < width; ++key) {
      float total = 0;
      for (std::size_t j = 0; j < columns; ++j)
        total = std::fma(
            q[i * columns + j],
            as_stored<Stored>(k[key / lane_keys * lane_keys * columns + j * lane_keys + key % lane_keys]),
            total);
      scores[i * score_stride + key] = total;
    }
    for (std::size_t c = 0; c < width; ++c) {
      float total = 0;
      for (std::size_t key = 0; key < keys; ++key)
        total = std::fma(w[i * score_stride + key], as_stored<Stored>(v[key * width + c]), total);
      sums[i * width + c] = total;
    }
  }
  // The first query's weights multiply the panels, and the products are added to existing sums.
  const std::vector<float> begun = numbers(rng, columns * lane_keys);
  std::vector<float> parts = begun;
  for (std::size_t p = 0; p < panels; ++p)
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i] = std::fma(w[p * lane_keys + i % lane_keys], as_stored<Stored>(k[p * lane_keys * columns + i]),
                          parts[i]);
  const std::vector<Stored> stored_keys = stored<Stored>(k), stored_values = stored<Stored>(v);
  for (const Instructions instructions : available_instructions()) {
    INFO(name(instructions) << ' ' << queries << ' ' << columns << ' ' << keys);
    const StoredKernels<Stored>& kernels = of<Stored>(float_kernels(instructions));
    std::vector<float> out(queries * score_stride);
    kernels.scores(q.data(), queries, columns, stored_keys.data(), panels, out.data());
    CHECK(out == scores);
    out.assign(queries * width, std::numeric_limits<float>::quiet_NaN());
    kernels.weigh(w.data(), queries, stored_values.data(), keys, width, out.data());
    CHECK(out == sums);
    out = begun;
    kernels.weigh_panels(w.data(), columns, stored_keys.data(), panels, out.data());
    CHECK(out == parts);
  }
}

TEST_CASE("products of floats and bf16 have the bits of the documented sums with all instructions",
          "[float]") {
  for (const auto& [queries, columns, keys] : std::vector<std::array<std::size_t, 3>>{{1, 1, 1},
                                                                                      {1, 64, 256},
                                                                                      {2, 7, 17},
                                                                                      {3, 16, 33},
                                                                                      {4, 33, 65},
                                                                                      {5, 64, 100},
                                                                                      {6, 15, 128},
                                                                                      {7, 3, 255},
                                                                                      {8, 20, 64},
                                                                                      {9, 17, 80},
                                                                                      {13, 2, 96},
                                                                                      {15, 5, 112},
                                                                                      {64, 31, 48},
                                                                                      {1, 300, 150},
                                                                                      {70, 9, 15}}) {
    check_products<float>(queries, columns, keys);
    check_products<Bf16>(queries, columns, keys);
  }
}

TEST_CASE("exponentials have an error of at most 1.5 units in the last place", "[float]") {
  Rng rng(2, "float_kernels_test exponentials");
  std::vector<float> x(1 << 14);
  for (float& s : x) s = static_cast<float>(uniform(rng, -127, 0));
  for (std::size_t i = 0; i < 300; ++i)
    x[i] = -0.5F * static_cast<float>(i);  // multiples of 1/2 are boundaries of the range reduction
  const std::array edges{0.0F,
                         -0.0F,
                         -1e-40F,
                         -125.0F,
                         std::nextafter(-125.0F, -200.0F),
                         -1e30F,
                         -std::numeric_limits<float>::infinity()};
  std::copy(edges.begin(), edges.end(), x.begin() + 300);
  std::vector<float> powers;
  for (const Instructions instructions : available_instructions()) {
    INFO(name(instructions));
    std::vector<float> out = x;
    const float total = float_kernels(instructions).exponentials(out.data(), out.size(), 0);
    if (powers.empty()) powers = out;
    for (std::size_t i = 0; i < out.size(); ++i)
      REQUIRE(std::bit_cast<std::uint32_t>(out[i]) == std::bit_cast<std::uint32_t>(powers[i]));
    std::array<float, lane_keys> lanes{};
    for (std::size_t i = 0; i < out.size(); ++i) lanes[i % lane_keys] += out[i];
    for (std::size_t half = 8; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    CHECK(total == lanes[0]);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < -125) {
      REQUIRE(powers[i] == 0);
      continue;
    }
    const double exact = std::exp2(static_cast<double>(x[i]));
    const double unit = std::ldexp(1.0, std::ilogb(exact) - 23);
    REQUIRE(std::abs(static_cast<double>(powers[i]) - exact) < 1.5 * unit);
    if (x[i] == std::floor(x[i])) REQUIRE(static_cast<double>(powers[i]) == exact);
  }
}

TEST_CASE("exponentials subtract the largest score", "[float]") {
  for (const Instructions instructions : available_instructions()) {
    const FloatKernels& kernels = float_kernels(instructions);
    for (std::size_t at = 0; at < 48; ++at) {  // the largest number may be at any position
      std::vector<float> scores(48, -7.0F);
      scores[at] = -3.0F;
      REQUIRE(kernels.largest(scores.data(), 48) == -3);
      REQUIRE(kernels.exponentials(scores.data(), 48, -3) == 1 + 47.0F / 16);
      REQUIRE(scores[at] == 1);
      REQUIRE(scores[(at + 1) % 48] == 0.0625F);
    }
  }
}

TEST_CASE("add computes in double precision with rounded products", "[float]") {
  Rng rng(3, "float_kernels_test add");
  const std::vector<float> part = numbers(rng, 64), begun = numbers(rng, 64);
  for (const Instructions instructions : available_instructions()) {
    INFO(name(instructions));
    std::vector<double> sums(begun.begin(), begun.end());
    float_kernels(instructions).add(sums.data(), 0.3, part.data(), 0.7, sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
      CHECK(sums[i] == 0.3 * double{begun[i]} + 0.7 * double{part[i]});
  }
}

TEST_CASE("unavailable instructions are rejected", "[float]") {
  CHECK(available(Instructions::portable));
  CHECK(available(Instructions::best));
  CHECK(name(Instructions::portable) == "portable");
  CHECK(name(Instructions::avx2) == "avx2");
  CHECK(name(Instructions::avx512) == "avx512");
  for (const Instructions instructions : instruction_sets) {
    if (available(instructions))
      CHECK_NOTHROW(float_kernels(instructions));
    else
      CHECK_INVALID(float_kernels(instructions));
  }
}

}  // namespace
}  // namespace engram::core
