// SPDX-License-Identifier: MIT
// Which NARS an experiment asks, as a spec says it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bridge/systems/nars_system.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {

/// {"name": "ona", "command": ["NAR", "shell"], "recording": "recording.jsonl", "cycles": 100,
///  "more_cycles": 50, "settling": 1.0, "patience": 60.0}
struct SystemChoice {
  const bridge::NarsSystem* system = nullptr;  // "name"
  // Whether it can be asked what is not recorded.
  bool can_ask() const { return !command.empty() || system->embedded != nullptr; }

  std::vector<std::string> command;  // a program and its arguments, which no shell reads; may be empty
  std::string recording;             // a file of what it answered before, as it is written; may be empty
  std::uint64_t cycles = 100;        // of reasoning before a question; chosen
  std::uint64_t more_cycles = 50;    // and after it; then it is asked again
  double settling = 1;               // seconds: what a system that runs freely gets in place of each of these
  double patience = 60;              // seconds until it has done one thing it was told
};

/// Errors  JsonError, SpecError: a name that is no system's; neither a command nor a recording of a system that needs one
SystemChoice read_system(SpecObject& object);

}  // namespace engram::experiments
