// SPDX-License-Identifier: MIT
// Worlds in which a reasoner acts, step by step, in the experiment `sensors`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"

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

/// One run of a world. Runs with equal options, seeds and operations are identical to the bit. The number of
/// distractors does not influence the other events.
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

  /// Returns the correct operation of this step, between sense() and act(). Returns nothing if no operation is better
  /// than the others.
  virtual std::optional<std::size_t> best() const = 0;

  /// Long-run results of a random operation at every step, computed exactly: the share of correct trials, and the
  /// points of a step (0 in worlds without points).
  virtual double chance() const = 0;
  virtual double chance_score() const { return 0; }
  /// Long-run results of the best agent that knows how the world works, computed exactly. If the correct operations
  /// change at random (world `drift`), this agent still has to learn from outcomes which ones are correct.
  virtual double optimum() const { return 1; }
  virtual double optimum_score() const { return 0; }
  /// Share of correct trials of the best agent that knows how the world works but decides by a single event in each
  /// trial. The agent has a list of events, each with an operation, and uses the first listed event that is present.
  /// Returns nothing if the share is not known.
  virtual std::optional<double> best_by_one_event() const { return {}; }

 private:
  virtual Sensed show() = 0;
  virtual Acted carry_out(std::optional<std::size_t> operation) = 0;

  bool sensed_ = false;
};

/// Options of all worlds. A comment above each group of options names the worlds that use them. The reader of specs and
/// make_world() check the ranges.
struct WorldOptions {
  // Used by all worlds:
  std::size_t distractors = 0;  // distractors per step, all different, 0 to 100
  std::size_t names = 100;      // number of distractor names, `distractors` to 10000
  // Used by `conditioning`, `delayed`, `reversal`, `drift` and `companions`:
  std::size_t stimuli = 2;     // number of stimuli, 2 to 8
  std::size_t operations = 0;  // number of operations, 2 to 8; 0: equal to `stimuli`; drift always has 2
  // Used by `delayed`:
  std::size_t delay = 2;  // steps from an operation to the goal's event, 1 to 10
  // Used by `reversal`:
  std::size_t reversal = 60;  // first trial with the new correct operations, counted from 0
  // Used by `drift`: probability that the correct operation of a stimulus changes before a trial, 0 to 0.5.
  double drift = 0.01;
  // Used by `companions`:
  std::size_t companions = 3;  // events per step that accompany the stimulus, 0 to 8
  double fidelity = 0.9;       // probability that such an event belongs to the stimulus of the step, 0 to 1
  // Used by `conjunction` and `exclusive_or`:
  bool silent = false;  // whether a sensor that is off gives no event
  // Used by `t_maze`:
  std::size_t length = 3;  // steps of the corridor, 0 to 10
  // Used by `grid`:
  std::size_t width = 8, height = 8;  // size of the map in squares, 3 to 20 each
  double walls = 0.15;     // share of wall squares, 0 to 0.4; lower if more walls would separate free squares
  std::size_t things = 8;  // number of birds, 0 to 100: visible, moving and irrelevant
};

/// Draws different distractors for each step, and shuffles all events of the step.
class Distractors {
 public:
  /// Draws options.distractors events for each step from the names distractor_1 ... distractor_N with N =
  /// options.names.
  Distractors(const WorldOptions& options, std::uint64_t seed);

  /// Shuffles the relevant events, the other events and newly drawn distractors. Sensed::relevant has the positions of
  /// the relevant events, in the order of `relevant`.
  Sensed among(std::vector<std::string> relevant, std::vector<std::string> others, std::string goal);

 private:
  std::size_t count_;
  std::vector<std::uint32_t> names_;  // numbers in the names of distractors, partly shuffled by earlier draws
  core::Rng drawn_, placed_;
};

/// A kind of world.
struct WorldKind {
  std::string name;
  std::string description;  // one line for the help text
  bool points;              // whether reports show the score of its runs
  std::unique_ptr<World> (*make)(const std::string& name, const WorldOptions& options, std::uint64_t seed);
};

/// All kinds, in the order of tables.
const std::vector<WorldKind>& world_kinds();

/// A world of operant conditioning. A trial has one or more steps. If the agent executes the correct operation in the
/// last step, the event `goal` occurs. A rule decides which operation is correct; the seed assigns an operation to each
/// rule, and different ones if there are enough. `name` is one of:
///   conditioning  one of `stimulus_1` ... `stimulus_S` appears with equal probability; each has its own rule
///   delayed       as conditioning, but `goal` occurs `delay` steps later, and until then there is no goal
///   reversal      as conditioning; from trial `reversal` on, the correct operation is the next one (a cyclic shift)
///   drift         as conditioning with two operations; before each trial the correct operation of each stimulus
///                 changes with probability `drift`
///   companions    as conditioning, with further events that mostly belong to the stimulus
///   conjunction   `light_on` or `light_off`, and `tone_on` or `tone_off`; one operation is correct if both are on
///                 (half of the trials), the other one otherwise
///   exclusive_or  the same events with equal probability; one operation is correct if exactly one sensor is on, the
///                 other one if both or none are
///   sequence      two steps with `high` or `low`; one operation is correct after high then low (half of the trials),
///                 the other one after the three other orders (Woodbury 1943, problem d)
///   t_maze        `cue_a` or `cue_b`, then `length` steps `corridor`, then `junction`; the cue decides which operation
///                 is correct at the junction (after Bakker 2002, but the agent does not have to walk)
/// Errors  as make_world(), for `name`
std::unique_ptr<World> make_conditioning_world(const std::string& name, const WorldOptions& options,
                                               std::uint64_t seed);
/// Creates the game Pong, as in ONA.
std::unique_ptr<World> make_pong_world(const std::string& name, const WorldOptions& options,
                                       std::uint64_t seed);

/// Creates a world.  Errors  std::invalid_argument for an unknown name, and for options outside their ranges
std::unique_ptr<World> make_world(const std::string& name, const WorldOptions& options, std::uint64_t seed);

}  // namespace engram::experiments::sensors
