// SPDX-License-Identifier: MIT
#include <map>
#include <set>
#include <tuple>

#include "experiments/sensors/world.hpp"
#include "tests/support/catch.hpp"

namespace engram::experiments::sensors {
namespace {

TEST_CASE("each stimulus has its own right operation if there are enough operations",
          "[experiments][sensors]") {
  for (const auto& [stimuli, operations, different] :
       {std::tuple{8, 0, 8}, {8, 3, 3}, {2, 8, 2}, {2, 2, 2}, {5, 4, 4}}) {
    const auto world = make_world(
        "conditioning",
        {.stimuli = static_cast<std::size_t>(stimuli), .operations = static_cast<std::size_t>(operations)},
        4);
    std::map<std::string, std::size_t> rule;
    std::set<std::size_t> right;
    for (int trial = 0; trial < 300; ++trial) {
      const Sensed sensed = world->sense();
      REQUIRE(sensed.events.size() == 1);
      REQUIRE(sensed.relevant == std::vector<std::uint32_t>{0});
      REQUIRE(sensed.goal == "goal");
      const std::size_t best = *world->best();
      REQUIRE(rule.emplace(sensed.events[0], best).first->second == best);
      right.insert(best);
      const std::size_t done = static_cast<std::size_t>(trial) % world->operations().size();
      const Acted acted = world->act(done);
      REQUIRE(acted.right == (done == best));
      REQUIRE(acted.events == (done == best ? std::vector<std::string>{"goal"} : std::vector<std::string>{}));
    }
    CHECK(rule.size() == static_cast<std::size_t>(stimuli));
    CHECK(right.size() == static_cast<std::size_t>(different));
  }
}

TEST_CASE("a delayed outcome comes after `delay` steps, among distractors", "[experiments][sensors]") {
  for (std::size_t delay = 1; delay <= 5; ++delay) {
    INFO("delay " << delay);
    const auto world = make_world("delayed", {.distractors = 3, .delay = delay}, 8);
    for (int trial = 0; trial < 60; ++trial) {
      const bool right = trial % 3 != 0;
      const Sensed stimulus = world->sense();
      REQUIRE(stimulus.goal == "goal");
      REQUIRE(stimulus.events.size() == 4);
      REQUIRE(stimulus.events[stimulus.relevant.at(0)].starts_with("stimulus_"));
      const std::size_t best = *world->best();
      const Acted acted = world->act(right ? best : 1 - best);
      REQUIRE(acted.events.empty());
      REQUIRE(acted.right == right);
      for (std::size_t step = 1; step <= delay; ++step) {
        const Sensed between = world->sense();
        const bool comes = right && step == delay;
        REQUIRE(between.goal.empty());
        REQUIRE(between.events.size() == (comes ? 4 : 3));
        REQUIRE(between.relevant.size() == (comes ? 1 : 0));
        if (comes) REQUIRE(between.events[between.relevant[0]] == "goal");
        REQUIRE(!world->best());
        const Acted nothing = world->act(0);  // operations have no effect now
        REQUIRE((nothing.events.empty() && !nothing.right));
      }
    }
  }
}

TEST_CASE("after a reversal the next operation is the right one", "[experiments][sensors]") {
  const WorldOptions options{.stimuli = 3, .operations = 4, .reversal = 50};
  const auto still = make_world("conditioning", options, 6), turned = make_world("reversal", options, 6);
  for (std::size_t trial = 0; trial < 100; ++trial) {
    REQUIRE(still->sense().events == turned->sense().events);
    REQUIRE(*turned->best() == (*still->best() + (trial < 50 ? 0 : 1)) % 4);
    REQUIRE(*turned->act(turned->best()).right);
    still->act({});
  }
}

}  // namespace
}  // namespace engram::experiments::sensors
