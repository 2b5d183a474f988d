// SPDX-License-Identifier: MIT
// A stream of events as one page: what went through, what was reached, and what was learnt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bridge/stream/event_stream.hpp"

namespace engram::experiments {

/// The counts of a stream at moments that are spread evenly over what has been looked at, however long that is.
class StreamHistory {
 public:
  static constexpr std::size_t most = 240;  // moments

  /// Once for each thing that happens.
  void look(const bridge::StreamCounts& counts);
  /// The last one.
  void end(const bridge::StreamCounts& counts) { moments_.push_back(counts); }
  const std::vector<bridge::StreamCounts>& moments() const { return moments_; }

 private:
  std::uint64_t looks_ = 0, every_ = 1;
  std::vector<bridge::StreamCounts> moments_;
};

/// One page with everything in it.
///   timelines  over cycles: events a cycle that came and that were passed on; of the operations whose outcome was known
///              within a stretch the share that reached its goal; with a mark at each new process
///   tables     what was learnt, as Narsese with truth, the most attended to first; all counts
/// `nars`    the program's name
/// `learnt`  EventStream::learnt
/// `counts`  at the end
std::string stream_report(std::string_view nars, StreamHistory history, const bridge::StreamCounts& counts,
                          const std::vector<std::string>& learnt);

}  // namespace engram::experiments
