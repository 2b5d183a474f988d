// SPDX-License-Identifier: MIT
// Splits a byte stream into lines. Private to this folder and its test.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace engram::bridge {

/// Buffer that splits a byte stream into lines. It discards a line of more than `max_bytes`, so its size is bounded by
/// the longest line and the last piece.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// A line, or the fact that one was too long or dropped.
  struct Line {
    std::string text = {};  // without LF or CRLF; empty if too long
    bool too_long = false;
  };

  /// Adds bytes. Call this when next() has nothing left.
  void feed(std::string_view bytes);
  /// Ends the input: the rest becomes a line even without a line end.
  void end();
  /// The next complete line, if there is one.
  std::optional<Line> next();
  /// Whether the buffer holds an incomplete line. Call this when next() has nothing left.
  bool has_partial_line() const { return skipping_ || partial_bytes() > 0; }
  /// Bytes of the incomplete line. Call this when next() has nothing left.
  std::size_t partial_bytes() const { return buffer_.size() - start_; }
  /// Drops the incomplete line, as if it were too long. Call this when next() has nothing left.
  void drop();

 private:
  std::string buffer_;        // bytes not yet returned; without a line end they are an incomplete line
  std::size_t start_ = 0;     // start of the bytes not yet returned
  std::size_t searched_ = 0;  // no line end between start_ and this position
  bool skipping_ = false;     // skipping the rest of a line that is too long
  bool input_ended_ = false;
  std::size_t max_bytes_;
};

}  // namespace engram::bridge
