// SPDX-License-Identifier: MIT
// Keys and values in single precision or bf16, in the memory layout that core/single_precision/float_attention.hpp
// streams.
#pragma once

#include <array>
#include <memory>
#include <new>
#include <span>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_kernels.hpp"

namespace engram::core {

/// Storage format of the numbers in PackedKeys and PackedValues. Arithmetic is always float.
enum class Precision : std::uint8_t {
  float32,  // 4 bytes, relative rounding error 2^-24
  bf16,     // 2 bytes, relative rounding error 2^-8
};

inline constexpr std::array<NamedValue<Precision>, 2> precisions{
    {{Precision::float32, "float"}, {Precision::bf16, "bf16"}}};

/// Rounds to the nearest bf16, ties to even. x must be finite with |x| <= 2^100.
Bf16 to_bf16(float x);
/// Returns the exact value of a bf16.
float to_float(Bf16 x);

/// Buffer of bytes that can grow, aligned to 64 bytes, in large pages if the system has them.
class AlignedBytes {
 public:
  /// Grows the capacity to at least `bytes` bytes and keeps the contents.
  void reserve(std::size_t bytes);
  std::size_t capacity() const { return capacity_; }
  /// The first byte, or null if the capacity is 0.
  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }

 private:
  struct Free {
    std::align_val_t alignment;
    void operator()(std::byte* bytes) const { ::operator delete(bytes, alignment); }
  };
  std::unique_ptr<std::byte, Free> bytes_{nullptr, Free{std::align_val_t{64}}};
  std::size_t capacity_ = 0;
};

/// Base of PackedKeys and PackedValues: rows of numbers that are appended and never change.
/// Ranges   fewer than 2^31 rows; |number| <= 2^100, so that overflow of a score can be detected
/// Memory   bytes(): rows (for keys, rounded up to 16) times columns (for values, rounded up to 16) times 4 or 2 bytes.
///          Without reserve(), up to twice that, and three times while it grows
class PackedRows {
 public:
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Precision precision() const { return precision_; }
  std::size_t bytes() const { return size_of_rows(rows_); }
  /// The largest absolute value of a stored number.
  float largest() const { return largest_; }
  /// The largest squared length of a stored row; 0 without rows.
  double largest_square() const { return largest_square_; }

  /// Reserves memory for this many rows in all.
  void reserve(Index rows);
  /// Appends a row, rounded to the precision.
  /// Errors   std::invalid_argument for another size, or a number that is not finite or above 2^100 in absolute value
  void push_back(std::span<const double> row) { push(row); }
  void push_back(std::span<const float> row) { push(row); }
  /// Appends all rows of a matrix.
  void append(const Matrix& rows);

  /// Returns number c of a row as it is stored, after rounding.
  float at(Index row, Index c) const;

  /// Returns a pointer to the stored numbers from a row on, for kernels (for keys, `row` must be a multiple of 16).
  /// `Stored` is float or Bf16, according to the precision.
  template <class Stored>
  const Stored* from_row(Index row) const {
    return reinterpret_cast<const Stored*>(memory_.data()) + static_cast<std::size_t>(row) * stride_;
  }

 protected:
  /// Memory layout: panels of 16 interleaved rows (keys), or row after row (values).
  enum class Layout : std::uint8_t { panels, rows };
  PackedRows(Layout layout, Index columns, Precision precision);
  std::size_t stride() const { return stride_; }

 private:
  template <class Number>
  void push(std::span<const Number> row);
  std::size_t size_of_rows(Index rows) const;
  std::size_t place(Index row, Index c) const;

  Layout layout_;
  Precision precision_;
  Index columns_, rows_ = 0;
  std::size_t stride_;  // numbers per row, or per 16th of a panel
  float largest_ = 0;
  double largest_square_ = 0;
  AlignedBytes memory_;
};

/// Keys for attention, stored in panels of 16 keys: component j of 16 keys, then component j + 1.
class PackedKeys : public PackedRows {
 public:
  /// Errors   std::invalid_argument unless columns >= 1
  explicit PackedKeys(Index columns, Precision precision = Precision::float32)
      : PackedRows(Layout::panels, columns, precision) {}
};

/// Values for attention, stored row by row and padded with zeros to a multiple of 16 columns.
class PackedValues : public PackedRows {
 public:
  explicit PackedValues(Index columns, Precision precision = Precision::float32)
      : PackedRows(Layout::rows, columns, precision) {}
  /// Number of columns with padding.
  std::size_t width() const { return stride(); }
};

}  // namespace engram::core
