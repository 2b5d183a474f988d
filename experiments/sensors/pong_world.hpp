// SPDX-License-Identifier: MIT
// The game Pong, as in ONA.
#pragma once

#include "experiments/sensors/distractors.hpp"

namespace engram::experiments::sensors {

/// Port of ONA's second Pong example (src/system_tests/Pong2_Test.h at dc4efd0) with the same moves, but without its
/// drawing and with another random generator.
///
/// A ball falls straight on a field of 50 x 20. The bat moves by 9 squares a step, in the direction that ^left, ^right
/// or ^stop set last. The agent sees `ball_left`, `ball_right` or `ball_equal`. The goal of every step is `good_nar`,
/// which occurs if the ball meets the bat, at most 6 squares from its centre. A trial ends when the ball is down. It is
/// correct if the bat met the ball, whatever the last operation was, and counts 1 point for a hit, -1 for a miss. The
/// next ball starts at a random place in the upper half.
///
/// The ball moves before the bat, and a ball at the left or right edge disappears at its first move, as in ONA.
class PongWorld : public World {
 public:
  PongWorld(const WorldOptions& options, std::uint64_t seed);

  std::span<const std::string> operations() const override { return operations_; }
  std::optional<std::size_t> best() const override;
  double chance() const override;
  double chance_score() const override;

 private:
  Sensed show() override;
  Acted carry_out(std::optional<std::size_t> operation) override;

  std::vector<std::string> operations_{"^left", "^right", "^stop"};
  Distractors distractors_;
  core::Rng drawn_;
  int ball_x_, ball_y_, ball_velocity_ = 1;
  int bat_ = 20, bat_velocity_ = 0;
};

}  // namespace engram::experiments::sensors
