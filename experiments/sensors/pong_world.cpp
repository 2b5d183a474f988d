// SPDX-License-Identifier: MIT
#include "experiments/sensors/pong_world.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace engram::experiments::sensors {
namespace {

constexpr int field_width = 50, field_height = 20;
constexpr int reach = 6;  // half width of the bat
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

}  // namespace

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
  constexpr int steps = 2000;  // chosen: the bat crosses the field in 8, so thousands forget the start
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

// Expected points of a step. A trial gives 1 or -1 point. It takes 10 to 19 steps, the height of the ball, and one step
// more for each earlier ball that disappeared at an edge. 2 of 50 balls disappear.
double PongWorld::chance_score() const {
  constexpr double mean_height = (3.0 * field_height / 2 - 1) / 2;
  constexpr double taken_away = 2.0 / (field_width - 2);
  return (2 * chance() - 1) / (mean_height + taken_away);
}

}  // namespace engram::experiments::sensors
