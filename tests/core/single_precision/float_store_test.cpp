// SPDX-License-Identifier: MIT
#include "core/single_precision/float_store.hpp"

#include <bit>

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

float bits(std::uint32_t pattern) { return std::bit_cast<float>(pattern); }

TEST_CASE("to_bf16 rounds to nearest, ties to even", "[float]") {
  CHECK(to_float(to_bf16(0.0F)) == 0);
  CHECK(std::signbit(to_float(to_bf16(-0.0F))));
  CHECK(to_float(to_bf16(1.0F)) == 1);
  CHECK(to_float(to_bf16(-2.5F)) == -2.5F);
  CHECK(static_cast<unsigned>(to_bf16(bits(0x3F808000))) == 0x3F80);  // a tie, rounded down to even
  CHECK(static_cast<unsigned>(to_bf16(bits(0x3F818000))) == 0x3F82);  // a tie, rounded up to even
  CHECK(static_cast<unsigned>(to_bf16(bits(0x3F808001))) == 0x3F81);
  CHECK(static_cast<unsigned>(to_bf16(bits(0x3F817FFF))) == 0x3F81);
  CHECK(static_cast<unsigned>(to_bf16(bits(0x3FFFFFFF))) == 0x4000);  // rounding carries into the exponent
  CHECK(static_cast<unsigned>(to_bf16(bits(0x00000001))) == 0);       // subnormal numbers become 0
  Rng rng(1, "float_store_test bf16");
  for (int i = 0; i < 10000; ++i) {
    const auto x = static_cast<float>(normal(rng));
    const float back = to_float(to_bf16(x));
    REQUIRE(std::abs(back - x) <= std::abs(x) * 0x1p-8F);
    REQUIRE(to_float(to_bf16(back)) == back);
  }
}

template <class Rows>
void check_rows(Index rows, Index columns, Precision precision, bool reserved) {
  Rng rng(2, "float_store_test rows", static_cast<std::uint64_t>(rows * 1000 + columns));
  const Matrix numbers = normal_matrix(rng, rows, columns);
  Rows packed(columns, precision);
  if (reserved) packed.reserve(rows);
  for (Index i = 0; i < rows; ++i) packed.push_back(row_span(numbers, i));
  Rows again(columns, precision);
  again.append(numbers);
  REQUIRE(packed.rows() == rows);
  REQUIRE(packed.columns() == columns);
  float largest = 0;
  double largest_square = 0;
  for (Index i = 0; i < rows; ++i) {
    double square = 0;
    for (Index j = 0; j < columns; ++j) {
      const auto rounded = static_cast<float>(numbers(i, j));
      const float kept = precision == Precision::float32 ? rounded : to_float(to_bf16(rounded));
      REQUIRE(packed.at(i, j) == kept);
      REQUIRE(again.at(i, j) == kept);
      largest = std::max(largest, std::abs(kept));
      square += static_cast<double>(kept) * static_cast<double>(kept);
    }
    largest_square = std::max(largest_square, square);
  }
  CHECK(packed.largest() == largest);
  CHECK(packed.largest_square() == Approx(largest_square).epsilon(1e-14));
}

TEST_CASE("packed rows return the rounded numbers", "[float]") {
  for (const Precision precision : samples::precisions)
    for (const Index rows : {1, 15, 16, 17, 100})
      for (const Index columns : {1, 15, 16, 17, 40}) {
        check_rows<PackedKeys>(rows, columns, precision, rows % 2 == 0);
        check_rows<PackedValues>(rows, columns, precision, rows % 2 == 1);
      }
}

TEST_CASE("packed rows report their bytes", "[float]") {
  const Matrix numbers = Matrix::Ones(17, 33);
  PackedKeys keys(33), half_keys(33, Precision::bf16);
  PackedValues values(33), half_values(33, Precision::bf16);
  for (PackedRows* rows : std::initializer_list<PackedRows*>{&keys, &half_keys, &values, &half_values}) {
    CHECK(rows->bytes() == 0);
    rows->append(numbers);
  }
  CHECK(keys.bytes() == 32 * 33 * 4);
  CHECK(half_keys.bytes() == 32 * 33 * 2);
  CHECK(values.width() == 48);
  CHECK(values.bytes() == 17 * 48 * 4);
  CHECK(half_values.bytes() == 17 * 48 * 2);
  CHECK(reinterpret_cast<std::uintptr_t>(keys.from_row<float>(16)) % 64 == 0);
}

TEST_CASE("packed rows can exceed a large page", "[float]") {
  PackedValues values(64);  // each row has 256 bytes
  std::vector<float> row(64);
  for (int i = 0; i < 20000; ++i) {
    row[static_cast<std::size_t>(i % 64)] = static_cast<float>(i);
    values.push_back(row);
  }
  CHECK(values.bytes() == 20000 * 256);
  CHECK(values.at(19999, 19999 % 64) == 19999);
  CHECK(values.at(19999, 0) == 19968);
  CHECK(values.at(5, 5) == 5);
  CHECK(values.at(5, 6) == 0);
  CHECK(values.largest() == 19999);
}

TEST_CASE("packed rows reject invalid rows", "[float]") {
  CHECK_INVALID(PackedKeys(0));
  CHECK_INVALID(PackedValues(-1));
  CHECK_INVALID(PackedKeys(1).reserve(Index{1} << 31));
  for (const Precision precision : samples::precisions) {
    PackedKeys keys(2, precision);
    for (const double bad : {nan, infinity, -1e31, 1e300}) {
      CHECK_INVALID(keys.push_back(std::vector{0.0, bad}));
    }
    CHECK_INVALID(keys.push_back(std::vector{1.0}));
    CHECK_INVALID(keys.push_back(std::vector{1.0F, std::numeric_limits<float>::quiet_NaN()}));
    CHECK_INVALID(keys.append(Matrix::Ones(1, 3)));
    CHECK(keys.rows() == 0);
    keys.push_back(std::vector{0x1p100, -0x1p-1074});
    CHECK(keys.at(0, 0) == 0x1p100F);
    CHECK(keys.at(0, 1) == 0);
  }
}

TEST_CASE("precisions have names", "[float]") {
  for (const auto& row : core::precisions) {
    CHECK(value_named(core::precisions, row.name) == row.value);
    CHECK(name_of(core::precisions, row.value) == row.name);
  }
  CHECK(value_named(core::precisions, "bf16") == Precision::bf16);
  CHECK_FALSE(value_named(core::precisions, "double"));
}

}  // namespace
}  // namespace engram::core
