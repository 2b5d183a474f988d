// SPDX-License-Identifier: MIT
// What a NARS is to be told, cycle by cycle, until it has time for it: bounded, so that a NARS that is slower than the world
// skips what is past.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/events/event_policy.hpp"

namespace engram::bridge {

/// One thing to be told.
struct UntoldItem {
  /// What it is to the NARS.
  enum class Kind : std::uint8_t { event, goal, sentence, question, operation, command };

  Kind kind = Kind::event;
  std::string text = {};        // Narsese, or a command
  core::Moment time = 0;        // of an event
  std::uint64_t episode = 0;    // of an event, goal, operation
  double budget = 0;            // of an event
  std::uint64_t statement = 0;  // of a sentence: AttachedMemory::Origin::number
};

/// One cycle, or several that became one.
struct UntoldCycle {
  std::uint64_t before = 0;  // cycles that pass before it
  core::Moment now = 0;
  std::vector<UntoldItem> items = {};
  std::uint64_t after = 0;
};

/// Cycles in their order.
class Untold {
 public:
  /// How much may wait.
  struct Limits {
    std::size_t cycles = 4;    // of more, all become one
    std::size_t events = 1;    // of one that several became: those of the largest budgets stay
    std::size_t items = 4096;  // of a cycle, beside events: of more, the oldest go
  };
  /// Whether an event may still be told at this moment.
  using Tellable = std::function<bool(core::Moment time, core::Moment now)>;

  Untold(const Limits& limits, Tellable tellable) : limits_(limits), tellable_(std::move(tellable)) {}

  bool empty() const { return cycles_.empty(); }
  /// A cycle's events, and the cycles that pass then.
  void add(core::Moment now, std::vector<UntoldItem> events, std::uint64_t after);
  /// Anything else, behind all that there is.
  void add(core::Moment now, UntoldItem item);
  /// The next cycle; there must be one.
  UntoldCycle take();

  /// Events that could be told no more when they would have been.
  std::uint64_t late() const { return late_; }
  /// What there was no room for.
  std::uint64_t crowded_out() const { return crowded_out_; }

 private:
  UntoldCycle& last(core::Moment now);
  void catch_up();
  void keep_best(std::vector<UntoldItem>& items);
  void say_goals_once(std::vector<UntoldItem>& items);

  Limits limits_;
  Tellable tellable_;
  std::deque<UntoldCycle> cycles_;
  std::uint64_t late_ = 0, crowded_out_ = 0;
};

}  // namespace engram::bridge
