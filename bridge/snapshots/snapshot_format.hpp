// SPDX-License-Identifier: MIT
// Functions that the writers and readers of both forms of snapshots share. bridge/snapshots/snapshot.hpp describes the
// forms. Private to bridge.
#pragma once

#include <array>
#include <istream>
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

/// Returns limits for parsing printed sentences, which may be longer and deeper than the input.
inline narsese::ParseLimits parse_limits() {
  narsese::ParseLimits limits;
  limits.max_line_bytes *= 16;
  limits.max_depth *= 2;
  return limits;
}

/// Parses a term as "<TERM --> TERM>", because a name such as `A.` would otherwise end at its dot.
inline narsese::Result<narsese::Term, narsese::ParseError> parse_between_brackets(const std::string& term,
                                                                                  narsese::TermTable& table) {
  return narsese::parse_term("<" + term + " --> " + term + ">", table, parse_limits());
}
/// Whether parse_between_brackets() of this text returns `meant`. `table` gets the parsed term.
bool reads_as(const std::string& text, narsese::Term meant, narsese::TermTable& table);

/// Returns the first line, {"engram_snapshot": ...}. A binary snapshot also begins with this text.
Json header(const core::Session& session, const core::MemoryImage& image);
inline constexpr JsonLimits line_limits{.max_bytes = max_line_bytes, .max_depth = 6};

/// State of a reader of either form: the contents of the snapshot, from which it builds a new session.
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

/// Returns the first concept that a sentence created. A sentence creates the missing concepts of its term, with
/// consecutive IDs up to `root`, the concept of the whole term. Concepts before a gap are older.
/// `made`  number of concepts that earlier sentences created, at most `root`
core::ConceptId first_created(const core::ConceptGraph& graph, core::ConceptId made, core::ConceptId root);

/// Writes the JSON lines to a file.
SnapshotFacts write_lines(const core::Session& session, const std::filesystem::path& path);
/// Restores a session from a file of JSON lines.  Errors  SnapshotError; std::invalid_argument; std::system_error
SnapshotFacts read_lines(core::Session& session, std::istream& in);
/// A binary snapshot in memory, for callers that write the file themselves.
struct BinaryFile {
  std::string bytes;
  SnapshotFacts facts;
};
/// Serialises a session into the binary form.
/// Cost    O(memory) time; reserves up to twice the bytes of the result
/// Errors  core::WorkStopped if the work budget has not enough bytes
BinaryFile write_binary(const core::Session& session);
/// Whether a file with this first byte is a binary snapshot.
bool is_binary(char first);
/// Restores a session from the bytes of a binary snapshot.
/// Errors  ByteError; narsese::TermTableFull; std::invalid_argument
SnapshotFacts read_binary(core::Session& session, std::string_view file);

}  // namespace engram::bridge::snapshot_format
