// SPDX-License-Identifier: MIT
// Where results come from: inputs by digest, build, libraries, machine.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/spec.hpp"

namespace engram::experiments {

/// SHA-256 of a file as lower-case hexadecimal.  Errors  InputError; std::system_error
std::string sha256_of_file(const std::filesystem::path& path);

/// Everything that may bear on a result but the time of day, the number of jobs and the output's place.
Json make_manifest(const Spec& spec);

/// Version and build in one line, as `engram --version` prints it.
std::string version_line();

}  // namespace engram::experiments
