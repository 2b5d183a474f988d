// SPDX-License-Identifier: MIT
// An append-only file of records. Each record has a checksum, and append() returns when its records are on the disk.
//
// The file begins with: 89 "ENGRAJ" 0A; 4 bytes of version (1); 4 bytes 01020304 hexadecimal; 8 bytes of the
// generation; 8 bytes of the first record's number; a checksum. A record is: 8 bytes of its length; 8 of its number;
// the checksum of its contents; the checksum of these 32 bytes; its contents, a multiple of 8 bytes. A checksum is the
// first 16 hexadecimal digits of a SHA-256.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bridge/snapshots/byte_arrays.hpp"

namespace engram::bridge {

/// Facts about a journal file.
struct JournalFacts {
  std::uint64_t generation = 0;
  std::uint64_t first = 1;   // number of the first record
  std::uint64_t next = 1;    // number after that of the last record
  std::uint64_t bytes = 0;   // size of the header and the complete records
  std::uint64_t behind = 0;  // bytes of an incomplete record at the end
};

/// Writer of a journal.  Errors  std::system_error, from every member
class Journal {
 public:
  Journal() = default;
  /// Creates a new file. Its name is on the disk afterwards.
  Journal(const std::filesystem::path& path, std::uint64_t generation, std::uint64_t first);
  /// Opens an existing file for appending, after read_journal(). Cuts off an incomplete record at its end.
  Journal(const std::filesystem::path& path, const JournalFacts& read);
  ~Journal();
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&& other) noexcept;

  /// A record with its header, as in the file.
  static std::string framed(std::string_view record, std::uint64_t number);
  /// Appends framed records, and returns when they are on the disk. Only one thread at a time may call this.
  void append(std::string_view records);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Passes each complete record to `record`, in order. An incomplete last record, or zeros that a file system left in
/// its place, are the trace of a killed writer and are ignored. Any other damage is an error.
/// Errors  ByteError, with the offset; std::system_error; exceptions of `record`
JournalFacts read_journal(const std::filesystem::path& path, const std::function<void(ByteReader&)>& record);

}  // namespace engram::bridge
