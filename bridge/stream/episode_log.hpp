// SPDX-License-Identifier: MIT
// Bounded log of what happened in a stream, in order, each entry with its time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

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

/// The latest episodes, bounded in number and bytes: the log drops the oldest. The memory keeps the sum of all.
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
  /// Episodes ever added.
  std::uint64_t in_all() const { return numbered_; }

 private:
  std::size_t most_, most_bytes_, bytes_ = 0;
  std::uint64_t numbered_ = 0;
  std::deque<Episode> episodes_;  // with consecutive numbers
};

}  // namespace engram::bridge
