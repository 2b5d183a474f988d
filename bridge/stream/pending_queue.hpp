// SPDX-License-Identifier: MIT
// Bounded queue of input for a NARS, cycle by cycle. If the NARS is slower than the world, it skips old cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/events/event_policy.hpp"

namespace engram::bridge {

/// One item of input.
struct PendingItem {
  /// The kind of item.
  enum class Kind : std::uint8_t { event, goal, sentence, question, operation, command };

  Kind kind = Kind::event;
  std::string text = {};        // Narsese, or a command
  core::Moment time = 0;        // of an event
  std::uint64_t episode = 0;    // of an event, goal, operation
  double budget = 0;            // of an event
  std::uint64_t statement = 0;  // of a sentence: AttachedMemory::Origin::number
};

/// One cycle, or several merged cycles.
struct PendingCycle {
  std::uint64_t before = 0;  // cycles that pass before the items
  core::Moment now = 0;
  std::vector<PendingItem> items = {};
  std::uint64_t after = 0;
};

/// FIFO queue of cycles.
class PendingQueue {
 public:
  /// Bounds of the queue.
  struct Limits {
    std::size_t cycles = 4;    // if more wait, all are merged into one
    std::size_t events = 1;    // most events of a merged cycle: those with the largest budgets stay
    std::size_t items = 4096;  // most other items of a cycle: the oldest are dropped
  };
  /// Returns whether an event of this time can still be sent now.
  using Tellable = std::function<bool(core::Moment time, core::Moment now)>;

  PendingQueue(const Limits& limits, Tellable tellable) : limits_(limits), tellable_(std::move(tellable)) {}

  bool empty() const { return cycles_.empty(); }
  /// Adds the events of a cycle and the number of cycles that pass after them.
  void add(core::Moment now, std::vector<PendingItem> events, std::uint64_t after);
  /// Appends an item of another kind.
  void add(core::Moment now, PendingItem item);
  /// Removes and returns the next cycle. The queue must not be empty.
  PendingCycle take();

  /// Events dropped because they were too old when they were due.
  std::uint64_t late() const { return late_; }
  /// Items dropped because the queue was full.
  std::uint64_t crowded_out() const { return crowded_out_; }

 private:
  PendingCycle& last(core::Moment now);
  void catch_up();
  void keep_best(std::vector<PendingItem>& items);
  void say_goals_once(std::vector<PendingItem>& items);

  Limits limits_;
  Tellable tellable_;
  std::deque<PendingCycle> cycles_;
  std::uint64_t late_ = 0, crowded_out_ = 0;
};

}  // namespace engram::bridge
