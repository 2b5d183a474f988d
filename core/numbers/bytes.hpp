// SPDX-License-Identifier: MIT
// Little-endian serialisation of numbers, independent of the processor's byte order.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engram::core {

/// Appends an unsigned number to `bytes`, the lowest byte first.
template <class Unsigned>
void put_bytes(std::string& bytes, Unsigned number) {
  for (unsigned shift = 0; shift < 8 * sizeof(Unsigned); shift += 8)
    bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
}

/// Removes an unsigned number from the front of `bytes` and returns it. Callers check first that there are enough
/// bytes.
template <class Unsigned>
Unsigned take_bytes(std::string_view& bytes) {
  Unsigned number = 0;
  for (unsigned i = 0; i < sizeof(Unsigned); ++i)
    number |= static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes[i])) << (8 * i));
  bytes.remove_prefix(sizeof(Unsigned));
  return number;
}

/// Appends floats to `bytes`, four bytes each.
inline void put_floats(std::string& bytes, std::span<const float> numbers) {
  for (const float number : numbers) put_bytes(bytes, std::bit_cast<std::uint32_t>(number));
}

/// Removes `count` floats from the front of `bytes` and returns them. Callers check first that there are enough bytes.
inline std::vector<float> take_floats(std::string_view& bytes, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = std::bit_cast<float>(take_bytes<std::uint32_t>(bytes));
  return numbers;
}

}  // namespace engram::core
