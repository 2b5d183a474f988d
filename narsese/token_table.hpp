// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace engram::narsese {

inline constexpr std::size_t no_token = static_cast<std::size_t>(-1);

/// Finds which of a few tokens of one to three bytes stands somewhere, by one look into a table: the compiler
/// searches for a factor that sends all tokens to different slots.
template <std::size_t Count>
class TokenTable {
 public:
  /// text(i): the i-th token.
  template <class Text>
  constexpr TokenTable(Text text, std::integral_constant<std::size_t, Count>) {
    while (!place_all(text)) factor_ = factor_ * 0x2c9277b5U + 2;
  }

  /// The number of the token that the `bytes` bytes from `at` on are, or no_token.
  /// Four bytes are readable.
  std::size_t find(const char* at, std::size_t bytes) const {
    const std::uint32_t key = pack_at_once(at, bytes);
    const Slot& slot = slots_[place(key)];
    return slot.key == key ? slot.token : no_token;
  }

 private:
  struct Slot {
    std::uint32_t key = no_key;
    std::uint32_t token = 0;
  };
  static constexpr std::uint32_t no_key = 0;
  static constexpr unsigned bits = 6;

  static constexpr std::uint32_t pack(const char* at, std::size_t bytes) {
    std::uint32_t key = mark(bytes);
    for (std::size_t i = 0; i < bytes; ++i) key |= std::uint32_t{static_cast<unsigned char>(at[i])} << 8 * i;
    return key;
  }
  // The same by one look where the bytes lie so in memory.
  static std::uint32_t pack_at_once(const char* at, std::size_t bytes) {
    if constexpr (std::endian::native != std::endian::little) return pack(at, bytes);
    std::uint32_t four;
    std::memcpy(&four, at, sizeof four);
    return (four & (mark(bytes) - 1)) | mark(bytes);
  }
  // Behind the bytes, so that NULs among them are not lost.
  static constexpr std::uint32_t mark(std::size_t bytes) { return std::uint32_t{1} << 8 * bytes; }
  constexpr std::size_t place(std::uint32_t key) const { return key * factor_ >> (32 - bits); }

  template <class Text>
  constexpr bool place_all(Text text) {
    slots_ = {};
    for (std::size_t i = 0; i < Count; ++i) {
      const std::uint32_t key = pack(text(i).data(), text(i).size());
      Slot& slot = slots_[place(key)];
      if (slot.key != no_key) return false;
      slot = {key, static_cast<std::uint32_t>(i)};
    }
    return true;
  }

  std::array<Slot, std::size_t{1} << bits> slots_{};
  std::uint32_t factor_ = 0x9e3779b1U;
};

}  // namespace engram::narsese
