// SPDX-License-Identifier: MIT
// Functions that the fuzz targets share: they check promises, and split a text into lines.
#pragma once

#include <algorithm>
#include <iostream>
#include <string_view>
#include <vector>

namespace engram::fuzz {

/// If `kept` is false, reports a broken promise and traps. libFuzzer treats a trap as a crash.
inline void promise(bool kept, const char* what, std::string_view text, std::string_view outcome = {}) {
  if (kept) return;
  std::cerr << "broken promise: " << what << "\n  text: " << text << '\n';
  if (!outcome.empty()) std::cerr << "  outcome: " << outcome << '\n';
  std::cerr.flush();
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
