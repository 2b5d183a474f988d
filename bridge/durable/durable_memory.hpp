// SPDX-License-Identifier: MIT
// Crash-safe storage of a session: a folder with a snapshot and a write-ahead journal of later changes.
//
// Files of the folder:
//   engram.lock             identifies the folder; locked (flock) by the process that uses it
//   memory-N.engram         a binary snapshot (bridge/snapshots/snapshot.hpp)
//   journal-N.engram        changes after snapshot N and before journal N+1 (bridge/durable/journal.hpp)
// Recovery reads the newest intact memory-N and all journals from N on. Older files are removed when a newer snapshot
// is on the disk.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bridge/durable/journal.hpp"
#include "bridge/files/files.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Error of durable storage: the folder cannot store a session, or can no longer store it.
struct DurableError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Options of a DurableMemory: when to write a new snapshot, and callbacks.
struct DurableOptions {
  /// A new snapshot is written when the journals exceed this size and half the size of the last snapshot. Chosen:
  /// replaying the journals then costs about the same as reading the snapshot, and the total cost of snapshots is
  /// proportional to the input.
  std::uint64_t least_journal_bytes = std::uint64_t{1} << 20;
  /// Receives messages for the user. Called from any thread.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
  /// Called once when changes can no longer be stored, with the reason. Called from any thread.
  std::function<void(const std::string&)> lost = [](const std::string&) {};
};

/// Durable storage of one session in a folder. Changes are grouped into records: seal() ends a record, and settle()
/// returns when all sealed records are on the disk, where they survive a crash of the process or the machine. After a
/// crash, a record that was not settled is recovered completely or not at all. A background thread writes snapshots
/// from a copy-on-write copy of the session, while new changes go to a new journal. The serialised bytes of a snapshot
/// need 200 MB per million statements.
///
/// Callers must hold the lock of the session, except for settle() and is_lost(). The session cannot reclaim terms
/// between two changes of one record (Session::Request), so streams use one line per record.
class DurableMemory final : private core::MemoryObserver {
 public:
  /// Opens the folder for exclusive use, and creates it if needed.
  /// Errors  DurableError if another process has it or if it has foreign files; std::system_error
  explicit DurableMemory(std::filesystem::path folder, DurableOptions options = {});
  ~DurableMemory();
  DurableMemory(const DurableMemory&) = delete;
  DurableMemory& operator=(const DurableMemory&) = delete;

  /// Returns the observer for MemoryOptions::observer of the session. This object must outlive the session.
  core::MemoryObserver* observer() { return this; }
  /// Restores the session from the folder, including its options but not its limits. If the folder is empty, stores the
  /// session there. Stores all later changes of the session.
  /// Errors  DurableError if the data is damaged, has another version or exceeds the limits of the session; the folder
  ///         is then unchanged
  void attend(core::Session& session);

  /// Records a new budget. Call it after Session::allocate, which the observer does not see.
  void allocated(core::AllocationOf of);
  /// Ends a record: all changes since the last call are recovered together or not at all. If a restore has replaced the
  /// memory, writes a whole snapshot first. Never throws; settle() reports errors.
  void seal();
  /// Waits until all sealed records are on the disk. Concurrent callers share one write (group commit).
  /// Errors  DurableError if changes can no longer be stored; callers must not acknowledge them then
  void settle();
  /// Whether changes can no longer be stored.
  bool is_lost() const;

 private:
  using Generation = std::uint64_t;

  void begun() override;
  void accepted(const narsese::Sentence& sentence, bool tells_link) override;
  void advanced(core::Time cycles) override;
  void kept(const std::vector<bool>& statements, const std::vector<bool>& links,
            core::ForgettingReason reason) override;
  template <class Note>
  void note(Note write);

  std::filesystem::path file(std::string_view kind, Generation generation) const;
  void list_files();
  void take_lock();
  void remove_before(Generation generation);
  bool has_begun() const;
  void recover(core::Session& session);
  Generation read_newest(core::Session& session);
  JournalFacts read(Generation generation, const JournalFacts* before, core::Session& session) const;
  void seal_changes();
  void begin_generation();
  void write_snapshot_of(const core::Session& session);
  void write_snapshot_in_background();
  void write_memory(Generation generation, const std::string& bytes);
  void flush(std::unique_lock<std::mutex>& guard);
  void fail(const std::string& why);

  const std::filesystem::path folder_;
  const DurableOptions options_;
  Descriptor lock_;
  std::vector<Generation> memories_, journals_;  // numbers of the files found, ascending

  core::Session* session_ = nullptr;  // null: changes are not recorded
  ChangesWriter changes_;             // changes since the last seal()
  std::thread writer_;
  std::uint64_t journal_bytes_ = 0;  // journal bytes since the last snapshot

  mutable std::mutex mutex_;  // guards all members below
  std::condition_variable progress_;
  Journal journal_;
  Generation generation_ = 0;               // number of the current journal
  std::string waiting_;                     // sealed records that are not in the journal yet
  std::uint64_t sealed_ = 0, settled_ = 0;  // numbers of the last sealed and settled records
  bool writing_ = false;
  std::string failure_;
  std::uint64_t snapshot_bytes_ = 0;  // size of the last snapshot
  bool writing_snapshot_ = false;
};

/// RAII guard that calls DurableMemory::seal() at the end of its scope, also after an exception. Use it so that all
/// changes of a request form one record.
class OneRecord {
 public:
  /// `durable` may be null if the session is not durable.
  explicit OneRecord(DurableMemory* durable) : durable_(durable) {}
  ~OneRecord() {
    if (durable_ != nullptr) durable_->seal();
  }
  OneRecord(const OneRecord&) = delete;
  OneRecord& operator=(const OneRecord&) = delete;

 private:
  DurableMemory* durable_;
};

}  // namespace engram::bridge
