// SPDX-License-Identifier: MIT
// Lines of the inputs that a run could not read, for its manifest, its report and the terminal.
#pragma once

#include <string>
#include <vector>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Number of unread lines, and the first ten of them, because every line of a binary file is an error.
struct UnreadLines {
  UnreadLines() = default;
  explicit UnreadLines(const Rejections& rejections);

  struct Line {
    std::string place, message;  // "file:line:column", and the error; both legible
  };
  std::size_t count = 0;
  std::vector<Line> first;
};

/// JSON of the member "unread_lines" of a manifest:
/// {"count": 1, "first": [{"place": "a.nal:2:6", "message": "expected ..."}]}.
Json to_json(const UnreadLines& lines);
/// Reads this member. Returns no lines if the manifest lacks it.  Errors  Json::exception for a malformed member
UnreadLines unread_lines_of(const Json& manifest);

/// Paragraph and list for the report; empty if every line was read.
std::string unread_lines_html(const UnreadLines& lines);
/// One line for the terminal with the places; messages are printed to standard error. Empty if every line was read.
std::string unread_lines_text(const UnreadLines& lines);

}  // namespace engram::experiments
