// SPDX-License-Identifier: MIT
// Lines out of bytes that come in pieces. For the .cpp files of this folder, and their test.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace engram::bridge {

/// Buffer that splits a byte stream into lines. It discards a line that is too long or for which there is no memory, so its
/// size is bounded by the longest line and the last piece.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// A line, or that one was too long or dropped.
  struct Line {
    std::string text = {};  // without LF or CRLF; empty where it was too long
    bool too_long = false;
  };

  /// More bytes. To be called when next() has nothing left.
  void feed(std::string_view bytes);
  /// No more bytes will come: what is left is a line, though nothing ends it.
  void end();
  /// The next whole line, if there is one yet.
  std::optional<Line> next();
  /// Once next() has nothing left: whether a line has begun.
  bool begun() const { return skipping_ || held() > 0; }
  /// Once next() has nothing left: bytes kept of the line that has begun.
  std::size_t held() const { return held_.size() - start_; }
  /// Once next() has nothing left: keeps nothing of the line that has begun, as if it were too long.
  void drop();

 private:
  std::string held_;          // before the first line end: a line in the making
  std::size_t start_ = 0;     // of what next() has not given yet
  std::size_t searched_ = 0;  // to here there is no line end behind start_
  bool skipping_ = false;     // within a line that is too long
  bool ended_ = false;
  std::size_t max_bytes_;
};

}  // namespace engram::bridge
