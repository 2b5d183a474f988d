// SPDX-License-Identifier: MIT
// The game Pong, as in ONA.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "experiments/sensors/world.hpp"

namespace engram::experiments::sensors {
namespace {

constexpr int field_width = 50, field_height = 20;
constexpr int reach = 6;  // half width of the bat, in squares
constexpr int leftmost = -2 * reach, rightmost = field_width - 1 + reach;
constexpr std::array velocities{-3, 3, 0};  // velocities of ^left, ^right and ^stop
constexpr std::array balls{"ball_left", "ball_right", "ball_equal"};

// Returns an index in `balls`, which is also the operation that brings the bat to the ball.
std::size_t side_of(int ball, int bat) {
  if (bat <= ball - reach) return 1;
  return ball + reach < bat ? 0 : 2;
}

int bat_moved(int bat, int velocity) { return std::clamp(bat + velocity * reach / 2, leftmost, rightmost); }
bool at_edge(int ball_x) { return ball_x == 0 || ball_x == field_width - 1; }

// Mean number of steps of a trial. A ball starts at a height of 10 to 19 and falls by 1 in each step. A trial has one
// more step for each ball that disappeared at an edge before; that happens to 2 of 50 balls.
double steps_a_trial() { return (3.0 * field_height / 2 - 1) / 2 + 2.0 / (field_width - 2); }

// Port of ONA's second Pong example (src/system_tests/Pong2_Test.h at dc4efd0) with the same moves, but without its
// drawing and with another random generator.
//
// A ball falls straight on a field of 50 x 20. The bat moves by 9 squares a step, in the direction that ^left, ^right
// or ^stop set last. The agent sees `ball_left`, `ball_right` or `ball_equal`. The goal of every step is `good_nar`,
// which occurs if the ball meets the bat, at most 6 squares from its centre. A trial ends when the ball is down. It is
// correct if the bat met the ball, whatever the last operation was, and counts 1 point for a hit, -1 for a miss. The
// next ball starts at a random place in the upper half.
//
// The ball moves before the bat, and a ball at the left or right edge disappears at its first move, as in ONA.
class PongWorld : public World {
 public:
  PongWorld(const WorldOptions& options, std::uint64_t seed);

  std::span<const std::string> operations() const override { return operations_; }
  std::optional<std::size_t> best() const override;
  double chance() const override;
  double chance_score() const override;
  double optimum_score() const override { return 1 / steps_a_trial(); }

 private:
  Sensed show() override;
  Acted carry_out(std::optional<std::size_t> operation) override;

  std::vector<std::string> operations_{"^left", "^right", "^stop"};
  Distractors distractors_;
  core::Rng drawn_;
  int ball_x_, ball_y_, ball_velocity_ = 1;
  int bat_ = 20, bat_velocity_ = 0;
};

PongWorld::PongWorld(const WorldOptions& options, std::uint64_t seed)
    : distractors_(options, seed),
      drawn_(seed, "sensors pong"),
      ball_x_(field_width / 2),
      ball_y_(field_height / 5) {}

std::optional<std::size_t> PongWorld::best() const { return side_of(ball_x_, bat_); }

Sensed PongWorld::show() { return distractors_.among({balls[side_of(ball_x_, bat_)]}, {}, "good_nar"); }

Acted PongWorld::carry_out(std::optional<std::size_t> operation) {
  if (ball_y_ >= field_height - 1) ball_velocity_ = -1;
  ball_y_ += ball_velocity_;
  Acted acted;
  if (ball_y_ == 0) {
    acted.right = std::abs(ball_x_ - bat_) <= reach;
    acted.score = *acted.right ? 1 : -1;
    if (*acted.right) acted.events.emplace_back("good_nar");
  }
  if (ball_y_ == 0 || at_edge(ball_x_)) {
    ball_y_ = field_height / 2 + static_cast<int>(drawn_.below(field_height / 2));
    ball_x_ = static_cast<int>(drawn_.below(field_width));
  }
  if (operation) bat_velocity_ = velocities[*operation];
  bat_ = bat_moved(bat_, bat_velocity_);
  return acted;
}

// With random operations the bat is a Markov chain that is independent of the ball. All places where a ball can land,
// which excludes the edges, are equally probable. The chance is the share of these places that the bat covers in its
// stationary distribution.
double PongWorld::chance() const {
  constexpr std::size_t places = rightmost - leftmost + 1;
  constexpr int steps = 2000;  // chosen: the bat crosses the field in 8 steps, so its start no longer matters
  std::array<double, places> chances{};
  chances[static_cast<std::size_t>(20 - leftmost)] = 1;
  for (int step = 0; step < steps; ++step) {
    std::array<double, places> next{};
    for (std::size_t i = 0; i < places; ++i)
      for (const int velocity : velocities)
        next[static_cast<std::size_t>(bat_moved(static_cast<int>(i) + leftmost, velocity) - leftmost)] +=
            chances[i] / velocities.size();
    chances = next;
  }
  double met = 0;
  for (std::size_t i = 0; i < places; ++i)
    for (int ball = 0; ball < field_width; ++ball)
      if (!at_edge(ball) && std::abs(ball - (static_cast<int>(i) + leftmost)) <= reach) met += chances[i];
  return met / (field_width - 2);
}

// Expected points of a step: a trial gives 1 or -1 point.
double PongWorld::chance_score() const { return (2 * chance() - 1) / steps_a_trial(); }

}  // namespace

std::unique_ptr<World> make_pong_world(const std::string&, const WorldOptions& options, std::uint64_t seed) {
  return std::make_unique<PongWorld>(options, seed);
}

}  // namespace engram::experiments::sensors
