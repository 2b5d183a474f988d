// SPDX-License-Identifier: MIT
// Snapshot files of a session. A restored session gives the same later replies as the session that wrote the snapshot,
// byte for byte. There are two forms, which readers recognise by the first bytes.
//
// JSON lines, for people and other programs: one object per line, in this order. IDs count from 0 in the order of the
// lines.
//   {"engram_snapshot": 1, ...}    the version of this format and of Engram, the options of the memory except its
//                                  limits, its time, and the evidence of all episodes
//   {"statement": NARSESE, ...}    a statement, in the order of first input, with its evidence, and with its negative
//                                  evidence if there is any
//   {"term": NARSESE}              a concept without a statement, between the statements. These two kinds of lines
//                                  define the IDs of concepts: a term comes after its components
//   {"concept": ID, ...}           the state of a concept, and its term if the text is short
//   {"link": [A, B], ...}          a Hebbian link, after the concepts that existed before it
//   {"learner": UNITS, ...}        the state of the learning rule, if it has its own weights
//   {"unit": ID, ...}              the state of a unit of the rule
//   {"learnt": [TO, FROM], ...}    a link of the rule, with its weight
//   {"before": ID}                 a unit that is still active
//   {"budget": OF, "size": N}      a budget stored by `allocate`, of concepts or statements
//   {"share": [ID, VALUE]}         a share above 0 of this budget
//   {"end": LINES, "sha256": HEX}  the number of earlier lines, and the SHA-256 of their bytes
// Numbers have the shortest form that gives the same double.
//
// Binary, about 10 times faster to read: arrays of little-endian numbers (bridge/snapshots/binary_format.hpp), in this
// order. bridge/snapshots/snapshot_members.hpp names the arrays of each table.
//   89 "ENGRAM" 0A      then 4 bytes of version (1), 4 bytes 01020304 hexadecimal, 8 bytes of the file's length
//   header              the first JSON line, as text
//   terms               variables, then concepts by ID (bridge/snapshots/term_arrays.hpp); the number of variables
//   concepts, links     tables
//   statements          sentences of these terms, then a table
//   learner             1 or 0, whether it exists; then its state, and the tables of units, links and active units
//   two budgets         of concepts and of statements: the size, the IDs and the shares above 0
//   64 hexadecimal digits: the SHA-256 of all earlier bytes
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "core/numbers/names.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// The form of a snapshot: JSON lines or binary.
enum class SnapshotForm : std::uint8_t { json, binary };
inline constexpr std::array<core::NamedValue<SnapshotForm>, 2> snapshot_forms{
    {{SnapshotForm::json, "json"}, {SnapshotForm::binary, "binary"}}};

/// Size and SHA-256 of a snapshot file.
struct SnapshotFacts {
  std::uintmax_t bytes = 0;
  std::string sha256;
};

/// Error of reading or writing a snapshot, for example a damaged file or a memory beyond the limits of the session.
struct SnapshotError : std::runtime_error {
  SnapshotError(std::size_t at_line, const std::string& message);
  std::size_t line;  // 0 if the error is not in a line
};

/// Writes a snapshot atomically: it replaces the file only after a complete write to a temporary file.
/// Errors  std::system_error; SnapshotError if a sentence has no text that parses back to it; core::WorkStopped
SnapshotFacts write_snapshot(const core::Session& session, const std::filesystem::path& path,
                             SnapshotForm form = SnapshotForm::json);

/// Restores a session from a snapshot of either form. The session keeps its own limits and rejects a memory that
/// exceeds them.
/// Errors  std::system_error if the file cannot be read or is not a regular file; SnapshotError; core::WorkStopped if
///         the request has not enough bytes for a second memory. The session is then unchanged
/// Cost    memory for a second session of this size, twice as much for the binary form. A binary file is mapped, so
///         nobody may truncate it during the call
SnapshotFacts read_snapshot(core::Session& session, const std::filesystem::path& path);

}  // namespace engram::bridge
