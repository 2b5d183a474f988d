// SPDX-License-Identifier: MIT
// Where results come from: inputs by digest, build, libraries, machine.
#pragma once

#include <string>

#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Everything that may bear on a result but the time of day, the number of jobs and the output's place.
/// Errors  InputError; std::system_error
Json make_manifest(const Spec& spec);

/// SHA-256 of this program's file: what was run, to the last bit; a revision says little of a build that was
/// modified.
const std::string& program_digest();

/// Version and build in one line, as `engram --version` prints it.
std::string version_line();

}  // namespace engram::experiments
