// SPDX-License-Identifier: MIT
// Lines that a person types on a terminal.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engram::experiments {

/// Line editing with history and completion by TAB, by libedit. Standard input and output must be a terminal. Only one
/// may exist at a time.
class LineEditor {
 public:
  /// Texts that may stand in the place of `word`, which begins a word behind `before`.
  using Complete = std::function<std::vector<std::string>(std::string_view before, std::string_view word)>;

  explicit LineEditor(Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// The next line that is typed, without its end; nothing at the end of the input.
  std::optional<std::string> line(const char* prompt);
};

}  // namespace engram::experiments
