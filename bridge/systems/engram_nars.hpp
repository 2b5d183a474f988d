// SPDX-License-Identifier: MIT
// Engram's own reasoner and agent as a NARS: it reads and prints lines as an external NARS does, and has commands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bridge/systems/nars_system.hpp"
#include "core/reasoner/agent.hpp"

namespace engram::bridge {

/// Creates a NARS from the reasoner and the agent of core/reasoner/, controlled by urgency (core/reasoner/control.hpp).
/// Input lines:
///   a sentence       in any dialect. A budget `$p;d;q$` gives its urgency p; the default is 1
///   a number         runs this many cycles
///   *reset           forgets everything
///   *volume=N        0: prints answers and executed operations only; 100: prints everything
///   *sentences=N     most sentences, by default 1,000,000. If it needs more, it forgets the least urgent half
///   *echo TEXT       prints the text
///   other commands   see configure_agent()
/// Temporal sentences (Agent::is_temporal) go to the agent, and predictive implications to both. The reasoner gets all
/// other sentences, and answers a question again if it is repeated.
/// Output lines:
///   Input: S, Derived: S, Revised: S, Answer: S      a sentence with its stamp
///   ^op executed with args ..                        an executed operation, as ONA prints it
///   Error: TEXT                                      why an input line was rejected
std::unique_ptr<EmbeddedNars> embedded_reasoner();

/// Inference steps per cycle. Chosen: experiments give a NARS 100 cycles, which are 2,000 steps of this reasoner.
inline constexpr std::uint64_t steps_per_cycle = 20;

/// Executes a command that configures an agent, in the syntax of ONA's shell. Changes `options`, which the agent has:
///   *setopname N ^NAME          the Nth operator, from 1 to AgentOptions::max_operators
///   *babblingops=N              random exploration uses the first N operators
///   *motorbabbling=SHARE        in [0, 1], or `false` for 0, or `true` for the default
///   *decisionthreshold=SHARE    in [0, 1]
///   *seed=N                     seed of random choices (an extension of Engram)
/// Operators must be named before the first event.
/// Returns  an error message if the command is invalid; it then has no effect
std::optional<std::string> configure_agent(std::string_view line, core::AgentOptions& options,
                                           core::Agent& agent);

}  // namespace engram::bridge
