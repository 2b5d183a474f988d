// SPDX-License-Identifier: MIT
// Manifest of a run, digests of its files, and metadata for archives.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "experiments/formats/conclusion.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Creates the manifest: everything that may affect a result, except the time, the number of jobs and the output
/// folder.
/// Errors  InputError; std::system_error
Json make_manifest(const Spec& spec);

/// SHA-256 of the file of this program. Unlike a git revision, it identifies a build exactly even if files were
/// modified.
const std::string& program_digest();

/// Version and build in one line, as printed by `engram --version`.
std::string version_line();

inline constexpr const char* sums_name = "SHA256SUMS";
/// File name of the journal of an unfinished run (runs/journal.hpp). The journal is not part of the result.
inline constexpr const char* journal_name = "unfinished.jsonl";
inline constexpr const char* crate_name = "ro-crate-metadata.json";

/// Writes ro-crate-metadata.json and SHA256SUMS into an otherwise finished folder. The metadata is an RO-Crate 1.1 with
/// the Process Run Crate 0.5 profile: one CreateAction with its instrument, objects and results. SHA256SUMS is readable
/// by `sha256sum -c` and covers every file except timings.jsonl and itself. Neither file contains a time, so that equal
/// runs have equal bytes. The date of publication, which the format requires, is the day of the program's revision.
/// Errors   InputError; std::system_error
void write_provenance(const std::filesystem::path& folder, const Json& manifest,
                      const Conclusion& conclusion);

/// Reads SHA256SUMS: digests by file name.  Errors  InputError; std::runtime_error for a malformed line
std::map<std::string, std::string> read_sums(const std::filesystem::path& folder);

}  // namespace engram::experiments
