// SPDX-License-Identifier: MIT
// Journals: append-only files with the changes of a session since a snapshot. Every record has a checksum.
//
// The file begins with: 89 "ENGRAJ" 0A; 4 bytes of version (1); 4 bytes 01020304 hexadecimal; 8 bytes of the
// generation; 8 bytes of the number of the first record; a checksum. A record is: 8 bytes of its length; 8 of its
// number; the checksum of its contents; the checksum of the 32 bytes before; its contents, a multiple of 8 bytes. A
// checksum is the first 16 hexadecimal digits of a SHA-256.
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

/// Facts about a journal file that read_journal() has read.
struct JournalFacts {
  std::uint64_t generation = 0;  // number of the snapshot that the journal follows
  std::uint64_t first = 1;       // number of the first record
  std::uint64_t next = 1;        // number of the last record plus 1
  std::uint64_t bytes = 0;       // size of the file header and the complete records
  std::uint64_t incomplete = 0;  // bytes of an incomplete record at the end
};

/// Writer of a journal file.  Errors  std::system_error, from every member
class Journal {
 public:
  Journal() = default;
  /// Creates a new file, and syncs it and its folder to the disk.
  Journal(const std::filesystem::path& path, std::uint64_t generation, std::uint64_t first);
  /// Opens an existing file for appending, after read_journal(). Truncates an incomplete record at its end.
  Journal(const std::filesystem::path& path, const JournalFacts& read);

  /// Returns the bytes of a record in the file: its header and its contents.
  static std::string framed(std::string_view record, std::uint64_t number);
  /// Appends records that framed() has made, and returns when they are on the disk. Only one thread at a time may call
  /// this function.
  void append(std::string_view records);

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
};

/// Reads a journal and calls `record` with the contents of each complete record, in order. A killed writer may leave an
/// incomplete last record, or zeros in its place; both are ignored. Any other damage is an error.
/// Errors  ByteError, with the offset; std::system_error; exceptions of `record`
JournalFacts read_journal(const std::filesystem::path& path, const std::function<void(ByteReader&)>& record);

/// Writer of one record: collects the changes of a session and serialises them. It stores accepted sentences instead of
/// requests, because the outcome of a request may depend on a clock, but the effect of a sentence does not.
///
/// The bytes are: the kinds of the changes, one byte each; terms and sentences (bridge/snapshots/term_arrays.hpp); the
/// numbers of cycles that passed; then the data of each change of these kinds, in order:
///   forgetting  the reason, the number of statements, a bit for each forgotten statement, and the IDs of kept links
///   budget      as in a binary snapshot
/// A reset of the memory can only be the first change, because it drops all earlier changes.
class ChangesWriter {
 public:
  /// Records a reset of the memory. Drops all earlier changes.
  void begin();
  /// Records an accepted sentence; `tells_link` marks a link judgement.
  void accept(const narsese::Sentence& sentence, bool tells_link);
  /// Records that cycles passed.
  void advance(core::Time cycles);
  /// Records a forgetting that kept only the statements and links whose flags are set.
  void keep(const std::vector<bool>& statements, const std::vector<bool>& links,
            core::ForgettingReason reason);
  /// Records a new budget of concepts or statements.
  void allocate(core::AllocationOf of, const core::SparseVector& budget);

  bool empty() const { return kinds_.empty(); }
  /// Returns the serialised changes, and starts an empty record.
  std::string take();

 private:
  TermsWriter terms_;
  SentencesWriter sentences_;
  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint64_t> cycles_;
  std::string rest_;  // data of forgettings and budgets
};

/// Applies the changes of a record to a session, to recover it after a crash.
/// Errors  ByteError if the bytes are invalid; std::runtime_error if the session rejects a sentence
void replay(ByteReader& bytes, core::Session& session);

}  // namespace engram::bridge
