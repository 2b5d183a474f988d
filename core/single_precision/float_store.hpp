// SPDX-License-Identifier: MIT
// Keys and values held in single precision or bf16, laid out for core/single_precision/float_attention.hpp to
// stream them.
#pragma once

#include <array>
#include <memory>
#include <new>
#include <span>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_kernels.hpp"

namespace engram::core {

/// How a number is stored; arithmetic is always float.
enum class Precision : std::uint8_t {
  float32,  // 4 bytes, relative error of storing 2^-24
  bf16,     // 2 bytes, 2^-8
};

inline constexpr std::array<NamedValue<Precision>, 2> precisions{
    {{Precision::float32, "float"}, {Precision::bf16, "bf16"}}};

/// The nearest bf16, ties to even; x is finite and its size at most 2^100.
Bf16 to_bf16(float x);
/// The number that it stands for, exactly.
float to_float(Bf16 x);

/// Memory that grows and starts at a multiple of 64 bytes; large pages where the system has them.
class AlignedBytes {
 public:
  /// Room for that many bytes at least; what is there stays.
  void reserve(std::size_t bytes);
  std::size_t capacity() const { return capacity_; }
  /// The first byte; null where there is no room yet.
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

/// What PackedKeys and PackedValues share: rows of numbers that are added and never change.
/// Ranges   fewer than 2^31 rows; numbers of size at most 2^100, so that no sum of products overflows unseen
/// Memory   bytes(): rows times columns, each rounded up (keys: rows to 16; values: columns to 16), at 4 or 2
///          bytes; up to twice that, and thrice while it grows, unless reserved
class PackedRows {
 public:
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Precision precision() const { return precision_; }
  std::size_t bytes() const { return size_of_rows(rows_); }
  /// The largest |number|, as stored.
  float largest() const { return largest_; }
  /// The largest square of a row's length, as stored; 0 for none.
  double largest_square() const { return largest_square_; }

  /// Room for so many rows in all.
  void reserve(Index rows);
  /// Adds a row, rounded to the precision.
  /// Errors   std::invalid_argument for another size, or a number that is not finite or larger than 2^100
  void push_back(std::span<const double> row) { push(row); }
  void push_back(std::span<const float> row) { push(row); }
  /// Adds the rows in their order.
  void append(const Matrix& rows);

  /// Number c of a row, as stored.
  float at(Index row, Index c) const;

  /// The stored numbers from a row on (of keys: a multiple of 16).  Stored  float or Bf16, as the precision
  template <class Stored>
  const Stored* from_row(Index row) const {
    return reinterpret_cast<const Stored*>(memory_.data()) + static_cast<std::size_t>(row) * stride_;
  }

 protected:
  /// How rows lie in memory: by sixteens, number by number (keys), or one after the other (values).
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
  std::size_t stride_;  // numbers from one row, or a sixteenth of a panel, to the next
  float largest_ = 0;
  double largest_square_ = 0;
  AlignedBytes memory_;
};

/// Keys, 16 side by side: component j of 16 keys, then component j + 1.
class PackedKeys : public PackedRows {
 public:
  /// Errors   std::invalid_argument unless columns >= 1
  explicit PackedKeys(Index columns, Precision precision = Precision::float32)
      : PackedRows(Layout::panels, columns, precision) {}
};

/// Values, row by row, padded with zeros to a multiple of 16 columns.
class PackedValues : public PackedRows {
 public:
  explicit PackedValues(Index columns, Precision precision = Precision::float32)
      : PackedRows(Layout::rows, columns, precision) {}
  /// Columns with the padding.
  std::size_t width() const { return stride(); }
};

}  // namespace engram::core
