// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace engram::narsese {

/// When a sentence holds: always, at a moment relative to now, or at a given time.
struct Tense {
  /// When: always, relative to now, or at a cycle.
  enum class Kind : std::uint8_t {
    eternal,
    past,     // :\:
    present,  // :|:
    future,   // :/:
    offset,   // :+5: or :-5:, cycles from now
    at,       // :!5:, a cycle counted from the start
  };
  Kind kind = Kind::eternal;
  std::int64_t cycles = 0;  // of offset and at

  friend bool operator==(const Tense&, const Tense&) = default;
};

}  // namespace engram::narsese
