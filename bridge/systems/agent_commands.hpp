// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bridge/reasoner/agent.hpp"

namespace engram::bridge {

/// Takes a line that says how to act, as ONA's shell reads it, into the options:
///   *setopname N ^NAME          the Nth operator, from 1 to AgentOptions::most_operators
///   *babblingops=N              the first N operators are tried
///   *motorbabbling=SHARE        in [0, 1], or `false` for 0, or `true` for the default
///   *decisionthreshold=SHARE    in [0, 1]
/// and of our own *seed=N.
/// Returns  what is the matter with it, and the options are as they were
std::optional<std::string> take_agent_command(std::string_view line, AgentOptions& options);

}  // namespace engram::bridge
