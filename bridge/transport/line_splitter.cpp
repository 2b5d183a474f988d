// SPDX-License-Identifier: MIT
#include "bridge/transport/line_splitter.hpp"

#include <utility>

namespace engram::bridge {
namespace {

// Consumed bytes before the buffer is compacted. Chosen: more than one fed piece.
constexpr std::size_t compact_bytes = std::size_t{1} << 18;

}  // namespace

void LineSplitter::feed(std::string_view bytes) {
  buffer_.erase(0, start_);
  searched_ -= start_;
  start_ = 0;
  buffer_ += bytes;
}

void LineSplitter::end() { input_ended_ = true; }

void LineSplitter::drop() {
  skipping_ = true;
  std::string().swap(buffer_);  // an assignment would keep the capacity
  start_ = searched_ = 0;
}

std::optional<LineSplitter::Line> LineSplitter::next() {
  const std::size_t found = buffer_.find('\n', searched_);
  searched_ = buffer_.size();
  if (found == std::string::npos) {
    // The CR of CRLF may be one byte more before the line counts as too long.
    if (skipping_ || partial_bytes() > max_bytes_ + 1) drop();
    if (!input_ended_ || (buffer_.size() == start_ && !skipping_)) return std::nullopt;
  }
  const std::size_t stop = found == std::string::npos ? buffer_.size() : found;
  Line line;
  const std::size_t next = found == std::string::npos ? stop : stop + 1;
  if (stop - start_ < compact_bytes) {
    line.text = buffer_.substr(start_, stop - start_);
    start_ = searched_ = next;
  } else {  // the rest is short; also frees the capacity of a long line
    std::string rest = buffer_.substr(next);
    buffer_.resize(stop);
    buffer_.erase(0, start_);
    line.text = std::exchange(buffer_, std::move(rest));
    start_ = searched_ = 0;
  }
  if (line.text.ends_with('\r')) line.text.pop_back();
  line.too_long = skipping_ || line.text.size() > max_bytes_;
  if (line.too_long) std::string().swap(line.text);
  skipping_ = false;
  return line;
}

}  // namespace engram::bridge
