// SPDX-License-Identifier: MIT
// Read-only access for other clients to a live session: snapshots of its memory, and the log of its questions.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "bridge/attach/attachment.hpp"
#include "bridge/conversation/conversation.hpp"
#include "bridge/conversation/shared_session.hpp"
#include "bridge/operations/gate_log.hpp"

namespace engram::bridge {

/// Serves viewers of a session through the protocol. Viewers change neither the session nor its transcript. A snapshot
/// is made only if a viewer asks and something has changed, so any number of viewers costs as much as one. The snapshot
/// shares unchanged data with the session. The other bytes of the snapshot are not charged to the memory limit.
class SessionViewers {
 public:
  /// Both arguments must outlive this object. One thread may use them, and only while it holds use().
  SessionViewers(const core::Session& session, const AttachSummary& summary);

  /// Locks the session for the calling thread. Viewers can make snapshots only while the lock is free.
  std::unique_lock<std::mutex> use() { return std::unique_lock(in_use_); }
  /// Publishes a snapshot if a viewer has asked since the last one. Call this between two changes, while you hold
  /// use(), so that viewers see progress during a long question.
  /// Cost  nothing, or that of a copy of the session
  void look();

  /// The conversation with one viewer. Each conversation may have its own thread.
  std::unique_ptr<Conversation> conversation();

 private:
  class Onlooker;
  struct Shown {
    std::shared_ptr<SharedSession> memory;
    std::shared_ptr<const GateLog> gate;
    std::uint64_t version = 0;  // version of the session plus the number of questions
  };
  std::shared_ptr<const Shown> latest();
  void show();

  const core::Session& session_;
  const AttachSummary& summary_;
  std::mutex in_use_;
  std::atomic<bool> asked_ = false;  // a viewer asked while the session was locked
  std::mutex mutex_;                 // guards shown_
  std::shared_ptr<const Shown> shown_;
};

}  // namespace engram::bridge
