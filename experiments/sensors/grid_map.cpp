// SPDX-License-Identifier: MIT
#include "experiments/sensors/grid_map.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/numbers/shapes.hpp"

namespace engram::experiments::sensors {
namespace {

// Returns whether all free squares are connected.
bool in_one_piece(const std::vector<std::string>& rows) {
  std::vector<std::string> left = rows;
  std::vector<std::pair<std::size_t, std::size_t>> open;
  const auto visit = [&](std::size_t y, std::size_t x) {  // beyond an edge, 0 - 1 wraps to a large number
    if (y >= left.size() || x >= left[y].size() || left[y][x] != '.') return;
    left[y][x] = '#';
    open.emplace_back(y, x);
  };
  for (std::size_t y = 0; y < left.size() && open.empty(); ++y)
    if (const std::size_t x = left[y].find('.'); x != std::string::npos) visit(y, x);
  while (!open.empty()) {
    const auto [y, x] = open.back();
    open.pop_back();
    visit(y, x - 1);
    visit(y, x + 1);
    visit(y - 1, x);
    visit(y + 1, x);
  }
  return std::ranges::all_of(left, [](const std::string& row) { return row.find('.') == std::string::npos; });
}

// Inverts a matrix by Gauss-Jordan elimination. Pivots are not needed, because the matrix is symmetric and positive
// definite. Plain loops give the same bits on every processor; Eigen's inverse does not.
core::Matrix inverse(core::Matrix a) {
  const core::Index n = a.rows();
  core::Matrix b = core::Matrix::Identity(n, n);
  for (core::Index k = 0; k < n; ++k) {
    const double pivot = a(k, k);
    for (core::Index j = 0; j < n; ++j) {
      a(k, j) /= pivot;
      b(k, j) /= pivot;
    }
    for (core::Index i = 0; i < n; ++i) {
      const double factor = a(i, k);
      if (i == k || factor == 0) continue;
      for (core::Index j = 0; j < n; ++j) {
        a(i, j) -= factor * a(k, j);
        b(i, j) -= factor * b(k, j);
      }
    }
  }
  return b;
}

}  // namespace

GridMap::GridMap(std::vector<std::string> rows) : rows_(std::move(rows)) {
  core::require(!rows_.empty() && rows_.size() <= most_grid_side && rows_.front().size() <= most_grid_side,
                "a map must have 1 to 20 rows and columns");
  for (const std::string& row : rows_)
    core::require(row.size() == rows_.front().size() && row.find_first_not_of(".#") == std::string::npos,
                  "a map's rows must be of one length, and of . and # alone");
  places_.resize(rows_.size() * rows_.front().size());
  for (int y = 0; y < height(); ++y)
    for (int x = 0; x < width(); ++x)
      if (is_free({x, y})) {
        places_[number({x, y})] = free_.size();
        free_.push_back({x, y});
      }
  core::require(free_.size() >= 2, "two squares of a map must be free");
  core::require(in_one_piece(rows_), "a map's free squares must be in one piece");
}

bool GridMap::is_free(GridCell cell) const {
  return cell.x >= 0 && cell.y >= 0 && cell.x < width() && cell.y < height() &&
         rows_[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)] == '.';
}

GridCell GridMap::moved(GridCell from, const GridDirection& direction) const {
  const GridCell to{from.x + direction.dx, from.y + direction.dy};
  return is_free(to) ? to : from;
}

std::vector<int> GridMap::distances(GridCell to) const {
  std::vector<int> steps(free_.size(), -1);
  std::vector<GridCell> reached{to};
  steps[place(to)] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const GridDirection& direction : grid_directions)
      if (const GridCell next = moved(reached[i], direction); steps[place(next)] < 0) {
        steps[place(next)] = steps[place(reached[i])] + 1;
        reached.push_back(next);
      }
  return steps;
}

GridMap draw_grid_map(std::size_t width, std::size_t height, double walls, core::Rng& rng) {
  std::vector<std::string> rows(height, std::string(width, '.'));
  auto left = static_cast<std::size_t>(walls * static_cast<double>(width * height));
  for (const std::uint32_t square : rng.permutation(static_cast<std::uint32_t>(width * height))) {
    if (left == 0) break;
    char& tried = rows[square / width][square % width];
    tried = '#';
    if (in_one_piece(rows))
      --left;
    else
      tried = '.';
  }
  return GridMap(std::move(rows));
}

RandomWalk random_walk(const GridMap& map) {
  const auto& cells = map.free_cells();
  const auto n = static_cast<core::Index>(cells.size());
  constexpr double each = 1.0 / grid_directions.size();
  core::Matrix steps = core::Matrix::Constant(n, n, 1 / static_cast<double>(n));
  for (core::Index a = 0; a < n; ++a) {
    steps(a, a) += 1;
    for (const GridDirection& direction : grid_directions)
      steps(a,
            static_cast<core::Index>(map.place(map.moved(cells[static_cast<std::size_t>(a)], direction)))) -=
          each;
  }
  const core::Matrix z = inverse(std::move(steps));
  double time = 0, closer = 0;
  for (core::Index f = 0; f < n; ++f) {
    const std::vector<int> distance = map.distances(cells[static_cast<std::size_t>(f)]);
    for (std::size_t a = 0; a < cells.size(); ++a) {
      const double spent = static_cast<double>(n) * (z(f, f) - z(static_cast<core::Index>(a), f));
      time += spent;
      for (const GridDirection& direction : grid_directions)
        if (distance[map.place(map.moved(cells[a], direction))] < distance[a]) closer += spent * each;
    }
  }
  return {closer / time, static_cast<double>(n) * static_cast<double>(n - 1) / time};
}

}  // namespace engram::experiments::sensors
