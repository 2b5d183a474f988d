// SPDX-License-Identifier: MIT
#include "experiments/sensors/world.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/numbers/shapes.hpp"
#include "experiments/sensors/grid_world.hpp"

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
  require_within("delay", options.delay, 1, 10);
  require_within("companions", options.companions, 0, 8);
  require_within("length", options.length, 0, 10);
  require_within("width", options.width, 3, most_grid_side);
  require_within("height", options.height, 3, most_grid_side);
  require_within("things", options.things, 0, 100);
  core::require(options.drift >= 0 && options.drift <= 0.5, "drift must be 0 to 0.5", options.drift);
  core::require(options.fidelity >= 0 && options.fidelity <= 1, "fidelity must be 0 to 1", options.fidelity);
  core::require(options.walls >= 0 && options.walls <= 0.4, "walls must be 0 to 0.4", options.walls);
}

}  // namespace

Distractors::Distractors(const WorldOptions& options, std::uint64_t seed)
    : count_(options.distractors),
      names_(options.names),
      drawn_(seed, "sensors distractors"),
      placed_(seed, "sensors places") {
  std::iota(names_.begin(), names_.end(), 1U);
}

Sensed Distractors::among(std::vector<std::string> relevant, std::vector<std::string> others,
                          std::string goal) {
  const std::size_t relevant_count = relevant.size();
  std::vector<std::string> all = std::move(relevant);
  for (std::string& event : others) all.push_back(std::move(event));
  for (std::size_t i = 0; i < count_; ++i) {  // first steps of a Fisher-Yates shuffle
    std::swap(names_[i], names_[i + drawn_.below(names_.size() - i)]);
    all.push_back("distractor_" + std::to_string(names_[i]));
  }
  const auto places = placed_.permutation(static_cast<std::uint32_t>(all.size()));
  Sensed sensed;
  sensed.events.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) sensed.events[places[i]] = std::move(all[i]);
  sensed.relevant.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(relevant_count));
  sensed.goal = std::move(goal);
  return sensed;
}

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
      {"conditioning", "one operation for each stimulus is correct", false, make_conditioning_world},
      {"delayed", "as conditioning, but the outcome comes steps later", false, make_conditioning_world},
      {"reversal", "as conditioning, until other operations become correct", false, make_conditioning_world},
      {"drift", "as conditioning, but correct operations change at random", false, make_conditioning_world},
      {"companions", "as conditioning, with events that mostly accompany a stimulus", false,
       make_conditioning_world},
      {"conjunction", "two sensors; one operation is correct if both are on", false, make_conditioning_world},
      {"exclusive_or", "two sensors; one operation is correct if one of them is on", false,
       make_conditioning_world},
      {"sequence", "two tones; one operation is correct after high then low", false, make_conditioning_world},
      {"t_maze", "a cue, a corridor, and a junction where the cue decides", false, make_conditioning_world},
      {"grid", "walls, food to be found, and irrelevant birds", true,
       [](const std::string&, const WorldOptions& options, std::uint64_t seed) -> std::unique_ptr<World> {
         return std::make_unique<GridWorld>(options, seed);
       }},
      {"pong", "a bat that must meet a falling ball, as in ONA's second example", true, make_pong_world}};
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
  return kind->make(name, options, seed);
}

}  // namespace engram::experiments::sensors
