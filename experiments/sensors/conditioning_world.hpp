// SPDX-License-Identifier: MIT
// The standard task of learning to act: a stimulus, an operation, and what is wanted.
#pragma once

#include <limits>

#include "experiments/sensors/distractors.hpp"

namespace engram::experiments::sensors {

/// A trial shows one of `stimulus_1` ... `stimulus_S`, each with equal chance, and wants `goal`. To every
/// stimulus belongs one operation, drawn with the seed (different ones, as long as there are enough). Where it
/// is done, `goal` happens: at once, or `delay` steps later, among the distractors of that step. The next
/// stimulus is shown when that time is over; until then nothing is wanted, and what is done has no effect.
/// From the trial `reversal` on, the operation after the one that was right is right (a cyclic shift).
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
  std::vector<std::size_t> rule_;  // the operation that belongs to each stimulus, before the reversal
  std::size_t delay_, reversal_;
  Distractors distractors_;
  core::Rng drawn_;
  std::size_t trials_ = 0;               // begun
  std::optional<std::size_t> stimulus_;  // of this step; none between trials
  std::size_t waiting_ = 0;              // steps until the next stimulus may come
  bool outcome_ = false;                 // whether the last of them brings what is wanted
};

}  // namespace engram::experiments::sensors
