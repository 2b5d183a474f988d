// SPDX-License-Identifier: MIT
#include "narsese/line_reader.hpp"

#include <algorithm>
#include <streambuf>
#include <string_view>

namespace engram::narsese {
namespace {

// What a buffer has at hand. It tells that to who derives from it alone.
struct AtHand : std::streambuf {
  static std::string_view in(const std::streambuf& buffer) {
    const char* const begin = (buffer.*&AtHand::gptr)();
    return {begin, static_cast<std::size_t>((buffer.*&AtHand::egptr)() - begin)};
  }
  static void take(std::streambuf& buffer, std::size_t bytes) {
    for (constexpr std::size_t most = 1 << 30; bytes > 0; bytes -= std::min(bytes, most))
      (buffer.*&AtHand::gbump)(static_cast<int>(std::min(bytes, most)));
  }
};

}  // namespace

LineStatus read_line(std::istream& in, std::string& text, std::size_t max_bytes) {
  text.clear();
  std::streambuf& buffer = *in.rdbuf();
  bool any = false, too_long = false, held_back_cr = false;
  const auto keep = [&](std::string_view piece) {
    const std::string_view kept = piece.substr(0, max_bytes - text.size()), over = piece.substr(kept.size());
    text += kept;
    if (over.empty()) return;
    // One carriage return past the limit may still be half of the line end.
    too_long = too_long || held_back_cr || over != "\r";
    held_back_cr = true;
  };
  // Buffers report a failing disk by throwing; half a line is no line then.
  const auto next_byte = [&] {
    try {
      return buffer.sbumpc();
    } catch (...) {
      in.setstate(std::ios::badbit);
      return std::char_traits<char>::eof();
    }
  };
  for (;;) {
    const std::string_view piece = AtHand::in(buffer);
    if (const std::size_t end = piece.find('\n'); end != std::string_view::npos) {
      keep(piece.substr(0, end));
      AtHand::take(buffer, end + 1);
      any = true;
      break;
    }
    keep(piece);
    AtHand::take(buffer, piece.size());
    any = any || !piece.empty();
    const auto next = next_byte();  // brings more
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
