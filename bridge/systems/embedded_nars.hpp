// SPDX-License-Identifier: MIT
// Interface of a NARS that runs in this process and, like a child process, reads and prints lines.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace engram::bridge {

/// A NARS that reads and prints lines.
class EmbeddedNars {
 public:
  using Print = std::function<void(std::string_view line)>;

  virtual ~EmbeddedNars() = default;
  /// Processes one line and prints the results.
  /// Errors  exceptions of `print`; core::WorkStopped soon after the surrounding work is cancelled
  virtual void line(std::string_view text, const Print& print) = 0;
};

/// The reasoner and the agent of core/reasoner/, with by_urgency as control (core/reasoner/control.hpp).
/// Input lines:
///   a sentence       in any dialect. A budget `$p;d;q$` gives its urgency p; the default is 1
///   a number         runs this many cycles
///   *reset           forgets everything
///   *volume=N        0: prints answers and executed operations only; 100: prints everything
///   *sentences=N     most sentences; if more are needed, forgets the least urgent half. The default is 1,000,000
///   *echo TEXT       prints the text
///   other commands   see take_agent_command
/// Temporal sentences (Agent::is_temporal) go to the agent, predictive implications to both, all others to the
/// reasoner. A repeated question gets a new answer.
/// Output lines: "Input: ", "Derived: ", "Revised: " or "Answer: " before a sentence with its stamp; `^op executed with
/// args`, as ONA prints it; "Error: " with a message.
std::unique_ptr<EmbeddedNars> embedded_reasoner();

/// Inference steps in one cycle. Chosen: experiments give a NARS one hundred cycles, which are two thousand steps here.
inline constexpr std::uint64_t steps_of_cycle = 20;

}  // namespace engram::bridge
