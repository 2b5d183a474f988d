// SPDX-License-Identifier: MIT
// Grid world: walls, food, an agent that eats, and birds.
#pragma once

#include "experiments/sensors/distractors.hpp"
#include "experiments/sensors/grid_map.hpp"

namespace engram::experiments::sensors {

/// Positions of everything that moves on a map.
struct GridScene {
  GridCell agent, food;
  std::vector<GridCell> birds;
};

/// An event for a thing that the agent sees.
struct Sight {
  std::string event;
  GridCell cell;  // square of the thing; walls may be just outside the map
  bool relevant;
};

/// The sights of the agent, in this order:
/// * straight direction of the food: `food_left` or `food_right`, `food_up` or `food_down`; both unless the food is in
///   the same row or column
/// * walls on the four neighbouring squares: `wall_left` ...
/// * for each bird, the direction of its larger distance: `bird_7_up`; `bird_7_here` on the same square
std::vector<Sight> look_around(const GridMap& map, const GridScene& scene);

/// World with walls, food and agent at random squares. ^left, ^right, ^up and ^down move the agent by a square; at a
/// wall it stays. The goal of every step is `nearer`. This event occurs if the step shortens the shortest path to the
/// food, so the agent can smell the food. The goal is not `eaten`: only one step of eight would be rewarded, and no
/// NARS we know learns that, because it does not expect success of operations that mostly fail.
///
/// If the agent reaches the food, `eaten` occurs, the agent gets a point, and the food moves to another free square.
/// Every step is a trial, which is correct if the step led closer. Birds fly over everything, mostly straight. Their
/// positions do not influence relevant events.
class GridWorld : public World {
 public:
  GridWorld(const WorldOptions& options, std::uint64_t seed);

  std::span<const std::string> operations() const override { return operations_; }
  /// The first operation that leads closer.
  std::optional<std::size_t> best() const override;
  double chance() const override { return random_walk(map_).closer; }
  double chance_score() const override { return random_walk(map_).reached; }

  const GridMap& map() const { return map_; }
  /// The scene. Between sense() and act(), this is the scene that was sensed.
  const GridScene& scene() const { return scene_; }

 private:
  Sensed show() override;
  Acted carry_out(std::optional<std::size_t> operation) override;
  /// Draws a free square other than `taken`.
  GridCell drawn_but(GridCell taken);
  void move_birds();

  std::vector<std::string> operations_;
  Distractors distractors_;
  core::Rng drawn_, flown_;
  GridMap map_;
  GridScene scene_;
  std::vector<std::size_t> headings_;  // directions of the birds
  std::vector<int> distances_;         // distances of the free squares to the food
};

}  // namespace engram::experiments::sensors
