// SPDX-License-Identifier: MIT
// A NARS in this process that is talked with as one at the other end of two pipes: lines in, lines out.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace engram::bridge {

/// The reasoner in this program, as a NARS that reads and prints lines.
class EmbeddedNars {
 public:
  using Print = std::function<void(std::string_view line)>;

  virtual ~EmbeddedNars() = default;
  /// Deals with one line, and prints what comes of it.
  /// Errors  what `print` throws; core::WorkStopped soon after the work that this is part of is to end
  virtual void line(std::string_view text, const Print& print) = 0;
};

/// The reasoner and the agent of bridge/reasoner/. It reads sentences in any dialect, `$p;d;q$` with p as how urgent a sentence is
/// (1 where none is given), numbers of cycles, `*reset`, `*volume=0` for answers and what it does alone and `*volume=100` for
/// all, `*sentences=N`, the most that it has before it forgets half of them, what is least urgent first (1,000,000 where none is
/// told), `*echo N`, which it prints, and what take_agent_command reads. Sentences of a moment (Agent::is_of_a_moment) go to the
/// agent alone, predictive implications to both, all else to the reasoner.
/// What it prints: "Input: ", "Derived: ", "Revised: " or "Answer: " before a sentence with its stamp, `^op executed with args`
/// as ONA does, or "Error: " and what is the matter. A question that is asked again is answered again.
/// Control  by_urgency (bridge/reasoner/control.hpp)
std::unique_ptr<EmbeddedNars> embedded_reasoner();

/// Steps in what it calls a cycle. Chosen: the hundred cycles that experiments give a NARS are two thousand steps.
inline constexpr std::uint64_t steps_of_cycle = 20;

}  // namespace engram::bridge
