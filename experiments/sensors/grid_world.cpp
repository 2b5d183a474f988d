// SPDX-License-Identifier: MIT
#include "experiments/sensors/grid_world.hpp"

#include <algorithm>
#include <cstdlib>

namespace engram::experiments::sensors {
namespace {

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

// Moves a bird along one axis. At an edge of 0 .. size-1 it turns round.
void fly(int& place, int step, int size, std::size_t& heading) {
  if (place + step >= 0 && place + step < size)
    place += step;
  else
    heading ^= 1;  // opposite directions are neighbours in grid_directions
}

}  // namespace

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
