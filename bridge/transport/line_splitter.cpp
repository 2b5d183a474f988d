// SPDX-License-Identifier: MIT
#include "bridge/transport/line_splitter.hpp"

namespace engram::bridge {

void LineSplitter::feed(std::string_view bytes) {
  held_.erase(0, start_);
  searched_ -= start_;
  start_ = 0;
  held_ += bytes;
}

void LineSplitter::end() { ended_ = true; }

std::optional<LineSplitter::Line> LineSplitter::next() {
  const std::size_t found = held_.find('\n', searched_);
  searched_ = held_.size();
  if (found == std::string::npos) {
    // CRLF is no part of a line: one more byte may come before it is known to be too long.
    if (held_.size() - start_ > max_bytes_ + 1) skipping_ = true;
    if (skipping_) {
      held_.clear();
      start_ = searched_ = 0;
    }
    if (!ended_ || (held_.size() == start_ && !skipping_)) return std::nullopt;
  }
  const std::size_t stop = found == std::string::npos ? held_.size() : found;
  Line line;
  line.text = held_.substr(start_, stop - start_);
  if (line.text.ends_with('\r')) line.text.pop_back();
  line.too_long = skipping_ || line.text.size() > max_bytes_;
  if (line.too_long) line.text.clear();
  skipping_ = false;
  start_ = searched_ = found == std::string::npos ? stop : stop + 1;
  return line;
}

}  // namespace engram::bridge
