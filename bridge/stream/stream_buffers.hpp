// SPDX-License-Identifier: MIT
// Bounded buffers of a stream: the log of past episodes, and the queue of input for a NARS.
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

/// One entry of the log.
struct Episode {
  /// The kind of entry.
  enum class Kind : std::uint8_t { event, goal, operation };

  Kind kind = Kind::event;
  std::string term = {};
  std::int64_t time = 0;     // in cycles of the stream
  std::uint64_t number = 0;  // position among all entries ever added, from 1
  bool passed = false;       // the NARS received it, or did it itself
};

/// The latest episodes, bounded in number and bytes: the log drops the oldest. The memory keeps the evidence of every
/// episode.
class EpisodeLog {
 public:
  EpisodeLog(std::size_t most, std::size_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  /// Returns  the number of the new episode
  std::uint64_t add(Episode::Kind kind, std::string term, std::int64_t time, bool passed);
  /// Marks an episode as passed to the NARS. Does nothing if the log has dropped it.  Cost  O(1)
  void pass(std::uint64_t number);
  /// At most `most` episodes of this term, the latest first.  Cost  O(episodes)
  std::vector<Episode> of(std::string_view term, std::size_t most) const;
  /// Episodes in the log.
  std::size_t size() const { return episodes_.size(); }

 private:
  std::size_t most_, most_bytes_, bytes_ = 0;
  std::uint64_t numbered_ = 0;
  std::deque<Episode> episodes_;  // with consecutive numbers
};

/// One item of input.
struct PendingItem {
  /// The kind of item.
  enum class Kind : std::uint8_t { event, goal, sentence, advice, question, operation, command };

  Kind kind = Kind::event;
  std::string text = {};                  // Narsese, or a command
  core::Moment time = 0;                  // of an event
  std::uint64_t episode = 0;              // of an event, goal, operation
  std::vector<std::uint64_t> parts = {};  // of a compound event: episodes of its other events
  double budget = 0;                      // of an event
  std::uint64_t statement = 0;            // of a sentence: AttachedMemory::Origin::number
};

/// One cycle, or several merged cycles.
struct PendingCycle {
  std::uint64_t before = 0;  // cycles that pass before the items
  core::Moment now = 0;
  std::vector<PendingItem> items = {};
  std::uint64_t after = 0;
};

/// FIFO queue of cycles. If the NARS is slower than the world, the queue merges old cycles into one.
class PendingQueue {
 public:
  /// Bounds of the queue.
  struct Limits {
    std::size_t cycles = 4;    // if more wait, all are merged into one
    std::size_t events = 1;    // most events of a merged cycle: the largest budgets stay
    std::size_t items = 4096;  // most other items of a cycle: the oldest are dropped
  };
  /// Returns whether an event of this time can still be sent now.
  using CanSend = std::function<bool(core::Moment time, core::Moment now)>;

  PendingQueue(const Limits& limits, CanSend can_send) : limits_(limits), can_send_(std::move(can_send)) {}

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
