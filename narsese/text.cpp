// SPDX-License-Identifier: MIT
#include "narsese/text.hpp"

#include <algorithm>
#include <streambuf>
#include <string_view>

namespace engram::narsese {
namespace {

// Length of the well-formed sequence at the start of `bytes`, 0 if there is none (Unicode 15, table 3-7).
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

// Access to the buffered characters of a std::streambuf, which are protected.
struct OpenBuffer : std::streambuf {
  static std::string_view in(const std::streambuf& buffer) {
    const char* const begin = (buffer.*&OpenBuffer::gptr)();
    return {begin, static_cast<std::size_t>((buffer.*&OpenBuffer::egptr)() - begin)};
  }
  static void take(std::streambuf& buffer, std::size_t bytes) {
    for (constexpr std::size_t most = 1 << 30; bytes > 0; bytes -= std::min(bytes, most))
      (buffer.*&OpenBuffer::gbump)(static_cast<int>(std::min(bytes, most)));
  }
};

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

LineStatus read_line(std::istream& in, std::string& text, std::size_t max_bytes) {
  text.clear();
  std::streambuf& buffer = *in.rdbuf();
  bool any = false, too_long = false, held_back_cr = false;
  const auto keep = [&](std::string_view piece) {
    const std::string_view kept = piece.substr(0, max_bytes - text.size()), over = piece.substr(kept.size());
    text += kept;
    if (over.empty()) return;
    // A carriage return past the limit may be the first half of the line end.
    too_long = too_long || held_back_cr || over != "\r";
    held_back_cr = true;
  };
  // A stream buffer throws on a read error. The incomplete line is dropped.
  const auto next_byte = [&] {
    try {
      return buffer.sbumpc();
    } catch (...) {
      in.setstate(std::ios::badbit);
      return std::char_traits<char>::eof();
    }
  };
  for (;;) {
    const std::string_view piece = OpenBuffer::in(buffer);
    if (const std::size_t end = piece.find('\n'); end != std::string_view::npos) {
      keep(piece.substr(0, end));
      OpenBuffer::take(buffer, end + 1);
      any = true;
      break;
    }
    keep(piece);
    OpenBuffer::take(buffer, piece.size());
    any = any || !piece.empty();
    const auto next = next_byte();  // refills the buffer
    if (next == std::char_traits<char>::eof()) break;
    any = true;
    if (next == '\n') break;
    const char one = std::char_traits<char>::to_char_type(next);
    keep({&one, 1});
  }
  if (!any || in.bad()) return LineStatus::end;
  if (!too_long && !held_back_cr && text.ends_with('\r')) text.pop_back();
  return too_long ? LineStatus::too_long : LineStatus::line;
}

}  // namespace engram::narsese
