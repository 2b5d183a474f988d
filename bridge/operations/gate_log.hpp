// SPDX-License-Identifier: MIT
// What the reasoner of a live session was given for its questions, for those who look at the session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace engram::bridge {

/// One question: what was given for it, and what was answered.
struct GateEntry {
  std::string question;
  std::vector<std::string> given;    // statements
  std::vector<std::string> answers;  // with their truth values
  double seconds = 0;                // that it took
};

/// The last questions, the latest last.
struct GateLog {
  static constexpr std::size_t most = 20;  // chosen: what a page shows

  std::deque<GateEntry> last;  // questions, the latest last
  std::uint64_t asked = 0;     // in all
};

}  // namespace engram::bridge
