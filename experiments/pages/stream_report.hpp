// SPDX-License-Identifier: MIT
// Report of a stream of events: counts, goals reached, and learnt knowledge.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bridge/stream/world_stream.hpp"

namespace engram::experiments {

/// Samples of the counts of a stream. Samples are evenly spaced, and their number is bounded however long the stream
/// is.
class StreamHistory {
 public:
  static constexpr std::size_t most = 240;  // moments

  /// Call this after each event.
  void look(const bridge::StreamCounts& counts);
  /// Adds the final counts.
  void end(const bridge::StreamCounts& counts) { moments_.push_back(counts); }
  const std::vector<bridge::StreamCounts>& moments() const { return moments_; }

 private:
  std::uint64_t looks_ = 0, every_ = 1;
  std::vector<bridge::StreamCounts> moments_;
};

/// A complete page.
///   timelines  over cycles: input events and selected events in each cycle; share of operations that reached their
///              goal, among those with a known outcome. Marks show new processes
///   tables     learnt implications as Narsese with truth values, by falling attention; all counts
/// `nars`    name of the program
/// `learnt`  WorldStream::learnt
/// `counts`  final counts
std::string stream_report(std::string_view nars, StreamHistory history, const bridge::StreamCounts& counts,
                          const std::vector<std::string>& learnt);

}  // namespace engram::experiments
