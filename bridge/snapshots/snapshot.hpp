// SPDX-License-Identifier: MIT
// A session's memory as a file, from which a session goes on as the one that wrote it would have: every later
// reply is the same, byte for byte.
//
// There are two forms, and a reader knows them by their first bytes.
//
// JSON lines, that people and other programs can read: an object a line; ids count from 0 in the order of the
// lines. In this order:
//   {"engram_snapshot": 1, ...}    the version of this format, Engram's, the options of the memory but for
//                                  its limits, its time, and the evidence of all episodes
//   {"statement": NARSESE, ...}    what was said, in the order of the first time, with its evidence, and
//                                  how much is against it, where some is;
//   {"term": NARSESE}              what came to be a concept otherwise, between them: concepts get their ids
//                                  from these lines, a term after its components
//   {"concept": ID, ...}           what is known of each concept, with its term where that is short;
//   {"link": [A, B], ...}          the Hebbian links, each behind the concepts that there were before it
//   {"learner": UNITS, ...}        where a rule learns weights of its own: its state, then
//   {"unit": ID, ...}              that of its units, and
//   {"learnt": [TO, FROM], ...}    its links,
//   {"before": ID}                 and the units whose activity is not over
//   {"budget": OF, "size": N}      a budget that `allocate` keeps, of concepts or statements, and
//   {"share": [ID, VALUE]}         its shares above 0
//   {"end": LINES, "sha256": HEX}  the number of the lines before, and the SHA-256 of their bytes
// Numbers are in the shortest form that gives the same double.
//
// Binary, which is read in a small part of that time: numbers as they are, the least significant byte first, in
// arrays (bridge/snapshots/byte_arrays.hpp). In this order:
//   89 "ENGRAM" 0A      then 4 bytes of version (1), 4 that are 01020304 hexadecimal, 8 of the file's length
//   the first line of the other form, as text
//   terms               each once, behind its components (bridge/snapshots/term_arrays.hpp): how many of them are
//                       variables, which come first, then the concepts by id
//   of concepts         activity, told, updated
//   of links            source, target, how many concepts there were before, together, told (frequency;
//                       confidence), updated, apart
//   statements          as sentences of these terms; then evidence, times, updated, denied
//   of the learner      whether there is one; its evidence, step and time; of units level, step and time; of links
//                       to, from, weight and step; who was active before
//   two budgets         of concepts and of statements: the size, ids and shares of those above 0
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

/// Lines of JSON, or arrays of bytes.
enum class SnapshotForm : std::uint8_t { json, binary };
inline constexpr std::array<core::NamedValue<SnapshotForm>, 2> snapshot_forms{
    {{SnapshotForm::json, "json"}, {SnapshotForm::binary, "binary"}}};

/// How large the file of a snapshot is, and its digest.
struct SnapshotFacts {
  std::uintmax_t bytes = 0;
  std::string sha256;  // of the whole file
};

/// Why a file is no snapshot that this session can go on from.
struct SnapshotError : std::runtime_error {
  SnapshotError(std::size_t at_line, const std::string& message);
  std::size_t line;  // 0: of no line
};

/// Writes to a temporary file beside it, which then takes its name: when that fails, what was there is still
/// there.  Errors  std::system_error; SnapshotError for a memory that cannot be read back; core::WorkStopped
SnapshotFacts write_snapshot(const core::Session& session, const std::filesystem::path& path,
                             SnapshotForm form = SnapshotForm::json);

/// Goes on from a snapshot of either form. The limits stay the session's own, and a memory beyond them is refused.
/// Errors  std::system_error where it cannot be read or is no regular file; SnapshotError; core::WorkStopped
///         where a request has not the bytes for it beside the memory there is. The session is then as it was
/// Cost    memory of at most another one of this size, and as much again for the binary form; JSON is read line by
///         line, a binary file is mapped, so nobody may shorten it meanwhile
SnapshotFacts read_snapshot(core::Session& session, const std::filesystem::path& path);

}  // namespace engram::bridge
