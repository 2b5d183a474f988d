// SPDX-License-Identifier: MIT
// Input of a stream, a line at a time: Narsese as in .nal files, or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engram::bridge {

/// A question about the stream itself.
struct StreamQuestion {
  /// The subject of the question.
  enum class About : std::uint8_t { stats, operations, episodes, export_ };

  About about = About::stats;
  std::string id = {};    // JSON that the reply repeats; empty if absent
  std::string term = {};  // for episodes: the term; for operations: the goal
  std::size_t most = 20;  // most episodes in the reply
};

/// One line. A line that begins with `{"` is JSON; a Narsese set of quoted names must be written inside JSON.
///   {"narsese": "a. :|:", "time": 12, "relevant": true}
///   {"cycles": 5}
///   {"did": "^left"}
///   {"ask": "stats"}  "operations" with "goal", "episodes" with "term" and "most", "export"; all with any "id"
struct StreamLine {
  /// The kind of line.
  enum class Kind : std::uint8_t {
    narsese,  // Narsese, or any other line of a .nal file
    cycles,
    did,  // an operation that others than the NARS executed
    question,
    error,
  };

  Kind kind = Kind::narsese;
  std::string text = {};  // for narsese and did
  std::uint64_t cycles = 0;
  std::optional<std::int64_t> time = {};  // for narsese: time in cycles from the start
  bool relevant = false;                  // for narsese: ground truth for the policy `oracle`
  StreamQuestion question = {};
  std::size_t column = 1;    // for error: where
  std::string message = {};  // for error: the message
};

/// Parses one line. Never throws. `cycles` is at most max_cycles; `time` lies in [-max_cycles, max_cycles].
StreamLine read_stream_line(std::string_view line);

/// Longest stream: the largest integer that all JSON readers can represent.
inline constexpr std::int64_t max_cycles = (std::int64_t{1} << 53) - 1;
/// Most episodes in one reply.
inline constexpr std::size_t max_episodes_in_reply = 10'000;

}  // namespace engram::bridge
