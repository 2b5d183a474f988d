// SPDX-License-Identifier: MIT
// What happens at a step among what means nothing.
#pragma once

#include "core/numbers/random.hpp"
#include "experiments/sensors/world.hpp"

namespace engram::experiments::sensors {

/// Draws the distractors of each step out of their names, none twice, and the places of all events.
class Distractors {
 public:
  /// options.distractors a step, called distractor_1 ... distractor_N with N = options.names.
  Distractors(const WorldOptions& options, std::uint64_t seed);

  /// What matters, what is seen beside it, and distractors, every order with equal chance. The places of
  /// `relevant` are told in their own order.
  Sensed among(std::vector<std::string> relevant, std::vector<std::string> others, std::string goal);

 private:
  std::size_t count_;
  std::vector<std::uint32_t> names_;  // in whatever order draws have left them
  core::Rng drawn_, placed_;
};

}  // namespace engram::experiments::sensors
