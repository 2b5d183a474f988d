// SPDX-License-Identifier: MIT
#include "experiments/imports/name_table.hpp"

#include "experiments/formats/markup.hpp"

namespace engram::experiments {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return legible(out);
}

// The text as JSON strings of at most `most` bytes each, split between code points.
std::vector<std::string> quoted_pieces(std::string_view text) {
  constexpr std::size_t most = 900;  // ONA reads lines of 1023 bytes
  std::vector<std::string> pieces(1);
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    for (end = begin + 1; end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80;)
      ++end;
    const std::string next = escaped(text.substr(begin, end - begin));
    if (pieces.back().size() + next.size() > most) pieces.emplace_back();
    pieces.back() += next;
  }
  for (std::string& piece : pieces) piece = '"' + piece + '"';
  return pieces;
}

}  // namespace

std::vector<std::string> name_lines(const std::string& atom, std::string_view source) {
  std::vector<std::string> lines;
  for (const std::string& piece : quoted_pieces(source))
    lines.push_back("name: " + atom + (lines.empty() ? " is " : " is + ") + piece);
  return lines;
}

}  // namespace engram::experiments
