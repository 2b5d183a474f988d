// SPDX-License-Identifier: MIT
// SHA-256 as lower-case hexadecimal, by OpenSSL.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace engram::experiments {

std::string sha256_of_text(std::string_view text);

/// Errors  InputError; std::system_error where reading fails halfway
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace engram::experiments
