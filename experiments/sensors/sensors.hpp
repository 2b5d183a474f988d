// SPDX-License-Identifier: MIT
// Experiment `sensors`: does a NARS learn to act among distractors if a filter passes on only a few of the sensed
// events? Each policy of the filter gets the same worlds. The policy `oracle` knows the relevant events, and `all`
// passes everything on.
#pragma once

#include <string>
#include <vector>

#include "core/events/event_filter.hpp"
#include "experiments/sensors/actor.hpp"
#include "experiments/sensors/grid_film.hpp"
#include "experiments/sensors/world.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::sensors {

/// A world, the number of its trials, and the settings of the filter.
struct WorldRuns {
  std::string label, world;
  WorldOptions options;
  std::size_t trials = 120;
  std::size_t pass = core::EventFilterOptions{}.pass;  // most events passed on at once
  // Inference cycles of the NARS after each step. Chosen to exceed ONA's window of recent events.
  std::uint64_t pause = 50;
  std::uint64_t rest = 50;  // the same after the last step of a trial; specs have `pause` as default
  // Whether the NARS also receives the links that the filter has learnt (EventFilterOptions::advise). Applies only to
  // the policy `predictive`, so that the other policies show the effect of selection alone.
  bool advise = true;
};

struct SensorsOptions {
  std::vector<WorldRuns> worlds;
  std::vector<std::size_t> distractors{0, 10, 40};
  std::vector<std::string> policies;
  ActingSystem system;
  core::EventFilterOptions filter;
  bool touchstones = true;  // also run the designs of animal learning (touchstones.hpp)
  // The policy `all` is skipped for this number of distractors or more, for a NARS that takes minutes a life. 0: never
  // skipped.
  std::size_t most_to_all = 0;
};

Conclusion conclude_sensors(const Spec& spec, const SensorsOptions& options, const std::vector<Json>& rows);

/// Value of "world" in the rows about touchstones (touchstones.hpp), which run in no world.
inline constexpr const char* touchstones_label = "touchstones";

/// Criterion of learning: at least criterion_right correct trials in a window of criterion_window trials.
inline constexpr std::size_t criterion_window = 20, criterion_right = 18;
/// Number of the trial, counted from 1, that completes the first window with the criterion. Only windows that begin at
/// trial `first` (counted from 0) or later count. Returns nothing if no window meets the criterion.
std::optional<std::size_t> trials_to_criterion(const std::vector<double>& right, std::size_t first = 0);

}  // namespace engram::experiments::sensors
