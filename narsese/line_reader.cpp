// SPDX-License-Identifier: MIT
#include "narsese/line_reader.hpp"

#include <array>

namespace engram::narsese {

LineStatus read_line(std::istream& in, std::string& text, std::size_t max_bytes) {
  text.clear();
  constexpr auto eof = std::char_traits<char>::eof();
  std::streambuf& buffer = *in.rdbuf();
  bool any = false, too_long = false, held_back_cr = false;
  std::array<char, 512> chunk;  // the line's end so far: the text is asked to grow once in so many bytes
  std::size_t held = 0;
  const auto keep = [&] {
    text.append(chunk.data(), held);
    held = 0;
  };
  // Buffers report a failing disk by throwing; half a line is no line then.
  const auto next_byte = [&] {
    try {
      return buffer.sbumpc();
    } catch (...) {
      in.setstate(std::ios::badbit);
      return eof;
    }
  };
  for (auto c = next_byte(); c != eof; c = next_byte()) {
    any = true;
    if (c == '\n') break;
    if (text.size() + held < max_bytes) {
      chunk[held++] = static_cast<char>(c);
      if (held == chunk.size()) keep();
    } else {
      // One carriage return past the limit may still be half of the line end.
      too_long = too_long || held_back_cr || c != '\r';
      held_back_cr = true;
    }
  }
  keep();
  if (!any || in.bad()) return LineStatus::end;
  if (!too_long && !held_back_cr && text.ends_with('\r')) text.pop_back();
  return too_long ? LineStatus::too_long : LineStatus::line;
}

}  // namespace engram::narsese
