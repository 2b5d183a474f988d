// SPDX-License-Identifier: MIT
// A grid with walls, food, an agent that eats, and birds.
#pragma once

#include "experiments/sensors/distractors.hpp"
#include "experiments/sensors/grid_map.hpp"

namespace engram::experiments::sensors {

/// What moves on a map: all of the grid's state that can be seen.
struct GridScene {
  GridCell agent, food;
  std::vector<GridCell> birds;
};

/// A thing that the agent sees, as an event.
struct Sight {
  std::string event;
  GridCell cell;  // of what is seen; of walls, it may lie just beyond the map
  bool relevant;
};

/// In this order: where the food is, `food_left` or `food_right`, `food_up` or `food_down`, as the crow flies
/// (in line with it, one of the two alone; at other times both); which of the four squares around are walls,
/// `wall_left` ...; and of every bird its direction, the farther of the two: `bird_7_up`, `bird_7_here`.
std::vector<Sight> look_around(const GridMap& map, const GridScene& scene);

/// Walls, food and agent are placed by the seed. ^left, ^right, ^up and ^down go a square, or nowhere at a
/// wall. `nearer` is wanted at every step, and happens where a step leads closer to the food by the shortest path: what is
/// wanted is smelt. (Were it `eaten`, one step of eight would be rewarded, and no NARS that we know learns that: an operation
/// that fails most of the time is not expected to succeed.) `eaten` happens where the agent reaches the food, which then
/// is at any other free square: a point. Every step is a trial, right if it led closer.
/// Birds fly over everything, mostly straight on; what matters is not moved by where they are.
class GridWorld : public World {
 public:
  GridWorld(const WorldOptions& options, std::uint64_t seed);

  std::span<const std::string> operations() const override { return operations_; }
  /// One that leads closer, the first of them.
  std::optional<std::size_t> best() const override;
  double chance() const override { return random_walk(map_).closer; }
  double chance_score() const override { return random_walk(map_).reached; }

  const GridMap& map() const { return map_; }
  /// Between sense() and act(), what was sensed.
  const GridScene& scene() const { return scene_; }

 private:
  Sensed show() override;
  Acted carry_out(std::optional<std::size_t> operation) override;
  /// Anywhere free but there.
  GridCell drawn_but(GridCell taken);
  void move_birds();

  std::vector<std::string> operations_;
  Distractors distractors_;
  core::Rng drawn_, flown_;
  GridMap map_;
  GridScene scene_;
  std::vector<std::size_t> headings_;  // of the birds
  std::vector<int> distances_;         // to the food
};

}  // namespace engram::experiments::sensors
