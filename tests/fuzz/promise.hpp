// SPDX-License-Identifier: MIT
// What the fuzz targets share: promises, and lines.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

namespace engram::fuzz {

/// Stops at a broken promise, in a way that libFuzzer takes for a crash.
inline void promise(bool kept, const char* what, std::string_view text, std::string_view outcome = {}) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n  text: %.*s\n", what, static_cast<int>(text.size()),
               text.data());
  if (!outcome.empty())
    std::fprintf(stderr, "  outcome: %.*s\n", static_cast<int>(outcome.size()), outcome.data());
  std::fflush(stderr);
  __builtin_trap();
}

inline std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace engram::fuzz
