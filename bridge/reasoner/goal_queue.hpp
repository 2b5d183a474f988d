// SPDX-License-Identifier: MIT
// What is wanted, until it is thought of.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "bridge/reasoner/temporal_memory.hpp"

namespace engram::bridge {

/// Something wanted that waits.
struct WaitingGoal {
  EventConceptId of = 0;
  Desire desire;
  double priority = 1;
};

/// Goals in layers: what was told, what leads there, what leads to that, and so on. Each cycle the most urgent of each
/// layer is taken out; of equals the older one. As ONA's queues, smaller.
class GoalQueue {
 public:
  static constexpr std::size_t layers = 10;         // the longest plan; chosen
  static constexpr std::size_t most_of_layer = 40;  // the least urgent goes; chosen

  /// Takes it in unless the layer has this one from the same moment already, or is past the last.
  /// Returns  whether it waits now
  bool push(std::size_t layer, WaitingGoal goal);
  /// Takes out the one of the highest priority.
  std::optional<WaitingGoal> pop(std::size_t layer);
  /// Those that came before then are over.
  void drop_older_than(Cycle time);
  /// Nothing waits any longer.
  void clear();
  bool empty() const;

  /// Marks what waits.
  void mark(std::vector<bool>& in_use) const;
  /// Other numbers for its concepts, all of which stay.
  void renumber(const KeptIds& concepts);

 private:
  std::array<std::vector<WaitingGoal>, layers> waiting_;
};

}  // namespace engram::bridge
