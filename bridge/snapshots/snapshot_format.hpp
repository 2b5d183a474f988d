// SPDX-License-Identifier: MIT
// What the writer and the reader of snapshots agree on, beside bridge/snapshots/snapshot.hpp. Private to this layer.
#pragma once

#include <string>

#include "bridge/json/json_reader.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge::snapshot_format {

inline constexpr int version = 1;
inline constexpr std::size_t max_line_bytes = std::size_t{8} << 20;  // chosen: room for any sentence
inline constexpr std::uint64_t most_nodes_shown = 64;                // of a concept's term

/// Sentences as they are printed may be somewhat longer and deeper than they were typed.
inline narsese::ParseLimits parse_limits() {
  narsese::ParseLimits limits;
  limits.max_line_bytes *= 16;
  limits.max_depth *= 2;
  return limits;
}

/// A term between the brackets of a statement: alone, the name A. would end at its point.
inline std::string between_brackets(const std::string& term) { return "<" + term + " --> " + term + ">"; }

/// The last line, without its end.
inline std::string end_line(std::size_t lines, const std::string& sha256) {
  return Json{{"end", lines}, {"sha256", sha256}}.dump();
}

}  // namespace engram::bridge::snapshot_format
