// SPDX-License-Identifier: MIT
// SHA-256 of files, as lower-case hexadecimal.
#pragma once

#include <filesystem>
#include <string>

#include "bridge/files/sha256.hpp"

namespace engram::experiments {

using bridge::sha256_of_text;

/// Errors  InputError; std::system_error where reading fails halfway
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace engram::experiments
