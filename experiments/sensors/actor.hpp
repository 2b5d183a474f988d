// SPDX-License-Identifier: MIT
// A NARS that acts in a world: it is told events and goals, and does operations.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bridge/attach/reasoner_process.hpp"
#include "experiments/spec/spec_reader.hpp"
#include "narsese/term.hpp"

namespace engram::experiments::sensors {

/// Which NARS acts, and how it tries things.
struct ActingSystem {
  const bridge::NarsSystem* system = &bridge::engram_nars();  // that one, or ONA
  std::vector<std::string> command;  // that starts it: a program and its arguments, which no shell reads
  double babbling = 0.2;             // motor babbling: share of goals for which something is tried. ONA's
  double patience = 60;              // seconds until it has done one thing it was told
};

/// {"name": "ona", "command": ["NAR", "shell"], "babbling": 0.2, "patience": 60.0}
/// Errors  JsonError: a name that is not of such a system; a command that is missing, or is one too many
ActingSystem read_acting_system(SpecObject& object);

/// One NARS that knows nothing, from its making on. One thread at a time.
class Actor {
 public:
  /// `operations`: what it can do, "^left" ..
  /// Errors  bridge::CannotStart
  Actor(const ActingSystem& choice, std::span<const std::string> operations, std::uint64_t seed);

  /// Tells it events, in order, then the goal where there is one, then lets cycles pass.
  /// Returns  the first of the operations that it did meanwhile
  /// Errors   bridge::ReasonerError
  std::optional<std::size_t> tell(const std::vector<std::string>& events, const std::string& goal,
                                  std::uint64_t cycles);
  /// Tells it judgements that always hold.  Errors  as tell()
  void learn(const std::vector<std::string>& judgements);
  /// What it did beside the first operation of a call.
  std::uint64_t more_operations() const { return more_operations_; }

 private:
  std::vector<std::string> operations_;
  const bridge::NarsSystem& system_;
  std::chrono::milliseconds patience_;
  bridge::ReasonerProcess process_;
  std::uint64_t more_operations_ = 0;
};

}  // namespace engram::experiments::sensors
