// SPDX-License-Identifier: MIT
#include "bridge/durable/durable_memory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "bridge/files/files.hpp"
#include "bridge/snapshots/snapshot.hpp"
#include "bridge/snapshots/snapshot_format.hpp"

namespace engram::bridge {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view lock_name = "engram.lock", name_end = ".engram";
constexpr std::string_view lock_text = "Engram keeps a memory here, version 1\n";

// The number N in the file name KIND-N.engram.
std::optional<std::uint64_t> generation_in(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind) || !name.ends_with(name_end) || name.size() <= kind.size() + name_end.size())
    return {};
  name.remove_prefix(kind.size() + 1);
  name.remove_suffix(name_end.size());
  std::uint64_t generation = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), generation);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(generation) : std::nullopt;
}

bool is_unfinished(std::string_view name) {
  return (name.starts_with("memory-") || name.starts_with("journal-")) && name.ends_with(".part");
}

}  // namespace

// --- folder -----------------------------------------------------------------------------------------------

DurableMemory::DurableMemory(fs::path folder, DurableOptions options)
    : folder_(std::move(folder)), options_(std::move(options)) {
  if (fs::create_directory(folder_)) sync(fs::absolute(folder_).parent_path());
  list_files();
  take_lock();
  list_files();  // again, because another process may have changed the folder before this one had the lock
  for (const auto& entry : fs::directory_iterator(folder_))
    if (is_unfinished(entry.path().filename().string())) fs::remove(entry.path());
}

DurableMemory::~DurableMemory() {
  if (writer_.joinable()) writer_.join();
}

fs::path DurableMemory::file(std::string_view kind, Generation generation) const {
  return folder_ / (std::string(kind) + "-" + std::to_string(generation) + std::string(name_end));
}

// Lists the files of the folder. Rejects a folder with foreign files.
void DurableMemory::list_files() {
  memories_.clear();
  journals_.clear();
  std::string foreign;
  bool ours = false;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name == lock_name)
      ours = true;
    else if (const auto memory = generation_in(name, "memory"))
      memories_.push_back(*memory);
    else if (const auto journal = generation_in(name, "journal"))
      journals_.push_back(*journal);
    else if (!is_unfinished(name))
      foreign = name;
  }
  if (foreign.empty() && !ours && !(memories_.empty() && journals_.empty()))
    foreign = "no " + std::string(lock_name);
  if (!foreign.empty())
    throw DurableError(folder_.string() + ": must be empty or contain only files of Engram; found " +
                       foreign);
  std::ranges::sort(memories_);
  std::ranges::sort(journals_);
}

void DurableMemory::take_lock() {
  const fs::path path = folder_ / lock_name;
  lock_ = open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW, private_mode);
  const int lock = lock_.number();
  if (flock(lock, LOCK_EX | LOCK_NB) != 0)
    throw DurableError(folder_.string() + ": another process uses this folder");
  std::string found(lock_text.size() + 1, '\0');
  const ssize_t size = pread(lock, found.data(), found.size(), 0);
  if (size < 0) throw_file_error(path);
  found.resize(static_cast<std::size_t>(size));
  if (found == lock_text) return;
  // A process that was killed at this point may have left a prefix of the text.
  if (!lock_text.starts_with(found))
    throw DurableError(path.string() + ": expected '" +
                       std::string(lock_text.substr(0, lock_text.size() - 1)) +
                       "', found another text: the file is foreign, or of another version");
  if (ftruncate(lock, 0) != 0) throw_file_error(path);
  write_all(lock, lock_text, path);
  sync(lock, path);
  sync(folder_);
}

void DurableMemory::remove_before(Generation generation) {
  std::error_code ignored;  // files that cannot be removed are removed next time
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    for (const char* kind : {"memory", "journal"})
      if (const auto found = generation_in(name, kind); found && *found < generation)
        fs::remove(entry.path(), ignored);
  }
}

// --- recovery ---------------------------------------------------------------------------------------------

// Whether the folder has stored anything. A process may have been killed before it wrote the first snapshot.
bool DurableMemory::has_begun() const {
  if (!memories_.empty()) return true;
  if (journals_ != std::vector<Generation>{1}) return !journals_.empty();
  const JournalFacts facts = read_journal(file("journal", 1), [](ByteReader&) {});
  return facts.next > facts.first || facts.incomplete > 0;
}

void DurableMemory::attend(core::Session& session) {
  try {
    has_begun() ? recover(session) : write_snapshot_of(session);
  } catch (const ByteError& error) {
    throw DurableError(file("journal", 1).string() + ": " + error.what());
  }
  session.mutable_memory().observe(this);
  session_ = &session;
}

DurableMemory::Generation DurableMemory::read_newest(core::Session& session) {
  std::string problem = folder_.string() + ": has journals, but no snapshot before them";
  for (auto generation = memories_.rbegin(); generation != memories_.rend(); ++generation) try {
      snapshot_bytes_ = read_snapshot(session, file("memory", *generation)).bytes;
      if (generation != memories_.rbegin())
        options_.tell(problem + "; an older snapshot and the journals after it contain the same data");
      return *generation;
    } catch (const SnapshotError& error) {
      if (generation == memories_.rbegin())
        problem = file("memory", *generation).string() + ": " + error.what();
    }
  throw DurableError(problem);
}

JournalFacts DurableMemory::read(Generation generation, const JournalFacts* before,
                                 core::Session& session) const {
  const fs::path path = file("journal", generation);
  try {
    if (!std::ranges::binary_search(journals_, generation)) throw DurableError("the file is missing");
    const JournalFacts facts = read_journal(path, [&](ByteReader& record) { replay(record, session); });
    if (facts.generation != generation)
      throw DurableError("expected generation " + std::to_string(generation) + ", found " +
                         std::to_string(facts.generation));
    if (before != nullptr && (before->incomplete > 0 || before->next != facts.first))
      throw DurableError("expected record " + std::to_string(before->next) + " first, found " +
                         std::to_string(facts.first) + ": the end of the previous journal is missing");
    return facts;
  } catch (const std::system_error&) {
    throw;
  } catch (const std::exception& error) {
    throw DurableError(path.string() + ": " + error.what());
  }
}

void DurableMemory::recover(core::Session& session) {
  const Generation newest = read_newest(session);
  session.pause_forgetting();
  JournalFacts facts = read(newest, nullptr, session);
  std::uint64_t all_bytes = facts.bytes;
  for (generation_ = newest; generation_ < journals_.back(); all_bytes += facts.bytes)
    facts = read(++generation_, &facts, session);
  session.resume_forgetting();
  journal_ = Journal(file("journal", generation_), facts);
  if (facts.incomplete > 0)
    options_.tell(file("journal", generation_).string() + ": cut off " + std::to_string(facts.incomplete) +
                  " bytes of an incomplete record, which was never acknowledged");
  sealed_ = settled_ = facts.next - 1;
  journal_bytes_ = all_bytes;
  remove_before(newest);
}

// --- recording --------------------------------------------------------------------------------------------

template <class Note>
void DurableMemory::note(Note write) {
  if (session_ == nullptr || is_lost()) return;
  try {
    write();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void DurableMemory::begun() {
  note([&] { changes_.begin(); });
}
void DurableMemory::accepted(const narsese::Sentence& sentence, bool tells_link) {
  note([&] { changes_.accept(sentence, tells_link); });
}
void DurableMemory::advanced(core::Time cycles) {
  note([&] { changes_.advance(cycles); });
}
void DurableMemory::kept(const std::vector<bool>& statements, const std::vector<bool>& links,
                         core::ForgettingReason reason) {
  note([&] { changes_.keep(statements, links, reason); });
}
void DurableMemory::allocated(core::AllocationOf of) {
  note([&] { changes_.allocate(of, session_->budget(of)); });
}

void DurableMemory::seal() {
  note([&] {
    if (session_->memory().options().observer != this) {
      session_->mutable_memory().observe(this);
      changes_ = {};
      write_snapshot_of(*session_);
    } else if (!changes_.empty()) {
      seal_changes();
    }
  });
}

void DurableMemory::seal_changes() {
  const std::string record = changes_.take();
  bool is_large = false;
  {
    const std::lock_guard guard(mutex_);
    const std::string framed = Journal::framed(record, sealed_ + 1);
    waiting_ += framed;
    ++sealed_;
    journal_bytes_ += framed.size();
    is_large =
        !writing_snapshot_ && journal_bytes_ > std::max(options_.least_journal_bytes, snapshot_bytes_ / 2);
  }
  if (is_large) write_snapshot_in_background();
}

// Flushes all sealed records and starts the next journal.
void DurableMemory::begin_generation() {
  std::unique_lock guard(mutex_);
  while (settled_ < sealed_ && failure_.empty()) flush(guard);
  if (!failure_.empty()) throw DurableError(failure_);
  journal_ = Journal(file("journal", generation_ + 1), generation_ + 1, sealed_ + 1);
  ++generation_;
  journal_bytes_ = 0;
}

void DurableMemory::write_snapshot_of(const core::Session& session) {
  if (writer_.joinable()) writer_.join();
  const std::string bytes = snapshot_format::write_binary(session).bytes;
  begin_generation();  // the journal must exist before the snapshot
  write_memory(generation_, bytes);
}

void DurableMemory::write_snapshot_in_background() {
  if (writer_.joinable()) writer_.join();
  begin_generation();
  writing_snapshot_ = true;  // no other thread is running
  writer_ = std::thread([this, generation = generation_, copy = std::make_unique<core::Session>(*session_)] {
    try {
      write_memory(generation, snapshot_format::write_binary(*copy).bytes);
    } catch (const std::exception& error) {  // the previous snapshot and its journals still exist
      options_.tell(file("memory", generation).string() +
                    ": was not written, and will be tried again: " + error.what());
    }
    const std::lock_guard guard(mutex_);
    writing_snapshot_ = false;
  });
}

void DurableMemory::write_memory(Generation generation, const std::string& bytes) {
  write_file(file("memory", generation), bytes, private_mode);
  remove_before(generation);
  const std::lock_guard guard(mutex_);
  snapshot_bytes_ = bytes.size();
}

void DurableMemory::settle() {
  std::unique_lock guard(mutex_);
  const std::uint64_t mine = sealed_;
  while (settled_ < mine && failure_.empty()) flush(guard);
  if (!failure_.empty()) throw DurableError(failure_);
}

// Writes the waiting records, or waits until the thread that is writing has finished.
void DurableMemory::flush(std::unique_lock<std::mutex>& guard) {
  if (writing_) {
    progress_.wait(guard);
    return;
  }
  writing_ = true;
  const std::string records = std::exchange(waiting_, {});
  const std::uint64_t last = sealed_;
  guard.unlock();
  std::string problem;
  try {
    journal_.append(records);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (!problem.empty()) fail(problem);
  guard.lock();
  writing_ = false;
  if (problem.empty()) settled_ = last;
  progress_.notify_all();
}

bool DurableMemory::is_lost() const {
  const std::lock_guard guard(mutex_);
  return !failure_.empty();
}

void DurableMemory::fail(const std::string& why) {
  {
    const std::lock_guard guard(mutex_);
    if (!failure_.empty()) return;
    failure_ = folder_.string() + ": " + why;
    progress_.notify_all();
  }
  options_.lost(failure_);
}

}  // namespace engram::bridge
