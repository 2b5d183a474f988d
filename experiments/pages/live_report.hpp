// SPDX-License-Identifier: MIT
// Reports of live reasoners: a session of questions and answers, and a stream of events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bridge/attach/attached_memory.hpp"
#include "bridge/stream/world_stream.hpp"

namespace engram::experiments {

/// Report of a session as a complete page. Equal transcripts give equal bytes.
///   timelines  over the entries of the transcript: numbers of statements, concepts and links at up to 120 moments; the
///              priorities of input and derived sentences as up to 800 evenly spaced dots. Marks show questions,
///              answered or not, and new processes
///   tables     each question with its answer and the statements sent for it; the strongest links; the changes of the
///              model, if it learnt
/// `start`      start record of the session
std::string session_report(const bridge::SessionStart& start,
                           const std::vector<bridge::TranscriptEntry>& entries);

/// Evenly spaced samples of the counts of a stream. Their number is bounded for streams of any length.
class StreamHistory {
 public:
  static constexpr std::size_t most = 240;  // limit of samples

  /// Takes a sample of the counts if the next sample is due. Call this function after each event.
  void look(const bridge::StreamCounts& counts);
  /// Adds the final counts.
  void end(const bridge::StreamCounts& counts) { moments_.push_back(counts); }
  const std::vector<bridge::StreamCounts>& moments() const { return moments_; }

 private:
  std::uint64_t looks_ = 0, every_ = 1;
  std::vector<bridge::StreamCounts> moments_;
};

/// Report of a stream as a complete page.
///   timelines  over cycles: input events and selected events in each cycle; operations that reached their goal, as a
///              share of the operations with a known outcome. Marks show new processes
///   tables     learnt implications as Narsese with truth values, by falling attention; all counts
/// `nars`    name of the NARS program
/// `learnt`  learnt implications, from WorldStream::learnt
/// `counts`  final counts
std::string stream_report(std::string_view nars, StreamHistory history, const bridge::StreamCounts& counts,
                          const std::vector<std::string>& learnt);

}  // namespace engram::experiments
