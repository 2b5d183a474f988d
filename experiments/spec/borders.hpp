// SPDX-License-Identifier: MIT
// Where specs and runs of somebody else may reach: what a run writes stays in its folder, and what is read
// from outside is told.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Whether the file lies in one of the folders, or under it, all links followed.
bool lies_in(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

/// Remarks on the files that a spec reads from elsewhere than these folders, the current one, and what comes
/// along with Engram: "/inputs/0 reads /etc/passwd, which lies outside of specs".
std::vector<std::string> reads_outside(const Spec& spec, const std::vector<std::filesystem::path>& folders);

/// A program that the trials of a spec start: a NARS, or a Python file.
struct SpecProgram {
  std::string member;  // of the spec, that names it
  std::string text;    // its command, or its file
};

/// All of them. Somebody else's spec may name any program, so that the user must agree before they are started.
/// `resolved`  a spec with all defaults
std::vector<SpecProgram> programs_of(const Json& resolved);

/// Errors  SpecError, which names the program and --allow-programs, if the spec names one that is not in a member that
///         `overrides` (--set) change
/// `where`  the spec, as people know it
void require_consent(const Json& resolved, const std::vector<std::string>& overrides,
                     const std::string& where);

/// A path in a folder, by a name that a file of a run gives.  Errors  SpecError, which names `where`, if it
/// would leave the folder
std::filesystem::path inside(const std::filesystem::path& folder, const std::string& name,
                             const std::string& where);

/// Errors  SpecError unless there are only files and folders under this folder of a run: what is read or
///         written through a link, a pipe or a device is another's
void require_files_alone(const std::filesystem::path& folder);

}  // namespace engram::experiments
