// SPDX-License-Identifier: MIT
// A session shared by several clients: changes are serialised, questions run in parallel.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// FIFO mutex for std::lock_guard and std::unique_lock. Waiting can be cancelled by the work budget of the thread
/// (core/numbers/work_budget.hpp).
class FairMutex {
 public:
  /// Waits for the lock.  Errors  exceptions of core::check_cancelled(); the lock is then not held
  void lock();
  /// Passes the lock to the thread that has waited longest.
  void unlock();

 private:
  std::mutex mutex_;
  std::condition_variable queue_changed_;
  std::list<int> queue_;  // the owner, then the waiting threads
};

/// A session for several clients: changes run one after the other, questions run in parallel. A question runs on a copy
/// of the session, taken under the lock, so it blocks nobody while it runs. The replies are the same as if one client
/// had sent all requests in a row. A question sees every change that was acknowledged before the question was sent.
///
/// Bytes  The limit max_bytes covers the session, data that only copies still hold, the reservations of requests, and
///        incomplete messages. If the limit is exceeded, a question, or a large request that does not use the memory,
///        is cancelled (core::WorkStopped) at its next check. A large message is rejected when more of it arrives.
///        Changes are checked as if no question were running. There is at most one copy for each client
/// Cost   a question: nothing if a copy of the current state is free, otherwise a copy of the session under the lock;
///        the first question after a change also updates the index
class SharedSession {
  struct Copy;

 public:
  /// The session must not be used elsewhere during the life of this object, except for its limits.
  explicit SharedSession(std::shared_ptr<core::Session> session)
      : session_(std::move(session)), session_bytes_(session_->bytes()) {}

  /// The session. Use it only for its limits, or while you hold a WriteLock.
  const std::shared_ptr<core::Session>& session() const { return session_; }

  /// Charges the bytes of an incomplete message to the limit of the memory. `held` is the amount charged so far for this
  /// message, and becomes `bytes`. Messages of up to `small` bytes are always accepted.
  /// Errors  core::WorkStopped if there is no room; the charge is then unchanged
  void charge_message_bytes(std::size_t& held, std::size_t bytes, std::size_t small);

  /// RAII charge of a request's reservations to the shared limit, from before it is parsed until it is answered.
  class RequestCharge {
   public:
    RequestCharge(SharedSession& shared, LimitedWork& work);
    ~RequestCharge();
    RequestCharge(const RequestCharge&) = delete;
    RequestCharge& operator=(const RequestCharge&) = delete;

   private:
    SharedSession& shared_;
    LimitedWork& work_;
  };

  /// RAII exclusive read access to the session. Use it for look-ups that are cheaper than the copy-on-write cost that a
  /// copy imposes on writers.
  class ReadLock {
   public:
    /// Waits for the lock.  Errors  exceptions of core::check_cancelled()
    explicit ReadLock(SharedSession& shared);
    /// The session. Do not change it.
    core::Session& session() { return session_; }

   private:
    core::Session& session_;
    std::unique_lock<FairMutex> lock_;
  };

  class Snapshot;

  /// RAII exclusive access to the session for changes.
  class WriteLock {
   public:
    /// Waits for the lock.  Errors  exceptions of core::check_cancelled()
    explicit WriteLock(SharedSession& shared);
    ~WriteLock();
    WriteLock(const WriteLock&) = delete;
    WriteLock& operator=(const WriteLock&) = delete;

    /// The session to change.
    core::Session& session() { return *shared_.session_; }
    /// Whether this is the first change since the snapshot.
    bool is_next_after(const Snapshot& snapshot) const;

   private:
    SharedSession& shared_;
    std::unique_lock<FairMutex> lock_;
    std::uint64_t before_ = 0, left_before_ = 0;
  };

  /// RAII access to a copy of the session, for one thread.
  class Snapshot {
   public:
    /// Waits for the lock if a new copy is needed.
    /// with_index  first update the index in the session itself, for this copy and all later ones
    /// Errors  WorkStopped
    Snapshot(SharedSession& shared, LimitedWork& work, bool with_index);
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    /// The copy.
    core::Session& session();

   private:
    friend class WriteLock;
    SharedSession& shared_;
    LimitedWork& work_;
    std::unique_ptr<Copy> copy_;
  };

 private:
  struct Copy {
    core::Session session;
    std::uint64_t version, left_before;   // values of version_ and left_to_copies_ at the time of the copy
    std::size_t bytes = session.bytes();  // shared with the session at that time
    std::size_t kept = 0;                 // additional bytes after its last use
    const LimitedWork* work = nullptr;    // work of the request that uses the copy
  };

  std::unique_ptr<Copy> idle_copy();
  std::unique_ptr<Copy> new_copy(bool with_index);
  void drop(std::vector<std::unique_ptr<Copy>> copies);
  std::size_t bytes() const;
  void require_room();

  const std::shared_ptr<core::Session> session_;
  FairMutex session_lock_;  // guards the session

  std::mutex mutex_;  // guards all members below; only held for short times
  std::uint64_t version_ = 0;
  std::vector<std::unique_ptr<Copy>> idle_copies_;  // unused copies of the current version
  std::vector<const Copy*> copies_;                 // all copies, used or idle
  std::vector<const LimitedWork*> requests_;        // work of all requests, from their reading to their end
  std::uint64_t left_to_copies_ = 0;                // total bytes that changes ever left to copies
  std::size_t message_bytes_ = 0;                   // bytes of incomplete messages, over all clients
  std::size_t session_bytes_;                       // size of the session after its last change or copy
};

}  // namespace engram::bridge
