// SPDX-License-Identifier: MIT
// Operant conditioning: a stimulus, an operation, and a goal.
#pragma once

#include <limits>

#include "experiments/sensors/distractors.hpp"

namespace engram::experiments::sensors {

/// World of operant conditioning. Each trial shows one of `stimulus_1` ... `stimulus_S` with equal probability and sets
/// `goal` as the goal. The seed assigns one correct operation to each stimulus, and different ones if there are enough.
///
/// After the correct operation the event `goal` occurs, at once or `delay` steps later among the distractors of that
/// step. The next stimulus appears after that time. Until then there is no goal, and operations have no effect. The
/// option `reversal` is the first trial in which the correct operation is the next one after the earlier one (a cyclic
/// shift).
class ConditioningWorld : public World {
 public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  ConditioningWorld(const WorldOptions& options, std::size_t delay, std::size_t reversal, std::uint64_t seed);

  std::span<const std::string> operations() const override { return operations_; }
  std::optional<std::size_t> best() const override;
  double chance() const override { return 1 / static_cast<double>(operations_.size()); }

 private:
  Sensed show() override;
  Acted carry_out(std::optional<std::size_t> operation) override;

  std::vector<std::string> operations_;
  std::vector<std::size_t> rule_;  // correct operation of each stimulus before the reversal
  std::size_t delay_, reversal_;
  Distractors distractors_;
  core::Rng drawn_;
  std::size_t trials_ = 0;               // trials begun so far
  std::optional<std::size_t> stimulus_;  // stimulus of this step; none between trials
  std::size_t waiting_ = 0;              // steps until the next stimulus may come
  bool outcome_ = false;                 // whether `goal` occurs at the end of the wait
};

}  // namespace engram::experiments::sensors
