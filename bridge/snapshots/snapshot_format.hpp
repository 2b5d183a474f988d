// SPDX-License-Identifier: MIT
// Functions shared by the writers and readers of snapshots. bridge/snapshots/snapshot.hpp describes the format. Private
// to this layer.
#pragma once

#include <string>
#include <string_view>

#include "bridge/files/files.hpp"
#include "bridge/json/object_reader.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "core/graph/memory_image.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"

namespace engram::bridge::snapshot_format {

inline constexpr int version = 1;                                    // version of the JSON lines
inline constexpr std::size_t max_line_bytes = std::size_t{8} << 20;  // chosen: enough for any sentence
inline constexpr std::uint64_t most_nodes_shown = 64;                // larger terms of concepts are omitted

/// Limits for parsing printed sentences, which may be longer and deeper than the input.
inline narsese::ParseLimits parse_limits() {
  narsese::ParseLimits limits;
  limits.max_line_bytes *= 16;
  limits.max_depth *= 2;
  return limits;
}

/// Puts a term between statement brackets, because a name alone, such as A. , would end at its point.
inline std::string between_brackets(const std::string& term) { return "<" + term + " --> " + term + ">"; }

/// The first line, {"engram_snapshot": ...}. A binary snapshot begins with it as well.
Json header(const core::Session& session, const core::MemoryImage& image);
inline constexpr std::size_t header_depth = 6;
/// Parses the members of the first line, except the first one. Time and evidence go into the image, the forgetting
/// state into `forgotten`. The result has no limits.
/// Errors  JsonError
core::MemoryOptions read_header(ObjectReader& line, core::MemoryImage& image,
                                core::Forgetting::State& forgotten);

/// Writes and reads the JSON lines.
SnapshotFacts write_lines(const core::Session& session, WholeFile& file);
SnapshotFacts read_lines(core::Session& session, const std::filesystem::path& path);
/// Contents of a binary snapshot.
struct BinaryFile {
  std::string bytes;
  SnapshotFacts facts;
};
/// Serialises a session into the binary form.
/// Cost    O(memory) time; up to twice the bytes of the result, all of them reserved
/// Errors  core::WorkStopped if there is no room for them
BinaryFile write_binary(const core::Session& session);
/// Whether a file with these first bytes is a binary snapshot.
bool is_binary(std::string_view first_bytes);
/// Restores a session from the contents of a binary snapshot.  Errors  as read_snapshot
SnapshotFacts read_binary(core::Session& session, std::string_view file);

/// The last line, without line end.
inline std::string end_line(std::size_t lines, const std::string& sha256) {
  return Json{{"end", lines}, {"sha256", sha256}}.dump();
}

}  // namespace engram::bridge::snapshot_format
