// SPDX-License-Identifier: MIT
// Parser for the input lines of an event stream: Narsese as in .nal files, or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engram::bridge {

/// A question of the world about the stream.
struct StreamQuestion {
  enum class About : std::uint8_t { stats, operations, episodes, export_ };

  About about = About::stats;
  std::string id = {};    // JSON that the reply repeats; empty if absent
  std::string term = {};  // for episodes: the term; for operations: the goal
  std::size_t most = 20;  // most episodes in the reply
};

/// One parsed line. A line that begins with `{"` is JSON, so a Narsese set of quoted names must be inside JSON.
/// Examples:
///   {"narsese": "a. :|:", "time": 12, "relevant": true}
///   {"cycles": 5}
///   {"did": "^left"}
///   {"ask": "stats"}  "operations" with "goal", "episodes" with "term" and "most", "export"; all with any "id"
struct StreamLine {
  enum class Kind : std::uint8_t {
    narsese,  // Narsese, or any other line of a .nal file
    cycles,
    did,  // an operation that somebody other than the NARS executed
    question,
    error,
  };

  Kind kind = Kind::narsese;
  std::string text = {};  // for narsese and did
  std::uint64_t cycles = 0;
  std::optional<std::int64_t> time = {};  // for narsese: time in cycles from the start
  bool relevant = false;                  // for narsese: ground truth for the policy `oracle`
  StreamQuestion question = {};
  std::size_t column = 1;    // for error: column of the error, from 1
  std::string message = {};  // for error
};

/// Parses one line. Never throws. `cycles` is at most max_cycles, and `time` lies in [-max_cycles, max_cycles].
StreamLine read_stream_line(std::string_view line);

/// Most cycles of a stream: the largest integer that all JSON readers can represent.
inline constexpr std::int64_t max_cycles = (std::int64_t{1} << 53) - 1;
/// Most episodes in the reply to one question.
inline constexpr std::size_t max_episodes_in_reply = 10'000;

}  // namespace engram::bridge
