// SPDX-License-Identifier: MIT
// A session's memory as a file, from which a session goes on as the one that wrote it would have: every later
// reply is the same, byte for byte.
//
// The file is JSON, an object a line, that people and other programs can read; ids count from 0 in the order
// of the lines. In this order:
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
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "core/session/session.hpp"

namespace engram::bridge {

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
/// there.  Errors  std::system_error; SnapshotError for a memory that cannot be read back
SnapshotFacts write_snapshot(const core::Session& session, const std::filesystem::path& path);

/// Goes on from a snapshot. The limits stay the session's own, and a memory beyond them is refused.
/// Errors  std::system_error where it cannot be read or is no regular file; SnapshotError; core::WorkStopped
///         where a request has not the bytes for it beside the memory there is. The session is then as it was
/// Cost    memory of at most another one of this size; the file is read line by line
SnapshotFacts read_snapshot(core::Session& session, const std::filesystem::path& path);

}  // namespace engram::bridge
