// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

namespace engram::experiments {

/// Progress display: a bar with the remaining time on a terminal, otherwise a line every ten seconds.
/// `out`       stream for lines; null: no progress is shown
/// `terminal`  stream for the bar, which uses control sequences; null: `out` is not a terminal
class Progress {
 public:
  Progress(std::ostream* out, std::ostream* terminal, std::string what, std::size_t total, std::size_t done,
           std::string units = "trials");
  void advance(std::size_t units = 1);
  void finish();

 private:
  void show();

  std::ostream *out_, *terminal_;
  std::string what_, units_;
  std::size_t total_, done_, first_;
  std::chrono::steady_clock::time_point start_, shown_;
};

}  // namespace engram::experiments
