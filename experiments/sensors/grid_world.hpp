// SPDX-License-Identifier: MIT
// Grid world: walls, food, an agent that eats, and birds.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "experiments/sensors/world.hpp"

namespace engram::experiments::sensors {

/// Coordinates of a square, from the left and from the top.
struct GridCell {
  int x = 0, y = 0;
  friend bool operator==(const GridCell&, const GridCell&) = default;
};

struct GridDirection {
  const char* name;
  int dx, dy;
};
inline constexpr std::array<GridDirection, 4> grid_directions{
    {{"left", -1, 0}, {"right", 1, 0}, {"up", 0, -1}, {"down", 0, 1}}};

inline constexpr std::size_t most_grid_side = 20;  // maximum width and height of a map, in squares

/// A map of free squares and walls, with walls on all sides.
class GridMap {
 public:
  /// Creates a map from rows of '.' (free) and '#' (wall).
  /// Errors   std::invalid_argument unless all rows have one length, rows and columns are at most most_grid_side, at
  ///          least two squares are free, and all free squares are connected
  explicit GridMap(std::vector<std::string> rows);

  const std::vector<std::string>& rows() const { return rows_; }
  int width() const { return static_cast<int>(rows_.front().size()); }
  int height() const { return static_cast<int>(rows_.size()); }
  /// The free squares, row by row.
  const std::vector<GridCell>& free_cells() const { return free_; }

  bool is_free(GridCell cell) const;
  /// Returns the square after a step in this direction. A step against a wall does not leave its square.
  GridCell moved(GridCell from, const GridDirection& direction) const;

  /// Lengths of the shortest paths to a square from each of free_cells(), in their order.  Cost  O(squares)
  std::vector<int> distances(GridCell to) const;
  /// The index of a free square in free_cells().
  std::size_t place(GridCell cell) const { return places_[number(cell)]; }

 private:
  std::size_t number(GridCell cell) const { return static_cast<std::size_t>(cell.y * width() + cell.x); }

  std::vector<std::string> rows_;
  std::vector<GridCell> free_;
  std::vector<std::size_t> places_;  // index in free_ by square number
};

/// Creates a random map. Adds walls one at a time, only if the free squares stay connected, until the share `walls` is
/// reached or no square is left to try.
/// Shapes   width, height 2 to most_grid_side; walls in [0, 1)    Cost  O(squares^2)
GridMap draw_grid_map(std::size_t width, std::size_t height, double walls, core::Rng& rng);

/// Results of a random walk that takes each direction with equal probability. Steps against walls are lost, and reached
/// food reappears at a random other free square. `closer` is the share of steps that lead closer to the food, `reached`
/// the share that reach it.
struct RandomWalk {
  double closer, reached;
};
/// Computes the results exactly. The transition matrix P of the walk is symmetric, so its stationary distribution is
/// uniform. Let n be the number of free squares, 1 the vector of ones, and Z = (I - P + 11'/n)^-1. The expected number
/// of steps from square a to square f is h(a, f) = n (Z_ff - Z_af) (Kemeny and Snell 1960, theorem 4.4.7). By symmetry,
/// h(a, f) is also the expected time spent at a while the food is at f. Therefore `reached` is n (n-1) / sum h.
/// `closer` is the mean over (a, f), weighted by h, of the share of directions that lead closer.
/// Cost     O(n^3) for n free squares
RandomWalk random_walk(const GridMap& map);

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

/// Returns the events for everything that the agent sees, in this order:
/// * direction of the food along each axis: `food_left` or `food_right`, and `food_up` or `food_down`; only one of
///   these events if the food is in the same row or column
/// * walls on the four neighbouring squares: `wall_left` ...
/// * for each bird, its direction along the axis on which it is farther away: `bird_7_up`; `bird_7_here` if it is on
///   the square of the agent
std::vector<Sight> look_around(const GridMap& map, const GridScene& scene);

/// World with walls, food and agent at random squares. ^left, ^right, ^up and ^down move the agent by a square; at a
/// wall it stays. The goal of every step is `nearer`. This event occurs if the step shortens the shortest path to the
/// food, as if the agent could smell the food. The goal is not `eaten`, because only one step of eight would be
/// rewarded. No NARS we know learns that, because it does not expect success of operations that mostly fail.
///
/// If the agent reaches the food, `eaten` occurs, the agent gets a point, and the food moves to another free square.
/// Every step is a trial, which is correct if the step led closer. Birds fly over everything, mostly straight. Their
/// positions do not influence relevant events.
class GridWorld : public World {
 public:
  GridWorld(const WorldOptions& options, std::uint64_t seed);

  std::span<const std::string> operations() const override { return operations_; }
  /// The first operation that leads closer to the food.
  std::optional<std::size_t> best() const override;
  double chance() const override { return random_walk(map_).closer; }
  double chance_score() const override { return random_walk(map_).reached; }
  /// Points per step of an agent that always takes a shortest path. This is 1 / (mean length of the shortest paths
  /// between two free squares), because food appears at a random square.
  double optimum_score() const override;

  const GridMap& map() const { return map_; }
  /// The current scene; between sense() and act(), the scene that was sensed.
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
