// SPDX-License-Identifier: MIT
// What happened, in order, each with its time: the last of it, whether it was passed on or not.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace engram::bridge {

/// One thing that happened.
struct Episode {
  /// What it was.
  enum class Kind : std::uint8_t { event, goal, operation };

  Kind kind = Kind::event;
  std::string term = {};
  std::int64_t time = 0;     // in cycles of the stream
  std::uint64_t number = 0;  // of all that happened, from 1
  bool passed = false;       // it was told to the NARS, or is what the NARS did
};

/// The last episodes, bounded by their number and their bytes: of more, the oldest go. (The memory has the sum of all.)
class EpisodeLog {
 public:
  EpisodeLog(std::size_t most, std::size_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  /// Returns  its number
  std::uint64_t add(Episode::Kind kind, std::string term, std::int64_t time, bool passed);
  /// It was told to the NARS. Nothing where it is gone.  Cost  O(1)
  void pass(std::uint64_t number);
  /// The last ones of this term, the latest first.  Cost  O(episodes)
  std::vector<Episode> of(std::string_view term, std::size_t most) const;
  /// That are kept.
  std::size_t size() const { return episodes_.size(); }
  /// That there were.
  std::uint64_t in_all() const { return numbered_; }

 private:
  std::size_t most_, most_bytes_, bytes_ = 0;
  std::uint64_t numbered_ = 0;
  std::deque<Episode> episodes_;  // their numbers follow one another
};

}  // namespace engram::bridge
