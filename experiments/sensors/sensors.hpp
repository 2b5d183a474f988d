// SPDX-License-Identifier: MIT
// Attention over a stream of events: does a NARS learn to act among distractors, if a filter passes on a few events of all that it
// senses? Each policy of the filter sees the same worlds; the oracle knows what matters, `all` is no filter.
#pragma once

#include <string>
#include <vector>

#include "core/events/event_filter.hpp"
#include "experiments/sensors/actor.hpp"
#include "experiments/sensors/grid_film.hpp"
#include "experiments/sensors/world.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::sensors {

/// A world, how long it is lived in, and how much of it goes on.
struct WorldRuns {
  std::string label, world;
  WorldOptions options;
  std::size_t trials = 120;
  std::size_t pass = core::EventFilterOptions{}.pass;  // events that go on in a cycle, at most
  std::uint64_t pause = 50;  // cycles of the NARS after each step; chosen: more than ONA's window
  // The NARS is told what the filter has learnt of what it passes on first, <(e &/ ^op) =/> g> with its truth: whenever
  // that has changed by told_change, and again while the NARS does what is known to fail.
  bool advise = false;
};

struct SensorsOptions {
  std::vector<WorldRuns> worlds;
  std::vector<std::size_t> distractors{0, 10, 40};
  std::vector<std::string> policies;
  ActingSystem system;
  core::EventFilterOptions filter;
  std::size_t most_to_all =
      40;  // distractors from which on `all` is not asked: ONA takes minutes a trial. 0: never
};

Conclusion conclude_sensors(const Spec& spec, const SensorsOptions& options, const std::vector<Json>& rows);

/// Of (2 f - 1) c, which is told again where it has changed so much. Chosen.
inline constexpr double told_change = 0.2;

/// Trials of the criterion's window, and how many of them must be right.
inline constexpr std::size_t criterion_window = 20, criterion_right = 18;
/// The trial, counted from 1, at which the first window that meets the criterion ends, of those from `first` on;
/// nothing where none does.
std::optional<std::size_t> trials_to_criterion(const std::vector<double>& right, std::size_t first = 0);

}  // namespace engram::experiments::sensors
