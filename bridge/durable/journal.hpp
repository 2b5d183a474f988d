// SPDX-License-Identifier: MIT
// Journals: append-only files of records, which hold the changes of a session. Each record has a checksum, and append()
// returns when its records are on the disk.
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
#include <vector>

#include "bridge/files/files.hpp"
#include "bridge/snapshots/term_arrays.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Facts about a journal file.
struct JournalFacts {
  std::uint64_t generation = 0;
  std::uint64_t first = 1;       // number of the first record
  std::uint64_t next = 1;        // number after that of the last record
  std::uint64_t bytes = 0;       // size of the header and the complete records
  std::uint64_t incomplete = 0;  // bytes of an incomplete record at the end
};

/// Writer of a journal.  Errors  std::system_error, from every member
class Journal {
 public:
  Journal() = default;
  /// Creates a new file. Its name is on the disk afterwards.
  Journal(const std::filesystem::path& path, std::uint64_t generation, std::uint64_t first);
  /// Opens an existing file for appending, after read_journal(). Cuts off an incomplete record at its end.
  Journal(const std::filesystem::path& path, const JournalFacts& read);

  /// A record with its header, as in the file.
  static std::string framed(std::string_view record, std::uint64_t number);
  /// Appends framed records, and returns when they are on the disk. Only one thread at a time may call this.
  void append(std::string_view records);

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
};

/// Passes each complete record to `record`, in order. An incomplete last record, or zeros that a file system left in
/// its place, are the trace of a killed writer and are ignored. Any other damage is an error.
/// Errors  ByteError, with the offset; std::system_error; exceptions of `record`
JournalFacts read_journal(const std::filesystem::path& path, const std::function<void(ByteReader&)>& record);

/// Collects changes and serialises them. The changes are sentences rather than requests, because the fate of a request
/// may depend on a clock, but the effect of a sentence does not. The bytes are:
///   - the kinds of the changes, one byte each
///   - the terms and sentences (bridge/snapshots/term_arrays.hpp)
///   - the numbers of cycles that passed
///   - for each forgetting: the reason, the number of statements, a bit for each forgotten one, and the links that
///     stayed because an input stated them
///   - for each budget: the same as in a binary snapshot
/// A reset of the memory, if there is one, is the first change, because earlier changes are dropped.
class ChangesWriter {
 public:
  /// The memory was reset. Drops all earlier changes.
  void begin();
  /// The memory accepted a sentence.
  void accept(const narsese::Sentence& sentence, bool tells_link);
  /// Time passed.
  void advance(core::Time cycles);
  /// The memory forgot everything except these statements and links.
  void keep(const std::vector<bool>& statements, const std::vector<bool>& links,
            core::ForgettingReason reason);
  /// A request stored a budget.
  void allocate(core::AllocationOf of, const core::Vector& budget);

  bool empty() const { return kinds_.empty(); }
  /// Returns the serialised changes and clears them.
  std::string take();

 private:
  WholeTermsWriter terms_;
  SentencesWriter sentences_;
  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint64_t> cycles_;
  std::string rest_;  // data of forgettings and budgets
};

/// Applies serialised changes to a session.
/// Errors  ByteError if the bytes are invalid; std::runtime_error if the memory refuses a sentence that it accepted
///         before
void replay(ByteReader& bytes, core::Session& session);

}  // namespace engram::bridge
