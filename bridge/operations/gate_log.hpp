// SPDX-License-Identifier: MIT
// Log of the statements that a live reasoner received for its questions, for viewers of the session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace engram::bridge {

/// One question, the statements selected for it, and its answers.
struct GateEntry {
  std::string question;
  std::vector<std::string> given;    // selected statements
  std::vector<std::string> answers;  // answers with truth values
  double seconds = 0;                // wall time
};

/// The latest questions.
struct GateLog {
  static constexpr std::size_t most = 20;  // chosen: the number that a page shows

  std::deque<GateEntry> last;  // ascending by time
  std::uint64_t asked = 0;     // questions ever asked
};

}  // namespace engram::bridge
