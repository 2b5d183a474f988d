// SPDX-License-Identifier: MIT
#include "experiments/sensors/world.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/numbers/shapes.hpp"
#include "experiments/sensors/conditioning_world.hpp"
#include "experiments/sensors/grid_world.hpp"
#include "experiments/sensors/pong_world.hpp"

namespace engram::experiments::sensors {
namespace {

void require_within(const char* what, std::size_t found, std::size_t least, std::size_t most) {
  if (found < least || found > most)
    throw std::invalid_argument(std::string(what) + " must be " + std::to_string(least) + " to " +
                                std::to_string(most) + ", found " + std::to_string(found));
}

void require_ranges(const WorldOptions& options) {
  require_within("distractors", options.distractors, 0, 100);
  require_within("names", options.names, options.distractors, 10'000);
  require_within("stimuli", options.stimuli, 2, 8);
  if (options.operations != 0) require_within("operations", options.operations, 2, 8);
  require_within("delay", options.delay, 1, 5);
  require_within("width", options.width, 3, most_grid_side);
  require_within("height", options.height, 3, most_grid_side);
  require_within("things", options.things, 0, 100);
  core::require(options.walls >= 0 && options.walls <= 0.4, "walls must be 0 to 0.4", options.walls);
}

}  // namespace

Sensed World::sense() {
  core::require(!sensed_, "sense() must follow act(): a step that is begun must be ended");
  sensed_ = true;
  return show();
}

Acted World::act(std::optional<std::size_t> operation) {
  core::require(sensed_, "act() must follow sense()");
  core::require(!operation || *operation < operations().size(), "act() must get one of the operations()");
  sensed_ = false;
  return carry_out(operation);
}

const std::vector<WorldKind>& world_kinds() {
  static const std::vector<WorldKind> kinds{
      {"conditioning", "to each stimulus its own operation, and at once what is wanted", false,
       [](const WorldOptions& options, std::uint64_t seed) -> std::unique_ptr<World> {
         return std::make_unique<ConditioningWorld>(options, 0, ConditioningWorld::never, seed);
       }},
      {"delayed", "conditioning in which what is wanted comes steps later", false,
       [](const WorldOptions& options, std::uint64_t seed) -> std::unique_ptr<World> {
         return std::make_unique<ConditioningWorld>(options, options.delay, ConditioningWorld::never, seed);
       }},
      {"reversal", "conditioning in which other operations become right on the way", false,
       [](const WorldOptions& options, std::uint64_t seed) -> std::unique_ptr<World> {
         return std::make_unique<ConditioningWorld>(options, 0, options.reversal, seed);
       }},
      {"grid", "walls, food to be found, and birds that mean nothing", true,
       [](const WorldOptions& options, std::uint64_t seed) -> std::unique_ptr<World> {
         return std::make_unique<GridWorld>(options, seed);
       }},
      {"pong", "a bat to be moved to where the ball comes down, as in ONA's second example of it", true,
       [](const WorldOptions& options, std::uint64_t seed) -> std::unique_ptr<World> {
         return std::make_unique<PongWorld>(options, seed);
       }}};
  return kinds;
}

std::unique_ptr<World> make_world(const std::string& name, const WorldOptions& options, std::uint64_t seed) {
  const auto kind = std::ranges::find(world_kinds(), name, &WorldKind::name);
  if (kind == world_kinds().end()) {
    std::string known;
    for (const WorldKind& each : world_kinds()) known += (known.empty() ? "" : ", ") + each.name;
    throw std::invalid_argument("a world must be one of " + known + ", found " + name);
  }
  require_ranges(options);
  return kind->make(options, seed);
}

}  // namespace engram::experiments::sensors
