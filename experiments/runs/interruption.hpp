// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string_view>

namespace engram::experiments {

/// Ctrl-C, or SIGTERM, asks to stop: of a run, lets the trials under way finish and no other begin. The
/// second one ends the program at once, which harms no run either. Only one may exist at a time.
class Interruption {
 public:
  static constexpr std::string_view trials =
      "\nengram: stopping when the trials under way are done; again to stop at once\n";

  /// `notice`: is told at the first signal; a literal.
  explicit Interruption(std::string_view notice = trials);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Becomes true at the first signal.
  static const std::atomic<bool>& requested();
};

}  // namespace engram::experiments
