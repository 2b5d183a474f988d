// SPDX-License-Identifier: MIT
#include "narsese/utf8.hpp"

#include <algorithm>

namespace engram::narsese {
namespace {

// Length of the well-formed sequence at the start of `bytes`, or 0 (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  const auto between = [&](std::size_t i, unsigned low, unsigned high) {
    return at(i) >= low && at(i) <= high;
  };
  const auto tail = [&](std::size_t i) { return between(i, 0x80, 0xBF); };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = lead == 0xE0   ? between(1, 0xA0, 0xBF)
                        : lead == 0xED ? between(1, 0x80, 0x9F)
                                       : tail(1);
    return second && tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = lead == 0xF0   ? between(1, 0x90, 0xBF)
                        : lead == 0xF4 ? between(1, 0x80, 0x8F)
                                       : tail(1);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = sequence_length(bytes.substr(i, 4));
    if (length == 0) return i;
    i += length;
  }
  return bytes.size();
}

std::size_t count_code_points(std::string_view bytes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < bytes.size(); ++count)
    i += std::max<std::size_t>(sequence_length(bytes.substr(i, 4)), 1);
  return count;
}

std::optional<std::size_t> invalid_utf8_column(std::string_view bytes) {
  const std::size_t valid = find_invalid_utf8(bytes);
  if (valid == bytes.size()) return {};
  return 1 + count_code_points(bytes.substr(0, valid));
}

}  // namespace engram::narsese
