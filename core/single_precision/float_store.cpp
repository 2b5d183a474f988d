// SPDX-License-Identifier: MIT
#include "core/single_precision/float_store.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace engram::core {
namespace {

constexpr std::size_t large_page = std::size_t{1} << 21;
constexpr float largest_number = 0x1p100F;
constexpr Index most_rows = std::numeric_limits<std::int32_t>::max();

std::size_t rounded_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

}  // namespace

Bf16 to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t half = 0x7FFF + ((bits >> 16) & 1);  // rounds ties to even
  return static_cast<Bf16>((bits + half) >> 16);
}

float to_float(Bf16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

void AlignedBytes::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  // Large pages reduce TLB misses while the memory is streamed.
  const std::size_t alignment = bytes >= large_page ? large_page : 64;
  const std::size_t capacity = rounded_up(bytes, alignment);
  const std::align_val_t align{alignment};
  std::unique_ptr<std::byte, Free> larger(static_cast<std::byte*>(::operator new(capacity, align)), {align});
#ifdef __linux__
  if (alignment == large_page)
    madvise(larger.get(), capacity, MADV_HUGEPAGE);  // may fail, because it is only a hint
#endif
  if (capacity_ > 0) std::memcpy(larger.get(), bytes_.get(), capacity_);
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

PackedRows::PackedRows(Layout layout, Index columns, Precision precision)
    : layout_(layout), precision_(precision), columns_(columns), stride_(0) {
  require(columns >= 1 && columns <= (Index{1} << 24), "packed rows must have 1 to 2^24 columns");
  const auto numbers = static_cast<std::size_t>(columns);
  stride_ = layout == Layout::panels ? numbers : rounded_up(numbers, lane_keys);
}

std::size_t PackedRows::size_of_rows(Index rows) const {
  const std::size_t whole = layout_ == Layout::panels ? rounded_up(static_cast<std::size_t>(rows), lane_keys)
                                                      : static_cast<std::size_t>(rows);
  return whole * stride_ * (precision_ == Precision::float32 ? sizeof(float) : sizeof(Bf16));
}

std::size_t PackedRows::place(Index row, Index c) const {
  const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(c);
  const auto within = [&](std::size_t lane) {
    return precision_ == Precision::float32 ? stored_place<float>(lane) : stored_place<Bf16>(lane);
  };
  if (layout_ == Layout::rows) return i * stride_ + j / lane_keys * lane_keys + within(j % lane_keys);
  return i / lane_keys * (lane_keys * stride_) + j * lane_keys + within(i % lane_keys);
}

void PackedRows::reserve(Index rows) {
  require(rows <= most_rows, "packed rows must be fewer than 2^31");
  if (rows > 0) memory_.reserve(size_of_rows(rows));
}

template <class Number>
void PackedRows::push(std::span<const Number> row) {
  require_size("row", static_cast<Index>(row.size()), columns_);
  float largest = largest_;
  for (const Number x : row) {
    require(std::abs(x) <= largest_number,
            "packed numbers must be finite and at most 2^100 in absolute value", x);
    largest = std::max(largest, std::abs(static_cast<float>(x)));
  }
  const std::size_t needed = size_of_rows(rows_ + 1);
  if (needed > memory_.capacity()) {
    require(rows_ < most_rows, "packed rows must be fewer than 2^31");
    memory_.reserve(2 * needed);
  }
  std::memset(memory_.data() + bytes(), 0, needed - bytes());  // padding, and later keys of a new panel
  double square = 0;
  for (Index c = 0; c < columns_; ++c) {
    auto x = static_cast<float>(row[static_cast<std::size_t>(c)]);
    if (precision_ == Precision::float32) {
      reinterpret_cast<float*>(memory_.data())[place(rows_, c)] = x;
    } else {
      const Bf16 rounded = to_bf16(x);
      reinterpret_cast<Bf16*>(memory_.data())[place(rows_, c)] = rounded;
      x = to_float(rounded);
    }
    square += double{x} * double{x};
  }
  largest_square_ = std::max(largest_square_, square);
  largest_ = precision_ == Precision::float32 ? largest : to_float(to_bf16(largest));
  ++rows_;
}
template void PackedRows::push(std::span<const double>);
template void PackedRows::push(std::span<const float>);

void PackedRows::append(const Matrix& rows) {
  require_size("columns", rows.cols(), columns_);
  if (rows_ == 0) reserve(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) push_back(row_span(rows, i));
}

float PackedRows::at(Index row, Index c) const {
  const std::size_t i = place(row, c);
  if (precision_ == Precision::float32) return reinterpret_cast<const float*>(memory_.data())[i];
  return to_float(reinterpret_cast<const Bf16*>(memory_.data())[i]);
}

}  // namespace engram::core
