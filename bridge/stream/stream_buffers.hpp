// SPDX-License-Identifier: MIT
// Bounded buffers of an event stream: the log of past episodes, and the queue of input for a NARS.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/events/event_policy.hpp"

namespace engram::bridge {

/// Entry of the log: an event, a goal or an operation, with its time.
struct Episode {
  enum class Kind : std::uint8_t { event, goal, operation };

  Kind kind = Kind::event;
  std::string term = {};
  std::int64_t time = 0;     // in cycles of the stream
  std::uint64_t number = 0;  // position among all entries ever added, from 1
  bool passed = false;       // the NARS received it, or did it itself
};

/// Log of the latest episodes, bounded in number and bytes. A full log drops its oldest episode. The evidence of
/// dropped episodes stays in the memory.
class EpisodeLog {
 public:
  EpisodeLog(std::size_t most, std::size_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  /// Adds an episode and returns its number.
  std::uint64_t add(Episode::Kind kind, std::string term, std::int64_t time, bool passed);
  /// Marks an episode as passed to the NARS. Does nothing if the log has dropped it.  Cost  O(1)
  void pass(std::uint64_t number);
  /// At most `most` episodes of this term, the latest first.  Cost  O(episodes)
  std::vector<Episode> of(std::string_view term, std::size_t most) const;
  std::size_t size() const { return episodes_.size(); }

 private:
  std::size_t most_, most_bytes_, bytes_ = 0;
  std::uint64_t numbered_ = 0;
  std::deque<Episode> episodes_;  // with consecutive numbers
};

/// Input that waits for the NARS: one line, and the data that the queue needs.
struct PendingItem {
  enum class Kind : std::uint8_t { event, goal, sentence, advice, question, operation, command };

  Kind kind = Kind::event;
  std::string text = {};                  // Narsese, or a command
  core::Moment time = 0;                  // events only
  std::uint64_t episode = 0;              // events, goals and operations: number of the Episode
  std::vector<std::uint64_t> parts = {};  // compound events only: numbers of the other events' episodes
  double budget = 0;                      // events only
  std::uint64_t statement = 0;            // sentences only: AttachedMemory::Origin::number
};

/// Input of one cycle, or of several merged cycles.
struct PendingCycle {
  std::uint64_t before = 0;  // cycles to run before the items
  core::Moment now = 0;      // time of the items
  std::vector<PendingItem> items = {};
  std::uint64_t after = 0;  // cycles to run after the items
};

/// FIFO queue of cycles. If the NARS is slower than the world, the queue merges its cycles and drops the least useful
/// input.
class PendingQueue {
 public:
  struct Limits {
    std::size_t cycles = 4;    // if more wait, all are merged into one
    std::size_t events = 1;    // most events of a merged cycle; events with the smallest budgets are dropped
    std::size_t items = 4096;  // most other items of a cycle; the oldest are dropped
  };
  /// Whether the NARS accepts an event of this time now.
  using CanSend = std::function<bool(core::Moment time, core::Moment now)>;

  PendingQueue(const Limits& limits, CanSend can_send) : limits_(limits), can_send_(std::move(can_send)) {}

  bool empty() const { return cycles_.empty(); }
  /// Adds the events of the current cycle, and ends the cycle if `after`, the number of cycles to run, is positive.
  void add(core::Moment now, std::vector<PendingItem> events, std::uint64_t after);
  /// Adds an item of another kind to the current cycle.
  void add(core::Moment now, PendingItem item);
  /// Removes and returns the oldest cycle. The queue must not be empty.
  PendingCycle take();

  /// Events dropped because they were too old when they were due.
  std::uint64_t late() const { return late_; }
  /// Items dropped because the queue was full.
  std::uint64_t crowded_out() const { return crowded_out_; }

 private:
  PendingCycle& cycle_at(core::Moment now);
  void merge_cycles();
  void keep_best_events(std::vector<PendingItem>& items);
  void drop_repeated(std::vector<PendingItem>& items);

  Limits limits_;
  CanSend can_send_;
  std::deque<PendingCycle> cycles_;
  std::uint64_t late_ = 0, crowded_out_ = 0;
};

}  // namespace engram::bridge
