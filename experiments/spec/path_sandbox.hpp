// SPDX-License-Identifier: MIT
// Sandbox for specs and runs from other people. A run writes only into its folder, reads from outside are reported, and
// programs start only with consent.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Returns whether the file is inside one of the folders, at any depth, after resolving symbolic links.
bool lies_in(const std::filesystem::path& file, const std::vector<std::filesystem::path>& folders);

/// Warnings about files that a spec reads from outside these folders, the current folder and the shipped files:
/// "the spec reads /etc/passwd ('data.nal'), which lies outside of specs".
std::vector<std::string> reads_outside(const Spec& spec, const std::vector<std::filesystem::path>& folders);

/// Checks that the user allows the programs that a spec starts: a NARS, or Python files. A spec may name any program,
/// so a program is allowed only if an override (--set) of the user changes the member that names it.
/// `resolved`  the spec with all defaults
/// `where`     name of the spec in messages
/// Errors      SpecError for another program; the message names it and --allow-programs
void require_consent(const Json& resolved, const std::vector<std::string>& overrides,
                     const std::string& where);

/// Joins a folder and a name that a file of a run contains. `where` is the location in messages.
/// Errors  SpecError if the path would leave the folder
std::filesystem::path inside(const std::filesystem::path& folder, const std::string& name,
                             const std::string& where);

/// Checks that this folder of a run contains only regular files and folders. Links, pipes and devices could make a run
/// read or write outside its folder.  Errors  SpecError
void require_files_alone(const std::filesystem::path& folder);

}  // namespace engram::experiments
