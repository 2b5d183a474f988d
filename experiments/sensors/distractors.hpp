// SPDX-License-Identifier: MIT
// Distractors: events without meaning that each step contains.
#pragma once

#include "core/numbers/random.hpp"
#include "experiments/sensors/world.hpp"

namespace engram::experiments::sensors {

/// Draws different distractors for each step, and shuffles all events of the step.
class Distractors {
 public:
  /// Draws options.distractors events for each step from the names distractor_1 ... distractor_N with N =
  /// options.names.
  Distractors(const WorldOptions& options, std::uint64_t seed);

  /// Returns the relevant events, the other events and distractors in a random order. The positions of `relevant` are
  /// returned in the order of `relevant`.
  Sensed among(std::vector<std::string> relevant, std::vector<std::string> others, std::string goal);

 private:
  std::size_t count_;
  std::vector<std::uint32_t> names_;  // partly shuffled by earlier draws
  core::Rng drawn_, placed_;
};

}  // namespace engram::experiments::sensors
