// SPDX-License-Identifier: MIT
// Common parts of the binary files of Engram, snapshots and journals: the file header, arrays of numbers, and budgets.
// An array has a count of 8 bytes, then the numbers, little-endian, then zeros up to a multiple of 8 bytes. Private to
// bridge.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::bridge {

// Numbers are copied without conversion.
static_assert(std::endian::native == std::endian::little);

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// The bytes are not what the reader expects.
struct ByteError : std::runtime_error {
  ByteError(std::size_t at, const std::string& message)
      : std::runtime_error("byte " + std::to_string(at) + ": " + message) {}
};

/// Appends a number, little-endian.
template <Number T>
void put_number(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Appends an array. The size of `text` must be a multiple of 8.
template <Number T>
void put_array(std::string& text, std::span<const T> numbers) {
  put_number(text, std::uint64_t{numbers.size()});
  text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  text.append((8 - text.size() % 8) % 8, '\0');
}
template <Number T>
void put_array(std::string& text, const std::vector<T>& numbers) {
  put_array(text, std::span<const T>(numbers));
}
/// Appends an array with one number from each row.
template <class Rows, class Get>
void put_column(std::string& text, const Rows& rows, Get get) {
  using T = std::remove_cvref_t<decltype(get(rows[0]))>;
  put_number(text, std::uint64_t{rows.size()});
  const std::size_t begin = text.size();
  text.resize(begin + rows.size() * sizeof(T));
  char* at = text.data() + begin;
  for (const auto& row : rows) {
    const T number = get(row);
    std::memcpy(at, &number, sizeof number);
    at += sizeof number;
  }
  text.append((8 - text.size() % 8) % 8, '\0');
}
inline void put_text(std::string& text, std::string_view more) { put_array(text, std::span(more)); }

/// View of an array in a byte buffer, which may be unaligned.
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
  /// The offset of number i, for messages.
  std::size_t offset_of(std::size_t i) const { return offset_ + i * sizeof(T); }
  /// Throws ByteError with the expectation about number i.
  [[noreturn]] void refuse(std::size_t i, const std::string& expected) const {
    std::string found = "the end";
    if (i < size_) found = std::to_string((*this)[i]);
    throw ByteError(offset_of(i), "expected " + expected + ", found " + found);
  }

 private:
  const char* at_ = nullptr;
  std::size_t size_ = 0, offset_ = 0;
};

/// Reads arrays from a byte buffer, one after another.
class ByteReader {
 public:
  /// The parameter `offset` is the position of the first byte in the file, for messages.
  explicit ByteReader(std::string_view bytes, std::size_t offset = 0) : rest_(bytes), offset_(offset) {}

  std::size_t offset() const { return offset_; }
  bool at_end() const { return rest_.empty(); }
  /// Throws ByteError with this expectation and finding at the current offset.
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
      throw ByteError(at, "expected at most what fits into the bytes that are left, found " +
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
inline constexpr std::string_view snapshot_magic =
                                      "\x89"
                                      "ENGRAM\n",
                                  journal_magic =
                                      "\x89"
                                      "ENGRAJ\n";
inline constexpr std::uint32_t byte_order = 0x01020304;
inline constexpr std::size_t digest_bytes = 64;  // SHA-256 as hexadecimal digits

/// The file header: magic number, version and byte order, 16 bytes.
std::string beginning(std::string_view magic);
/// Checks the file header.  Errors  ByteError with the difference, for example a later version
void read_beginning(ByteReader& bytes, std::string_view magic, std::string_view what);

/// Writes a budget sparsely: its size, then the IDs and shares above 0.
void put_budget(std::string& bytes, const core::Vector& budget);
/// Reads a budget of at most `most` items.  Errors  ByteError
core::Vector read_budget(ByteReader& bytes, std::size_t most);

}  // namespace engram::bridge::binary_format
