// SPDX-License-Identifier: MIT
// Line editor for a terminal.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engram::experiments {

/// Reads lines with editing, history and completion by TAB, by means of libedit. Standard input and output must be a
/// terminal. Only one object may exist at a time.
class LineEditor {
 public:
  /// Returns the completions of `word`, which follows `before` in the line.
  using Complete = std::function<std::vector<std::string>(std::string_view before, std::string_view word)>;

  explicit LineEditor(Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Reads the next line, without its line break. Returns nothing at the end of the input.
  std::optional<std::string> line(const char* prompt);
};

}  // namespace engram::experiments
