// SPDX-License-Identifier: MIT
// A NARS that acts in a world: it receives events and goals and executes operations.
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

/// Configuration of the acting NARS.
struct ActingSystem {
  const bridge::NarsSystem* system = &bridge::engram_nars();  // Engram's own NARS or ONA
  std::vector<std::string> command;  // program and arguments to start it, without a shell
  double babbling = 0.2;  // motor babbling: probability of a random operation for a goal; default of ONA
  double patience = 60;   // time limit for a request, in seconds
};

/// Reads {"name": "ona", "command": ["NAR", "shell"], "babbling": 0.2, "patience": 60.0}.
/// Errors  JsonError for a name of another system, and for a missing or superfluous command
ActingSystem read_acting_system(SpecObject& object);

/// A running NARS that starts without knowledge. Use it from one thread at a time.
class Actor {
 public:
  /// Starts the NARS.
  /// `operations`  names of the operations that it can execute, such as "^left"
  /// Errors  bridge::CannotStart; bridge::ReasonerError
  Actor(const ActingSystem& choice, std::span<const std::string> operations, std::uint64_t seed);

  /// Sends events in their order, then the goal unless it is empty. Then the NARS runs `cycles` inference cycles.
  /// Returns the first operation that the NARS executed during the call, or nothing. A NARS that ends or does not
  /// answer does nothing from then on.
  std::optional<std::size_t> tell(const std::vector<std::string>& events, const std::string& goal,
                                  std::uint64_t cycles);
  /// Sends eternal judgements.
  void learn(const std::vector<std::string>& judgements);
  /// Why the NARS does nothing any more, with the last lines that it printed. Empty while it works.
  const std::string& ended() const { return ended_; }
  /// Number of executed operations that tell() did not return, because they were not the first of their call or
  /// unknown.
  std::uint64_t more_operations() const { return more_operations_; }

 private:
  void say(const std::vector<std::string>& lines, const bridge::ReasonerProcess::Sink& sink);

  std::vector<std::string> operations_;
  const bridge::NarsSystem& system_;
  std::chrono::milliseconds patience_;
  bridge::ReasonerProcess process_;
  std::string ended_;
  std::uint64_t more_operations_ = 0;
};

}  // namespace engram::experiments::sensors
