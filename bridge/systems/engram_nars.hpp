// SPDX-License-Identifier: MIT
// Engram's own reasoner and agent behind the line interface of a NARS, and their commands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bridge/systems/nars_system.hpp"
#include "core/reasoner/agent.hpp"

namespace engram::bridge {

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
inline constexpr std::uint64_t steps_per_cycle = 20;

/// Parses a command that configures the agent, in the syntax of ONA's shell, and stores it in the options:
///   *setopname N ^NAME          the Nth operator, from 1 to AgentOptions::max_operators
///   *babblingops=N              random exploration uses the first N operators
///   *motorbabbling=SHARE        in [0, 1], or `false` for 0, or `true` for the default
///   *decisionthreshold=SHARE    in [0, 1]
///   *seed=N                     seed of random choices (an extension of Engram)
/// Returns  an error message, with unchanged options; or nothing
std::optional<std::string> take_agent_command(std::string_view line, core::AgentOptions& options);

}  // namespace engram::bridge
