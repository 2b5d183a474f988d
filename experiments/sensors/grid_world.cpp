// SPDX-License-Identifier: MIT
#include "experiments/sensors/grid_world.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/numbers/shapes.hpp"

namespace engram::experiments::sensors {
namespace {

// Returns whether all free squares are connected.
bool in_one_piece(const std::vector<std::string>& rows) {
  std::vector<std::string> left = rows;
  std::vector<std::pair<std::size_t, std::size_t>> open;
  const auto visit = [&](std::size_t y, std::size_t x) {  // 0 - 1 wraps to a large number, outside of the map
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

constexpr const char* nearer = "nearer";
constexpr const char* eaten = "eaten";
constexpr double turning = 0.25;  // probability that a bird draws a new direction at a step; chosen

GridMap map_of(const WorldOptions& options, std::uint64_t seed) {
  core::Rng rng(seed, "sensors walls");
  return draw_grid_map(options.width, options.height, options.walls, rng);
}

std::string direction_of(GridCell to, GridCell from) {
  const int dx = to.x - from.x, dy = to.y - from.y;
  if (dx == 0 && dy == 0) return "here";
  if (std::abs(dx) >= std::abs(dy)) return dx < 0 ? "left" : "right";
  return dy < 0 ? "up" : "down";
}

// Moves a bird along one axis with positions 0 .. size-1. A bird that would leave the map turns round instead.
void fly(int& place, int step, int size, std::size_t& heading) {
  if (place + step >= 0 && place + step < size)
    place += step;
  else
    heading ^= 1;  // opposite directions are neighbours in grid_directions
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

std::vector<Sight> look_around(const GridMap& map, const GridScene& scene) {
  std::vector<Sight> seen;
  const GridCell at = scene.agent;
  for (const GridDirection& direction : grid_directions)
    if ((scene.food.x - at.x) * direction.dx + (scene.food.y - at.y) * direction.dy > 0)
      seen.push_back({std::string("food_") + direction.name, scene.food, true});
  for (const GridDirection& direction : grid_directions)
    if (const GridCell next{at.x + direction.dx, at.y + direction.dy}; !map.is_free(next))
      seen.push_back({std::string("wall_") + direction.name, next, true});
  for (std::size_t i = 0; i < scene.birds.size(); ++i)
    seen.push_back(
        {"bird_" + std::to_string(i + 1) + "_" + direction_of(scene.birds[i], at), scene.birds[i], false});
  return seen;
}

GridWorld::GridWorld(const WorldOptions& options, std::uint64_t seed)
    : distractors_(options, seed),
      drawn_(seed, "sensors food"),
      flown_(seed, "sensors birds"),
      map_(map_of(options, seed)) {
  for (const GridDirection& direction : grid_directions)
    operations_.push_back(std::string("^") + direction.name);
  scene_.agent = map_.free_cells()[drawn_.below(map_.free_cells().size())];
  scene_.food = drawn_but(scene_.agent);
  distances_ = map_.distances(scene_.food);
  for (std::size_t i = 0; i < options.things; ++i) {
    const auto x = static_cast<int>(flown_.below(options.width));
    scene_.birds.push_back({x, static_cast<int>(flown_.below(options.height))});
    headings_.push_back(flown_.below(grid_directions.size()));
  }
}

std::optional<std::size_t> GridWorld::best() const {
  for (std::size_t i = 0; i < grid_directions.size(); ++i)
    if (distances_[map_.place(map_.moved(scene_.agent, grid_directions[i]))] <
        distances_[map_.place(scene_.agent)])
      return i;
  return {};
}

double GridWorld::optimum_score() const {
  double steps = 0;
  for (const GridCell food : map_.free_cells())
    for (const int distance : map_.distances(food)) steps += distance;
  const auto n = static_cast<double>(map_.free_cells().size());
  return n * (n - 1) / steps;
}

Sensed GridWorld::show() {
  std::vector<std::string> relevant, others;
  for (Sight& sight : look_around(map_, scene_))
    (sight.relevant ? relevant : others).push_back(std::move(sight.event));
  return distractors_.among(std::move(relevant), std::move(others), nearer);
}

Acted GridWorld::carry_out(std::optional<std::size_t> operation) {
  const GridCell before = scene_.agent;
  if (operation) scene_.agent = map_.moved(before, grid_directions[*operation]);
  Acted acted{.right = distances_[map_.place(scene_.agent)] < distances_[map_.place(before)]};
  if (*acted.right) acted.events.emplace_back(nearer);
  if (scene_.agent == scene_.food) {
    acted.events.emplace_back(eaten);
    acted.score = 1;
    scene_.food = drawn_but(scene_.agent);
    distances_ = map_.distances(scene_.food);
  }
  move_birds();
  return acted;
}

GridCell GridWorld::drawn_but(GridCell taken) {
  const auto& cells = map_.free_cells();
  const std::size_t skipped = map_.place(taken), drawn = drawn_.below(cells.size() - 1);
  return cells[drawn < skipped ? drawn : drawn + 1];
}

void GridWorld::move_birds() {
  for (std::size_t i = 0; i < scene_.birds.size(); ++i) {
    if (flown_.uniform() < turning) headings_[i] = flown_.below(grid_directions.size());
    const GridDirection& direction = grid_directions[headings_[i]];
    if (direction.dx != 0)
      fly(scene_.birds[i].x, direction.dx, map_.width(), headings_[i]);
    else
      fly(scene_.birds[i].y, direction.dy, map_.height(), headings_[i]);
  }
}

}  // namespace engram::experiments::sensors
