// SPDX-License-Identifier: MIT
// How binary files of Engram begin and end, and what snapshots and journals both hold. Private to bridge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bridge/snapshots/byte_arrays.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::bridge::binary_format {

inline constexpr std::uint32_t version = 1;
// A byte that no text has, and a line end that a transfer as text would change.
inline constexpr std::string_view snapshot_magic =
                                      "\x89"
                                      "ENGRAM\n",
                                  journal_magic =
                                      "\x89"
                                      "ENGRAJ\n";
inline constexpr std::uint32_t byte_order = 0x01020304;
inline constexpr std::size_t digest_bytes = 64;  // SHA-256 as hexadecimal digits

/// Magic, version and byte order: 16 bytes.
std::string beginning(std::string_view magic);
/// Errors  ByteError that names what it is instead, a later version above all
void read_beginning(ByteReader& bytes, std::string_view magic, std::string_view what);

/// Size, ids and shares of what is above 0.
void put_budget(std::string& bytes, const core::Vector& budget);
/// Of at most so many.  Errors  ByteError
core::Vector read_budget(ByteReader& bytes, std::size_t most);

}  // namespace engram::bridge::binary_format
