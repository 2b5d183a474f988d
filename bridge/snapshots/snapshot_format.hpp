// SPDX-License-Identifier: MIT
// Functions shared by the writers and readers of snapshots. bridge/snapshots/snapshot.hpp describes the format. Private
// to this layer.
#pragma once

#include <array>
#include <optional>
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

/// Parses "<TERM --> TERM>", because a name alone, such as A. , would end at its point.
inline narsese::Result<narsese::Term, narsese::ParseError> parse_between_brackets(const std::string& term,
                                                                                  narsese::TermTable& table) {
  return narsese::parse_term("<" + term + " --> " + term + ">", table, parse_limits());
}
/// Whether the text of a term, between brackets, parses to `meant`. The table is for the parsed term.
bool reads_as(const std::string& text, narsese::Term meant, narsese::TermTable& table);

/// The first line, {"engram_snapshot": ...}. A binary snapshot begins with it as well.
Json header(const core::Session& session, const core::MemoryImage& image);
inline constexpr JsonLimits line_limits{.max_bytes = max_line_bytes, .max_depth = 6};

/// The contents of a snapshot of either form, while a reader fills them.
struct Contents {
  std::optional<core::Session> made;  // the new session; its memory has only terms at first
  core::MemoryImage image;
  std::array<core::Vector, 2> budgets;  // of concepts and of statements
  core::Forgetting::State forgotten;

  /// Parses the members of the first line, except the first one, and creates the session with these limits.
  /// Errors  JsonError; std::invalid_argument for invalid options
  void read_header(ObjectReader& line, const core::MemoryLimits& limits);
  narsese::TermTable& terms() { return made->mutable_memory().terms(); }
  /// Builds the memory of the new session from the image.  Errors  std::invalid_argument
  const core::Memory& restore_memory();
  /// Replaces the state of `session`. Call restore_memory() before.
  void hand_over_to(core::Session& session);
};

/// The first concept that a sentence creates. A sentence creates the concepts of its term that do not exist yet. They
/// have consecutive IDs up to `root`, the concept of the whole term. Concepts before a gap are older.
/// `made`  number of concepts created before, at most `root`
core::ConceptId first_created(const core::ConceptGraph& graph, core::ConceptId made, core::ConceptId root);

/// Writes and reads the JSON lines.
SnapshotFacts write_lines(const core::Session& session, WholeFile& file);
SnapshotFacts read_lines(core::Session& session, const std::filesystem::path& path);
/// Contents of a binary snapshot.
struct BinaryFile {
  std::string bytes;
  SnapshotFacts facts;
};
/// Serialises a session into the binary form.
/// Cost    O(memory) time; reserves up to twice the bytes of the result
/// Errors  core::WorkStopped if the work budget has not enough bytes
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
