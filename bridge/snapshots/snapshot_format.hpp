// SPDX-License-Identifier: MIT
// What the writers and the readers of snapshots agree on, beside bridge/snapshots/snapshot.hpp. Private to this layer.
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

inline constexpr int version = 1;                                    // of the JSON lines
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

/// {"engram_snapshot": ...}: the first line, and what binary snapshots begin with.
Json header(const core::Session& session, const core::MemoryImage& image);
inline constexpr std::size_t header_depth = 6;
/// Its members but the first; the time and evidence go into the image, what was forgotten into the state. No limits.
/// Errors  JsonError
core::MemoryOptions read_header(ObjectReader& line, core::MemoryImage& image,
                                core::Forgetting::State& forgotten);

/// The two forms (bridge/snapshots/snapshot.hpp).
SnapshotFacts write_lines(const core::Session& session, WholeFile& file);
SnapshotFacts read_lines(core::Session& session, const std::filesystem::path& path);
/// A whole file of the binary form.
struct BinaryFile {
  std::string bytes;
  SnapshotFacts facts;
};
/// Cost    O(memory) time; as many bytes, and as many again while it is made, all of which are claimed
/// Errors  core::WorkStopped if they have no room
BinaryFile write_binary(const core::Session& session);
/// Whether a file that begins so is of the binary form.
bool is_binary(std::string_view first_bytes);
/// Errors  as read_snapshot
SnapshotFacts read_binary(core::Session& session, std::string_view file);

/// The last line, without its end.
inline std::string end_line(std::size_t lines, const std::string& sha256) {
  return Json{{"end", lines}, {"sha256", sha256}}.dump();
}

}  // namespace engram::bridge::snapshot_format
