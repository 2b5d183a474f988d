// SPDX-License-Identifier: MIT
// Worlds to act in: what `sensors` lets a reasoner see, want and do, one step after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engram::experiments::sensors {

/// What a world shows at one step, in the order in which it is sensed.
struct Sensed {
  std::vector<std::string> events;      // terms: what happened or is seen, distractors among them
  std::vector<std::uint32_t> relevant;  // places in `events` of what matters for what is wanted, the most
                                        // telling first: the oracle's knowledge
  std::string goal;                     // what is wanted now, a term; empty: nothing is
};

/// What an operation came to.
struct Acted {
  std::vector<std::string> events = {};  // terms: what follows at once, such as the goal's own event
  std::optional<bool> right = {};        // whether it was done right, of steps that count as a trial
  double score = 0;                      // points won or lost, of worlds that have any
};

/// One world's run: the same bits for the same options, seed and operations. What it shows beside distractors
/// does not depend on how many of them there are.
class World {
 public:
  virtual ~World() = default;

  /// The operations that it knows: "^left", ...
  virtual std::span<const std::string> operations() const = 0;

  /// The next step begins.  Errors  std::invalid_argument where the step before still waits for act()
  Sensed sense();
  /// Does one of operations(), or nothing, and ends the step.
  /// Errors  std::invalid_argument unless the step has been sensed and there is such an operation
  Acted act(std::optional<std::size_t> operation);

  /// What who knows the world does at this step, between sense() and act(); nothing where it is all the same.
  virtual std::optional<std::size_t> best() const = 0;

  /// What doing any operation at every step, each with equal chance, comes to in the long run: the share of the
  /// trials that are done right, and the points a step (0 in worlds without points). Worked out, not sampled.
  virtual double chance() const = 0;
  virtual double chance_score() const { return 0; }

 private:
  virtual Sensed show() = 0;
  virtual Acted carry_out(std::optional<std::size_t> operation) = 0;

  bool sensed_ = false;
};

/// Of all worlds; who reads a spec keeps the ranges, and make_world() checks them. Which worlds have an option
/// stands before it.
struct WorldOptions {
  // all
  std::size_t distractors = 0;  // a step, 0 to 100, no two of one name
  std::size_t names = 100;      // that distractors have, `distractors` to 10000
  // conditioning, delayed, reversal
  std::size_t stimuli = 2;     // 2 to 8
  std::size_t operations = 0;  // 2 to 8; 0: as many as stimuli
  // delayed
  std::size_t delay = 2;  // steps from an operation to the goal's event, 1 to 5
  // reversal
  std::size_t reversal = 60;  // the first trial, counted from 0, in which another operation is right
  // grid
  std::size_t width = 8, height = 8;  // squares, 3 to 20 each
  double walls = 0.15;                // share of the squares, 0 to 0.4; fewer where more would cut some off
  std::size_t things = 8;             // 0 to 100: birds, which are seen, move and mean nothing
};

/// A world by its name.
struct WorldKind {
  std::string name;
  std::string description;  // a line of help
  bool points;              // its runs are told by their score
  std::unique_ptr<World> (*make)(const WorldOptions& options, std::uint64_t seed);
};

/// All, in the order of tables.
const std::vector<WorldKind>& world_kinds();

/// Errors  std::invalid_argument for a name that no world has, and for options beyond their ranges
std::unique_ptr<World> make_world(const std::string& name, const WorldOptions& options, std::uint64_t seed);

}  // namespace engram::experiments::sensors
