// SPDX-License-Identifier: MIT
// Pong, as ONA has it.
#pragma once

#include "experiments/sensors/distractors.hpp"

namespace engram::experiments::sensors {

/// The second of ONA's examples of Pong (src/system_tests/Pong2_Test.h at dc4efd0), move for move, its drawing
/// and its generator aside. A ball comes down on a field of 50 x 20, straight as there; the bat moves by 9 a
/// step, at the velocity that ^left, ^right or ^stop set last. Seen is `ball_left`, `ball_right` or
/// `ball_equal`, wanted at every step `good_nar`, which happens where the ball meets the bat, 6 to either side
/// of its middle. A trial ends where the ball is down: right if it was met, whatever is done at that step; a
/// point for a hit, one off for a miss. Then the ball is anywhere in the upper half. As there, the ball moves
/// before the bat does, and one at the left or right edge is taken away at its first move.
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
