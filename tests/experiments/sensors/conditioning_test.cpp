// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <optional>
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
  for (std::size_t delay = 1; delay <= 10; ++delay) {
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
        const Acted nothing = world->act(0);  // between trials, operations have no effect
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

// The relevant events of each step of a trial, sorted by name, and the trial's correct operation.
struct Trial {
  std::vector<std::set<std::string>> steps;
  std::size_t best = 0;
};
Trial next_trial(World& world) {
  for (Trial trial;;) {
    const Sensed sensed = world.sense();
    trial.steps.emplace_back();
    for (const std::uint32_t place : sensed.relevant) trial.steps.back().insert(sensed.events[place]);
    const auto best = world.best();
    CHECK(sensed.goal.empty() == !best);
    const Acted acted = world.act(best);
    CHECK(acted.right.has_value() == best.has_value());
    if (!best) continue;
    trial.best = *best;
    return trial;
  }
}

TEST_CASE("two sensors and two tones decide as described", "[experiments][sensors]") {
  for (const char* name : {"conjunction", "exclusive_or", "sequence"})
    for (const bool silent : {false, true}) {
      if (silent && name == std::string("sequence")) continue;
      INFO(name << (silent ? ", silent" : ""));
      const auto world = make_world(name, {.silent = silent}, 5);
      std::map<std::size_t, double> shares;
      std::set<std::vector<std::set<std::string>>> kinds;
      std::optional<std::size_t> special;  // the operation that is correct if the world's first rule applies
      for (int i = 0; i < 4000; ++i) {
        const Trial trial = next_trial(*world);
        kinds.insert(trial.steps);
        const auto& last = trial.steps.back();
        const bool light = last.contains("light_on"), tone = last.contains("tone_on");
        bool first_rule = light && tone;
        if (name == std::string("exclusive_or")) first_rule = light != tone;
        if (name == std::string("sequence"))
          first_rule = trial.steps.at(0).contains("high") && last.contains("low");
        if (first_rule && !special) special = trial.best;
        if (special) REQUIRE((trial.best == *special) == first_rule);
        shares[trial.best] += 1.0 / 4000;
      }
      CHECK(kinds.size() == (silent ? 3 : 4));
      for (const auto& [operation, share] : shares) CHECK(std::abs(share - 0.5) < 0.04);
    }
}

TEST_CASE("in a T-maze the cue decides at the junction", "[experiments][sensors]") {
  for (const std::size_t length : {0U, 3U, 10U}) {
    const auto world = make_world("t_maze", {.distractors = 2, .length = length}, 5);
    std::map<std::string, std::size_t> rule;
    for (int i = 0; i < 40; ++i) {
      const Trial trial = next_trial(*world);
      REQUIRE(trial.steps.size() == length + 2);
      REQUIRE(trial.steps[0].size() == 1);
      for (std::size_t step = 1; step <= length; ++step) REQUIRE(trial.steps[step].empty());
      REQUIRE(trial.steps.back() == std::set<std::string>{"junction"});
      REQUIRE(rule.emplace(*trial.steps[0].begin(), trial.best).first->second == trial.best);
    }
    REQUIRE(rule.size() == 2);
    CHECK(rule.begin()->second != rule.rbegin()->second);
  }
}

TEST_CASE("companions mostly belong to the stimulus, and drift changes rules as often as requested",
          "[experiments][sensors]") {
  const auto world = make_world("companions", {.stimuli = 3, .companions = 2, .fidelity = 0.8}, 5);
  double faithful = 0;
  for (int i = 0; i < 3000; ++i) {
    const Sensed sensed = world->sense();
    REQUIRE(sensed.events.size() == 3);
    const char own = sensed.events[sensed.relevant.at(0)].back();
    for (const std::string& event : sensed.events)
      if (event.starts_with("companion_")) faithful += event.back() == own ? 1.0 / 6000 : 0;
    world->act({});
  }
  CHECK(std::abs(faithful - 0.8) < 0.03);

  // If a stimulus occurs in two successive trials, its rule changes between them with probability `drift`.
  const auto drifting = make_world("drift", {.stimuli = 2, .drift = 0.1}, 5);
  std::string before;
  std::size_t rule = 0;
  double changes = 0, pairs = 0;
  for (int i = 0; i < 8000; ++i) {
    const std::string stimulus = drifting->sense().events.at(0);
    const std::size_t best = *drifting->best();
    if (stimulus == before) {
      ++pairs;
      changes += best != rule ? 1 : 0;
    }
    before = stimulus;
    rule = best;
    drifting->act({});
  }
  CHECK(std::abs(changes / pairs - 0.1) < 5 * std::sqrt(0.1 * 0.9 / pairs));
}

}  // namespace
}  // namespace engram::experiments::sensors
