// SPDX-License-Identifier: MIT
// Manifest of a run: digests of inputs, build, libraries and machine.
#pragma once

#include <string>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Creates the manifest: everything that may affect a result, except the time, the number of jobs and the output
/// folder.
/// Errors  InputError; std::system_error
Json make_manifest(const Spec& spec);

/// SHA-256 of the file of this program. It identifies a build exactly; a git revision does not if files were modified.
const std::string& program_digest();

/// Version and build in one line, as printed by `engram --version`.
std::string version_line();

}  // namespace engram::experiments
