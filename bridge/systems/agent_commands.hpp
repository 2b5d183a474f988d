// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/reasoner/agent.hpp"

namespace engram::bridge {

/// Parses a command that configures the agent, in the syntax of ONA's shell, and stores it in the options:
///   *setopname N ^NAME          the Nth operator, from 1 to AgentOptions::max_operators
///   *babblingops=N              random exploration uses the first N operators
///   *motorbabbling=SHARE        in [0, 1], or `false` for 0, or `true` for the default
///   *decisionthreshold=SHARE    in [0, 1]
///   *seed=N                     seed of random choices (an extension of Engram)
/// Returns  an error message, with unchanged options; or nothing
std::optional<std::string> take_agent_command(std::string_view line, core::AgentOptions& options);

}  // namespace engram::bridge
