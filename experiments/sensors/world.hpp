// SPDX-License-Identifier: MIT
// Worlds in which a reasoner acts, step by step, in the experiment `sensors`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engram::experiments::sensors {

/// Input of the reasoner in one step.
struct Sensed {
  std::vector<std::string> events;      // terms of the sensed events in their order, distractors included
  std::vector<std::uint32_t> relevant;  // indices of the events that matter for the goal, the most
                                        // informative first; only for the oracle
  std::string goal;                     // term of the goal; empty: none
};

/// Result of an operation.
struct Acted {
  std::vector<std::string> events = {};  // terms of immediate effects, such as the event of the goal
  std::optional<bool> right = {};        // whether a trial was correct; nothing if the step is not a trial
  double score = 0;                      // points won or lost; 0 in worlds without points
};

/// A run of a world. Equal options, seeds and operations give equal bits. The events besides distractors do not depend
/// on the number of distractors.
class World {
 public:
  virtual ~World() = default;

  /// The operations of this world: "^left", ...
  virtual std::span<const std::string> operations() const = 0;

  /// Starts the next step.  Errors  std::invalid_argument if act() has not ended the step before
  Sensed sense();
  /// Executes one of operations(), or none, and ends the step.
  /// Errors  std::invalid_argument without sense() before, or for an unknown operation
  Acted act(std::optional<std::size_t> operation);

  /// The correct operation of this step, between sense() and act(). Returns nothing if all are equal.
  virtual std::optional<std::size_t> best() const = 0;

  /// Long-run results of a random operation at every step, computed exactly: the share of correct trials, and the
  /// points of a step (0 in worlds without points).
  virtual double chance() const = 0;
  virtual double chance_score() const { return 0; }

 private:
  virtual Sensed show() = 0;
  virtual Acted carry_out(std::optional<std::size_t> operation) = 0;

  bool sensed_ = false;
};

/// Options of all worlds. The comment before an option names its worlds. Callers that read specs and make_world() check
/// the ranges.
struct WorldOptions {
  // all
  std::size_t distractors = 0;  // events per step, 0 to 100, without duplicates
  std::size_t names = 100;      // number of distractor names, `distractors` to 10000
  // conditioning, delayed, reversal
  std::size_t stimuli = 2;     // 2 to 8
  std::size_t operations = 0;  // 2 to 8; 0: as many as stimuli
  // delayed
  std::size_t delay = 2;  // steps from an operation to the goal's event, 1 to 5
  // reversal
  std::size_t reversal = 60;  // first trial with the new correct operations, counted from 0
  // grid
  std::size_t width = 8, height = 8;  // squares, 3 to 20 each
  double walls = 0.15;                // share of the squares, 0 to 0.4; less if more would separate squares
  std::size_t things = 8;             // birds, 0 to 100: visible, moving and irrelevant
};

/// A kind of world.
struct WorldKind {
  std::string name;
  std::string description;  // a line of help
  bool points;              // reports show the score of its runs
  std::unique_ptr<World> (*make)(const WorldOptions& options, std::uint64_t seed);
};

/// All kinds, in the order of tables.
const std::vector<WorldKind>& world_kinds();

/// Creates a world.  Errors  std::invalid_argument for an unknown name, and for options outside their ranges
std::unique_ptr<World> make_world(const std::string& name, const WorldOptions& options, std::uint64_t seed);

}  // namespace engram::experiments::sensors
