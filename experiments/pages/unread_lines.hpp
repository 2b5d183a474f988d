// SPDX-License-Identifier: MIT
// The lines of the inputs that a run could not read, as its manifest, its report and the terminal tell them.
#pragma once

#include <string>
#include <vector>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// How many lines were not read, and the first ten of them: a binary file has an error on every line.
struct UnreadLines {
  UnreadLines() = default;
  explicit UnreadLines(const Rejections& rejections);

  struct Line {
    std::string place, message;  // "file:line:column", and what is wrong there; both legible
  };
  std::size_t count = 0;
  std::vector<Line> first;
};

/// The member "unread_lines" of a manifest: {"count": 1, "first": [{"place": "a.nal:2:6", "message": "expected ..."}]}.
Json to_json(const UnreadLines& lines);
/// No lines if the manifest has no such member.  Errors  Json::exception for a member of another form
UnreadLines unread_lines_of(const Json& manifest);

/// A paragraph and a list for the report; empty if every line was read.
std::string unread_lines_html(const UnreadLines& lines);
/// One line for the terminal, with the places alone, since the messages stand on standard error; empty if every
/// line was read.
std::string unread_lines_text(const UnreadLines& lines);

}  // namespace engram::experiments
