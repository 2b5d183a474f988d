// SPDX-License-Identifier: MIT
// Numbers as bytes, least significant first, whatever the processor's order.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engram::core {

/// Appends a number, its lowest byte first.
template <class Unsigned>
void put_bytes(std::string& bytes, Unsigned number) {
  for (unsigned shift = 0; shift < 8 * sizeof(Unsigned); shift += 8)
    bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
}

/// Takes it from the front, where there must be as many.
template <class Unsigned>
Unsigned take_bytes(std::string_view& bytes) {
  Unsigned number = 0;
  for (unsigned i = 0; i < sizeof(Unsigned); ++i)
    number |= static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes[i])) << (8 * i));
  bytes.remove_prefix(sizeof(Unsigned));
  return number;
}

/// Appends numbers, each in four bytes, the lowest first.
inline void put_floats(std::string& bytes, std::span<const float> numbers) {
  for (const float number : numbers) put_bytes(bytes, std::bit_cast<std::uint32_t>(number));
}

/// Takes so many from the front, as put_floats wrote them.
inline std::vector<float> take_floats(std::string_view& bytes, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = std::bit_cast<float>(take_bytes<std::uint32_t>(bytes));
  return numbers;
}

}  // namespace engram::core
