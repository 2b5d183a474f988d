// SPDX-License-Identifier: MIT
// Common parts of the binary files of Engram, snapshots and journals. Private to bridge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bridge/snapshots/byte_arrays.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::bridge::binary_format {

inline constexpr std::uint32_t version = 1;
// Magic numbers: a byte that no text contains, and a line feed that a transfer in text mode would change.
inline constexpr std::string_view snapshot_magic =
                                      "\x89"
                                      "ENGRAM\n",
                                  journal_magic =
                                      "\x89"
                                      "ENGRAJ\n";
inline constexpr std::uint32_t byte_order = 0x01020304;
inline constexpr std::size_t digest_bytes = 64;  // SHA-256 as hexadecimal digits

/// The file header: magic number, version and byte order, 16 bytes.
std::string beginning(std::string_view magic);
/// Checks the file header.  Errors  ByteError with the difference, for example a later version
void read_beginning(ByteReader& bytes, std::string_view magic, std::string_view what);

/// Writes a budget sparsely: its size, then the IDs and shares above 0.
void put_budget(std::string& bytes, const core::Vector& budget);
/// Reads a budget of at most `most` items.  Errors  ByteError
core::Vector read_budget(ByteReader& bytes, std::size_t most);

}  // namespace engram::bridge::binary_format
