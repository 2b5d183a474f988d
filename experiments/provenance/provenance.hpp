// SPDX-License-Identifier: MIT
// What a finished run says of itself: digests of its files, and metadata by which archives know them.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

inline constexpr const char* sums_name = "SHA256SUMS";
/// Beside the others until a run is finished, and no part of it (runs/journal.hpp).
inline constexpr const char* journal_name = "unfinished.jsonl";
inline constexpr const char* crate_name = "ro-crate-metadata.json";

/// Writes, of a folder that is otherwise finished, ro-crate-metadata.json (RO-Crate 1.1, Process Run Crate
/// 0.5: one CreateAction with its instrument, objects and results) and SHA256SUMS, as `sha256sum -c` reads
/// it: every file but timings.jsonl and itself. Neither holds a time, so that equal runs have equal bytes;
/// the date of publication, which the format wants, is the day of the program's revision.
/// Errors   InputError; std::system_error
void write_provenance(const std::filesystem::path& folder, const Json& manifest,
                      const Conclusion& conclusion);

/// Digests by name, as SHA256SUMS gives them.  Errors  InputError; std::runtime_error where a line is none
std::map<std::string, std::string> read_sums(const std::filesystem::path& folder);

}  // namespace engram::experiments
