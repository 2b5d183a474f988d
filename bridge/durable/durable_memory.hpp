// SPDX-License-Identifier: MIT
// A session that outlasts its process: a folder with a snapshot and a journal of all that was taken in since.
//
// The folder:
//   engram.lock             says whose it is; locked (flock) by the process that has it
//   memory-N.engram         a binary snapshot (bridge/snapshots/snapshot.hpp)
//   journal-N.engram        what was taken in since, and until journal-N+1 (bridge/durable/journal.hpp)
// What was is memory-N and all journals from N on, for the greatest N whose memory is whole. Older files go when a
// newer memory is on the disk.
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

#include "bridge/durable/changes.hpp"
#include "bridge/durable/journal.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Why a folder cannot keep a memory, or does no longer.
struct DurableError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// When a memory that is kept is written anew, and who is told of it.
struct DurableOptions {
  /// A new snapshot is written when the journals have come to this, and to half of the last snapshot. Chosen: to do
  /// the journal again then takes about as long as to read the snapshot, and writing it is paid by what came in.
  std::uint64_t least_journal_bytes = std::uint64_t{1} << 20;
  /// What the user may want to know; from any thread.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
  /// Called once when nothing is kept any more, with the reason; likewise.
  std::function<void(const std::string&)> lost = [](const std::string&) {};
};

/// Keeps one session in a folder. What was sealed is on the disk once settle() has returned, whatever becomes of the
/// process then, or of the machine; of what was not, all or nothing. While a snapshot is written nobody waits: a thread writes it
/// from a copy of the session, which shares what has not changed since (core::Session), and what comes in goes to a new
/// journal. Its bytes take 200 MB a million statements meanwhile.
///
/// All is called by who has the turn with the session, but settle() and is_lost(). Between two changes of one record
/// the session gives back no terms (Session::Request): so of a stream, it reads one line a record.
class DurableMemory final : private core::MemoryObserver {
 public:
  /// Takes the folder, which is made where there is none, for itself.
  /// Errors  DurableError: another process has it, or what is in it is nobody's; std::system_error
  explicit DurableMemory(std::filesystem::path folder, DurableOptions options = {});
  ~DurableMemory();
  DurableMemory(const DurableMemory&) = delete;
  DurableMemory& operator=(const DurableMemory&) = delete;

  /// For MemoryOptions::observer of the session; this outlives it.
  core::MemoryObserver* observer() { return this; }
  /// Makes the session what the folder has, its options but for limits among it; in an empty folder the session is
  /// the first that it has. From then on its changes are kept.
  /// Errors  DurableError: what is there is damaged, of another version, or beyond the session's limits; nothing in
  ///         the folder has changed then
  void attend(core::Session& session);

  /// Session::allocate gave budgets that stay.
  void allocated(core::AllocationOf of);
  /// What was changed since the last time belongs together: one record. A session that has become another is
  /// written whole, and this waits for it. Never throws: settle() does.
  void seal();
  /// Returns once all that was sealed before is on the disk. Who calls it at the same time waits for one and the
  /// same writing.
  /// Errors  DurableError: from now on nothing is kept any more, so nothing more may be told to anybody
  void settle();
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
  void look_around();
  void take_lock();
  void remove_before(Generation generation);
  bool has_begun() const;
  void start(const core::Session& session);
  void recover(core::Session& session);
  Generation read_newest(core::Session& session);
  JournalFacts read(Generation generation, const JournalFacts* before, core::Session& session) const;
  void seal_changes();
  void begin_generation();
  void write_snapshot_now();
  void write_snapshot_behind();
  void write_memory(Generation generation, const std::string& bytes);
  void flush(std::unique_lock<std::mutex>& guard);
  void fail(const std::string& why);

  const std::filesystem::path folder_;
  const DurableOptions options_;
  int lock_ = -1;
  std::vector<Generation> memories_, journals_;  // ascending, as they were found

  core::Session* session_ = nullptr;  // none: nothing is noted
  ChangesOut changes_;                // not sealed
  std::thread writer_;
  std::uint64_t journal_bytes_ = 0;  // since the last snapshot

  mutable std::mutex mutex_;  // for all below
  std::condition_variable moved_;
  Journal journal_;
  Generation generation_ = 0;               // of the journal
  std::string waiting_;                     // records that are not in it yet
  std::uint64_t sealed_ = 0, settled_ = 0;  // numbers of the last records
  bool writing_ = false;
  std::string failure_;
  std::uint64_t snapshot_bytes_ = 0;  // of the last one
  bool snapshot_at_work_ = false;
};

/// What is changed while it lives belongs together, whatever comes of it.
class OneRecord {
 public:
  /// Of a memory that nothing keeps: nullptr.
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
