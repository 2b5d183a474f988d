// SPDX-License-Identifier: MIT
#include "core/links/vector_rows.hpp"

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using Rows = VectorRows<float, 32>;

Rows::Rows drawn(std::size_t count, Rng& rng) {
  Rows::Rows rows(count);
  for (auto& row : rows)
    for (float& x : row) x = static_cast<float>(2 * rng.uniform() - 1);
  return rows;
}

// Values of `wide` to test: false, and true if the processor has AVX2.
std::vector<bool> widths() { return Rows::has_wide() ? std::vector{false, true} : std::vector{false}; }

// Products are added in the documented order, and every register width gives the same bits.
TEST_CASE("rows: products are added in the order of columns", "[rows]") {
  Rng rng(1, "vector rows");
  const Rows::Rows m = drawn(32, rng), x = drawn(9, rng);
  const std::vector<std::uint32_t> from{0, 3, 3, 8, 1, 2, 5}, to{6, 2, 0, 1, 4, 3, 5};
  const Rows::Rows begun = drawn(7, rng);
  Rows::Rows expected = begun;
  for (std::size_t k = 0; k < from.size(); ++k)
    for (std::size_t j = 0; j < 32; ++j)
      for (std::size_t i = 0; i < 32; ++i) {
        const float product = m[j][i] * x[from[k]][j];
        expected[to[k]][i] += product;
      }
  for (const bool wide : widths()) {
    INFO("wide " << wide);
    Rows::Rows sums = begun;
    Rows::add_products(m[0].data(), sums, to, x, from, wide);
    CHECK(sums == expected);
  }
}

TEST_CASE("rows: outer products are added in the order of pairs", "[rows]") {
  Rng rng(2, "vector rows");
  const Rows::Rows y = drawn(9, rng), x = drawn(9, rng);
  const std::vector<std::uint32_t> a{0, 3, 3, 8, 1, 2, 5}, b{6, 2, 0, 1, 4, 3, 5};
  const Rows::Rows begun = drawn(32, rng);
  Rows::Rows m, expected = begun;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t j = 0; j < 32; ++j)
      for (std::size_t i = 0; i < 32; ++i) {
        const float product = y[a[k]][i] * x[b[k]][j];
        expected[j][i] += product;
      }
  for (const bool wide : widths()) {
    INFO("wide " << wide);
    m = begun;
    Rows::add_outer(m[0].data(), y, a, x, b, wide);
    CHECK(m == expected);
  }
  const auto turned = Rows::transposed(m[0].data());
  for (std::size_t j = 0; j < 32; ++j)
    for (std::size_t i = 0; i < 32; ++i) CHECK(turned[i * 32 + j] == m[j][i]);
}

}  // namespace
}  // namespace engram::core
