// SPDX-License-Identifier: MIT
// Encoding that the binary files of Engram share, snapshots and journals: the file header, arrays of numbers, and
// budgets. An array is a count of 8 bytes, the numbers, little-endian, and zeros up to a multiple of 8 bytes. Private
// to bridge.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/numbers/shapes.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::bridge {

// Numbers are copied without conversion.
static_assert(std::endian::native == std::endian::little);

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// Error of reading binary data, with the offset in the file.
struct ByteError : std::runtime_error {
  ByteError(std::size_t at, const std::string& message)
      : std::runtime_error("byte " + std::to_string(at) + ": " + message) {}
};

/// Appends a number, little-endian.
template <Number T>
void put_number(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Appends an array, for example a vector of numbers or a text. The size of `bytes` must be a multiple of 8.
template <std::ranges::contiguous_range Numbers>
void put_array(std::string& bytes, const Numbers& numbers) {
  put_number(bytes, std::uint64_t{std::ranges::size(numbers)});
  bytes.append(reinterpret_cast<const char*>(std::ranges::data(numbers)),
               std::ranges::size(numbers) * sizeof(*std::ranges::data(numbers)));
  bytes.append((8 - bytes.size() % 8) % 8, '\0');
}

/// View of an array in a byte buffer, which may be unaligned. Read its numbers by index, or in order by next().
template <Number T>
class NumbersAt {
 public:
  NumbersAt() = default;
  NumbersAt(const char* at, std::size_t size, std::size_t offset) : at_(at), size_(size), offset_(offset) {}

  std::size_t size() const { return size_; }
  T operator[](std::size_t i) const {
    T number;
    std::memcpy(&number, at_ + i * sizeof(T), sizeof number);
    return number;
  }
  const char* data() const { return at_; }
  /// Returns the offset of number i in the file, for messages.
  std::size_t offset_of(std::size_t i) const { return offset_ + i * sizeof(T); }
  /// Throws ByteError for number i with a description of the expected value.
  [[noreturn]] void refuse(std::size_t i, const std::string& expected) const {
    throw ByteError(offset_of(i), "expected " + expected + ", found " +
                                      (i < size_ ? std::to_string((*this)[i]) : "the end"));
  }

  /// Returns the index of the number that next() will read.
  std::size_t position() const { return next_; }
  /// Reads the next number, which must be finite and in [least, most]. `expected` describes it in messages.
  /// Errors  ByteError
  T next(const char* expected, T least = lowest, T most = highest) {
    if (next_ == size_ || !((*this)[next_] >= least && (*this)[next_] <= most))
      refuse_next(expected, least, most);
    return (*this)[next_++];
  }
  /// Checks that all numbers have been read. `what` names them.  Errors  ByteError
  void require_end(const char* what) const {
    if (next_ != size_) refuse(next_, std::string("no more ") + what);
  }

 private:
  static constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();

  [[noreturn]] void refuse_next(const char* expected, T least, T most) const {
    std::ostringstream text;
    text << expected;
    if (least != lowest || most != highest) text << ", in [" << least << ", " << most << "]";
    refuse(next_, text.str());
  }

  const char* at_ = nullptr;
  std::size_t size_ = 0, offset_ = 0, next_ = 0;
};

/// Reader of numbers and arrays, one after another, from a byte buffer.
class ByteReader {
 public:
  /// `offset` is the position of the first byte in the file, for messages.
  explicit ByteReader(std::string_view bytes, std::size_t offset = 0) : rest_(bytes), offset_(offset) {}

  std::size_t offset() const { return offset_; }
  bool at_end() const { return rest_.empty(); }
  /// Throws ByteError at the current offset.
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    throw ByteError(offset_, "expected " + expected + ", found " + found);
  }

  /// Reads a number. `what` names it in messages.  Errors  ByteError
  template <Number T>
  T number(std::string_view what) {
    if (rest_.size() < sizeof(T)) refuse(std::string(what), "the end");
    T number;
    std::memcpy(&number, rest_.data(), sizeof number);
    skip(sizeof number);
    return number;
  }
  /// Reads an array of `least` to `most` numbers.  Errors  ByteError
  template <Number T>
  NumbersAt<T> array(std::string_view what, std::uint64_t least, std::uint64_t most) {
    const std::size_t at = offset_;
    const auto count = number<std::uint64_t>(what);
    if (count < least || count > most)
      throw ByteError(at, "expected " +
                              (least == most ? std::to_string(most) : "at most " + std::to_string(most)) +
                              " " + std::string(what) + ", found " + std::to_string(count));
    if (count > rest_.size() / sizeof(T))
      throw ByteError(at, "expected at most the number of bytes up to the end, found " +
                              std::to_string(count) + " " + std::string(what));
    const NumbersAt<T> numbers(rest_.data(), static_cast<std::size_t>(count), offset_);
    skip(numbers.size() * sizeof(T));
    for (; offset_ % 8 != 0; skip(1))
      if (rest_.empty() || rest_[0] != '\0')
        refuse("a zero behind the " + std::string(what), "another byte, or the end");
    return numbers;
  }
  /// Reads a text of at most `most` bytes.  Errors  ByteError
  std::string_view text(std::string_view what, std::uint64_t most) {
    const auto bytes = array<char>(what, 0, most);
    return {bytes.data(), bytes.size()};
  }

 private:
  void skip(std::size_t bytes) {
    rest_.remove_prefix(bytes);
    offset_ += bytes;
  }

  std::string_view rest_;
  std::size_t offset_;
};

}  // namespace engram::bridge

namespace engram::bridge::binary_format {

inline constexpr std::uint32_t version = 1;
// Magic numbers: a byte that no text contains, and a line feed that a transfer in text mode would change.
inline constexpr std::string_view snapshot_magic = "\211ENGRAM\n", journal_magic = "\211ENGRAJ\n";
inline constexpr std::uint32_t byte_order = 0x01020304;
inline constexpr std::size_t digest_bytes = 64;  // SHA-256 as hexadecimal digits

/// Returns the file header of 16 bytes: magic number, version and byte order.
std::string beginning(std::string_view magic);
/// Reads and checks the file header. `what` is the kind of file in messages.
/// Errors  ByteError for another kind of file, version or byte order
void read_beginning(ByteReader& bytes, std::string_view magic, std::string_view what);

/// Appends a budget in sparse form: its size, the IDs of the items with a share above 0, and these shares.
void put_budget(std::string& bytes, const core::SparseVector& budget);
/// Reads a budget of at most `most` items.  Errors  ByteError
core::Vector read_budget(ByteReader& bytes, std::size_t most);

}  // namespace engram::bridge::binary_format
