// SPDX-License-Identifier: MIT
// Where one can go in the world `grid`, and how far it is.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"

namespace engram::experiments::sensors {

/// A square, from the left and from the top.
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

inline constexpr std::size_t most_grid_side = 20;  // squares

/// Squares that are free or walls, within walls all round.
class GridMap {
 public:
  /// Rows of '.' (free) and '#' (wall).
  /// Errors   std::invalid_argument unless they are of one length, rows and columns at most most_grid_side, two
  ///          squares at least free, and each can be reached from each
  explicit GridMap(std::vector<std::string> rows);

  const std::vector<std::string>& rows() const { return rows_; }
  int width() const { return static_cast<int>(rows_.front().size()); }
  int height() const { return static_cast<int>(rows_.size()); }
  /// Those that are free, row by row.
  const std::vector<GridCell>& free_cells() const { return free_; }

  bool is_free(GridCell cell) const;
  /// Where a step leads; to where it began, at a wall.
  GridCell moved(GridCell from, const GridDirection& direction) const;

  /// Steps of the shortest path to a square from each of free_cells(), in their order.  Cost  O(squares)
  std::vector<int> distances(GridCell to) const;
  /// The place of a free square in free_cells().
  std::size_t place(GridCell cell) const { return places_[number(cell)]; }

 private:
  std::size_t number(GridCell cell) const { return static_cast<std::size_t>(cell.y * width() + cell.x); }

  std::vector<std::string> rows_;
  std::vector<GridCell> free_;
  std::vector<std::size_t> places_;  // of each square in free_
};

/// Walls at random squares, one after the other, each only where what is free stays in one piece, until there
/// are `walls` of all squares, or no square is left to try.
/// Shapes   width, height 2 to most_grid_side; walls in [0, 1)    Cost  O(squares^2)
GridMap draw_grid_map(std::size_t width, std::size_t height, double walls, core::Rng& rng);

/// What walking at random comes to, each direction with equal chance and a step against a wall lost, where food
/// that is reached comes again at any other free square: the share of steps that lead closer, and of those that
/// reach it.
struct RandomWalk {
  double closer, reached;
};
/// The walk's matrix P is symmetric, so that in the long run every square is as likely. With Z = (I - P +
/// 11'/n)^-1 the steps from a to f are h(a, f) = n (Z_ff - Z_af) (Kemeny and Snell 1960, theorem 4.4.7). Time
/// spent at a while food is at f is h(a, f) too, by symmetry, over all ways to come by the food; so `reached` is
/// n (n-1) / sum h, and `closer` the mean over (a, f), by h, of the share of directions that lead closer.
/// Cost     O(n^3) for n free squares
RandomWalk random_walk(const GridMap& map);

}  // namespace engram::experiments::sensors
