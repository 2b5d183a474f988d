// SPDX-License-Identifier: MIT
#include "narsese/cursor.hpp"

#include <algorithm>

#include "narsese/byte_scan.hpp"
#include "narsese/utf8.hpp"

namespace engram::narsese {

bool Cursor::load(std::string_view text, std::size_t max_bytes, PaddedText& copy) {
  used_ = 0;
  failed_ = false;
  const std::size_t size = std::min(text.size(), max_bytes);
  char* const to = copy.restart(size);
  begin_ = at_ = to;
  end_ = begin_ + size;
  const bool plain = copy_and_check(to, text.data(), size);
  if (text.size() > max_bytes)
    return fail_at(0, "at most " + std::to_string(max_bytes) + " bytes in a line",
                   std::to_string(text.size()));
  if (plain) return true;
  if (const std::size_t bad = find_invalid_utf8(text); bad != text.size())
    return fail_at(bad, "UTF-8 text", "an invalid byte");
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < ' ' && byte != '\t') || byte == 0x7F)
      return fail_at(i, "text", byte == 0 ? "a NUL byte" : "a control character");
  }
  return true;
}

std::size_t Cursor::column(std::size_t offset) const { return count_code_points({begin_, offset}) + 1; }

bool Cursor::fail_at(std::size_t offset, std::string expected, std::string found) {
  failed_ = true;
  error_ = {offset, 1, column(offset), std::move(expected), std::move(found), {}};
  if (error_.found.empty()) error_.found = describe(offset);
  return false;
}

bool Cursor::refuse_construct(std::size_t offset, Construct construct) {
  fail_at(offset, {}, " ");
  error_.refusal = explain(construct, dialect_);
  return false;
}

std::vector<ParseWarning> Cursor::warnings() const {
  std::vector<ParseWarning> warnings;
  const ConstructSet odd =
      used_ & (handled(dialect_, Handling::Kind::rounds) | handled(dialect_, Handling::Kind::misreads));
  for (std::size_t c = 0; odd != 0 && c < construct_count; ++c)
    if (const auto construct = static_cast<Construct>(c); (odd & bit(construct)) != 0)
      warnings.push_back({column(first_use_[c]), explain(construct, dialect_)});
  return warnings;
}

// The token at an offset, for people: a bracket or comma, or what stands up to the next one.
std::string Cursor::describe(std::size_t offset) const {
  const std::string_view text(begin_, static_cast<std::size_t>(end_ - begin_));
  if (offset >= text.size()) return "end of line";
  constexpr std::size_t longest = 24;
  constexpr std::string_view breaks = " \t,()[]{}<>", arrow_shafts = "-=/|\\";
  std::size_t end = offset + 1;
  if (breaks.find(text[offset]) == std::string_view::npos)
    for (; end < text.size() && end - offset < longest; ++end) {
      const bool arrow_head = text[end] == '>' && arrow_shafts.find(text[end - 1]) != std::string_view::npos;
      if (breaks.find(text[end]) != std::string_view::npos && !arrow_head) break;
    }
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return "'" + std::string(text.substr(offset, end - offset)) + "'";
}

std::string ParseError::message() const {
  return refusal.empty() ? "expected " + expected + ", found " + found : refusal;
}

}  // namespace engram::narsese
