// SPDX-License-Identifier: MIT
// An append-only file of records, each whole, and on the disk when that is said.
//
// The file: 89 "ENGRAJ" 0A, 4 bytes of version (1), 4 that are 01020304 hexadecimal, 8 of the generation, 8 of the
// first record's number, 16 hexadecimal digits. A record: 8 bytes of its length, 8 of its number, 16 digits of it,
// 16 of these 32 bytes, and itself, of a multiple of 8 bytes. Digits are the first of a SHA-256.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bridge/snapshots/byte_arrays.hpp"

namespace engram::bridge {

/// What a journal says of itself.
struct JournalFacts {
  std::uint64_t generation = 0;
  std::uint64_t first = 1;   // the number of the first record
  std::uint64_t next = 1;    // and of the one after the last
  std::uint64_t bytes = 0;   // of the file's beginning and its whole records
  std::uint64_t behind = 0;  // bytes of a record that was not finished
};

/// Writes a journal.  Errors  std::system_error, of every member
class Journal {
 public:
  Journal() = default;
  /// A new file, with its name on the disk.
  Journal(const std::filesystem::path& path, std::uint64_t generation, std::uint64_t first);
  /// Goes on with what was read: what stands behind the whole records is cut off.
  Journal(const std::filesystem::path& path, const JournalFacts& read);
  ~Journal();
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&& other) noexcept;

  /// A record as it stands in the file.
  static std::string framed(std::string_view record, std::uint64_t number);
  /// Framed records behind those that are there; they are on the disk when this returns. From one thread at a time.
  void append(std::string_view records);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Hands over each whole record, in order. A record whose end is missing, and zeros that a file system left in
/// place of one, are what a killed writer leaves: of them nothing is handed over. Anything else that is not as it
/// was written is an error.
/// Errors  ByteError, with the offset; std::system_error; what `record` throws
JournalFacts read_journal(const std::filesystem::path& path, const std::function<void(ByteReader&)>& record);

}  // namespace engram::bridge
