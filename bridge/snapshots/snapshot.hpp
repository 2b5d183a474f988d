// SPDX-License-Identifier: MIT
// Snapshot files of a session. A session restored from a snapshot gives the same later replies as the session that
// wrote it, byte for byte.
//
// There are two forms; a reader recognises them by their first bytes.
//
// JSON lines, for people and other programs: one object per line. IDs count from 0 in the order of the lines. In this
// order:
//   {"engram_snapshot": 1, ...}    the version of this format and of Engram, the options of the memory except its
//                                  limits, its time, and the evidence of all episodes
//   {"statement": NARSESE, ...}    a statement, in the order of first input, with its evidence, and with its negative
//                                  evidence if there is any
//   {"term": NARSESE}              a concept without a statement, between the statements. These two kinds of lines
//                                  define the IDs of concepts: a term comes after its components
//   {"concept": ID, ...}           the state of a concept, with its term if that is short
//   {"link": [A, B], ...}          a Hebbian link, after the concepts that existed before it
//   {"learner": UNITS, ...}        if a learning rule has weights of its own: its state, then
//   {"unit": ID, ...}              the states of its units,
//   {"learnt": [TO, FROM], ...}    its links,
//   {"before": ID}                 and the units that are still active
//   {"budget": OF, "size": N}      a budget stored by `allocate`, of concepts or statements, and
//   {"share": [ID, VALUE]}         its shares above 0
//   {"end": LINES, "sha256": HEX}  the number of the lines before, and the SHA-256 of their bytes
// Numbers have the shortest form that gives the same double.
//
// Binary, which is read much faster: arrays of little-endian numbers (bridge/snapshots/binary_format.hpp), in this
// order:
//   89 "ENGRAM" 0A      then 4 bytes of version (1), 4 that are 01020304 hexadecimal, 8 of the file's length
//   header              the first line of the other form, as text
//   terms               each once, after its components (bridge/snapshots/term_arrays.hpp): the number of variables,
//                       which come first, then the concepts by ID
//   concepts            activity, told, updated
//   links               source, target, number of earlier concepts, together, told (frequency; confidence), updated,
//                       apart
//   statements          as sentences of these terms; then evidence, times, updated, denied
//   learner             whether there is one; its evidence, step and time; of units level, step and time; of links
//                       to, from, weight and step; the units active before
//   two budgets         of concepts and of statements: the size, the IDs and the shares above 0
//   64 hexadecimal digits: the SHA-256 of all before
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

/// Size and digest of a snapshot file.
struct SnapshotFacts {
  std::uintmax_t bytes = 0;
  std::string sha256;  // digest of the whole file
};

/// The file is not a snapshot that this session can load.
struct SnapshotError : std::runtime_error {
  SnapshotError(std::size_t at_line, const std::string& message);
  std::size_t line;  // 0 if the error is not in a line
};

/// Writes a snapshot atomically: it replaces the file only after a complete write to a temporary file.
/// Errors  std::system_error; SnapshotError if the memory could not be read back; core::WorkStopped
SnapshotFacts write_snapshot(const core::Session& session, const std::filesystem::path& path,
                             SnapshotForm form = SnapshotForm::json);

/// Restores a session from a snapshot of either form. The session keeps its own limits and rejects a memory that
/// exceeds them.
/// Errors  std::system_error if the file cannot be read or is not a regular file; SnapshotError; core::WorkStopped if
///         the request has not enough bytes for a second memory. The session is then unchanged
/// Cost    memory for a second session of this size, twice as much for the binary form. JSON is read line by line. A
///         binary file is mapped, so nobody may truncate it during the call
SnapshotFacts read_snapshot(core::Session& session, const std::filesystem::path& path);

}  // namespace engram::bridge
