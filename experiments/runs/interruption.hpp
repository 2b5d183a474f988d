// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace engram::experiments {

/// Ctrl-C, or SIGTERM, lets the trials under way finish and no other begin; the second one ends the program
/// at once, which harms no run either. Only one may exist at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Becomes true at the first signal.
  static const std::atomic<bool>& requested();
};

}  // namespace engram::experiments
