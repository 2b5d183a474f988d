// SPDX-License-Identifier: MIT
// The NARS that an experiment uses, as configured in a spec.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bridge/systems/nars_system.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {

/// Member "system" of a spec:
/// {"name": "ona", "command": ["NAR", "shell"], "recording": "recording.jsonl", "cycles": 100,
///  "more_cycles": 50, "settling": 1.0, "patience": 60.0}
struct SystemChoice {
  const bridge::NarsSystem* system = nullptr;  // "name"
  // Whether new questions can be asked, not only recorded ones looked up.
  bool can_ask() const { return !command.empty() || system->embedded != nullptr; }

  std::vector<std::string> command;  // program and arguments, run without a shell; may be empty
  std::string recording;             // file of recorded exchanges, as written in the spec; may be empty
  std::uint64_t cycles = 100;        // inference cycles before the question; chosen
  std::uint64_t more_cycles = 50;    // cycles between asking and asking again; chosen
  double settling = 1;               // seconds in place of each of these, for a system that runs freely
  double patience = 60;              // timeout in seconds for one input
};

/// Reads the choice.
/// Errors  JsonError; SpecError for an unknown system, or if a system that needs a command or a recording has neither
SystemChoice read_system(SpecObject& object);

}  // namespace engram::experiments
