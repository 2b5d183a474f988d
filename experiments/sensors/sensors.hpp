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
  std::size_t pass = core::EventFilterOptions{}.pass;  // most events to pass on in a cycle
  std::uint64_t pause = 50;  // cycles of the NARS after each step; chosen to exceed ONA's window
  std::uint64_t rest = 50;   // cycles after the last step of a trial, instead; by default as `pause`
  // The NARS receives what the filter has learnt (EventFilterOptions::advise). Only with the policy `predictive`, so that
  // the other policies show what selection alone does.
  bool advise = true;
};

struct SensorsOptions {
  std::vector<WorldRuns> worlds;
  std::vector<std::size_t> distractors{0, 10, 40};
  std::vector<std::string> policies;
  ActingSystem system;
  core::EventFilterOptions filter;
  bool touchstones = true;       // also run the designs of animal learning (touchstones.hpp)
  std::size_t most_to_all = 40;  // least distractors without `all`, which takes ONA minutes a trial; 0: never
};

Conclusion conclude_sensors(const Spec& spec, const SensorsOptions& options, const std::vector<Json>& rows);

/// Label of the rows of touchstones, in place of a world.
inline constexpr const char* touchstones_label = "touchstones";

/// Criterion of learning: at least criterion_right correct trials in a window of criterion_window trials.
inline constexpr std::size_t criterion_window = 20, criterion_right = 18;
/// The trial, counted from 1, that completes the first window from trial `first` on that meets the criterion. Returns
/// nothing if none does.
std::optional<std::size_t> trials_to_criterion(const std::vector<double>& right, std::size_t first = 0);

}  // namespace engram::experiments::sensors
