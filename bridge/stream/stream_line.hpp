// SPDX-License-Identifier: MIT
// What a world says, a line at a time: Narsese as in .nal files, or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engram::bridge {

/// A question about what has gone through.
struct StreamQuestion {
  /// What is asked for.
  enum class About : std::uint8_t { stats, operations, episodes, export_ };

  About about = About::stats;
  std::string id = {};    // JSON that the reply repeats; empty: none
  std::string term = {};  // of episodes; the goal of operations
  std::size_t most = 20;  // of episodes
};

/// One line. JSON is what begins with `{"`, blanks aside: a set of quoted names is said within it.
///   {"narsese": "a. :|:", "time": 12, "relevant": true}
///   {"cycles": 5}
///   {"did": "^left"}
///   {"ask": "stats"}  "operations" with "goal", "episodes" with "term" and "most", "export"; all with any "id"
struct StreamLine {
  /// What the line is.
  enum class Kind : std::uint8_t {
    narsese,  // or anything else that a .nal file may have
    cycles,
    did,  // an operation, by others than the NARS
    question,
    error,
  };

  Kind kind = Kind::narsese;
  std::string text = {};  // of narsese, did
  std::uint64_t cycles = 0;
  std::optional<std::int64_t> time = {};  // of narsese, in cycles from the start
  bool relevant = false;                  // likewise; for the oracle
  StreamQuestion question = {};
  std::size_t column = 1;      // of an error
  std::string complaint = {};  // likewise
};

/// Reads one. Never throws.
/// `cycles` is at most most_cycles, and `time` between -most_cycles and most_cycles.
StreamLine read_stream_line(std::string_view line);

/// No stream lasts longer: the largest number that JSON has everywhere.
inline constexpr std::int64_t most_cycles = (std::int64_t{1} << 53) - 1;
/// Of a reply about episodes.
inline constexpr std::size_t most_episodes_told = 10'000;

}  // namespace engram::bridge
