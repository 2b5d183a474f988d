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
#include "bridge/operations/context.hpp"

namespace engram::bridge {

/// Serves viewers of a session through the protocol. Viewers change neither the session nor its transcript. A snapshot
/// is made only if a viewer asks and something has changed, so the cost does not grow with the number of viewers. The
/// snapshot shares unchanged data with the session. The other bytes of the snapshot are not charged to the memory
/// limit.
class SessionViewers {
 public:
  /// Both arguments must outlive this object. One thread may use them, and only while it holds lock().
  SessionViewers(const core::Session& session, const AttachSummary& summary);

  /// Locks the session for the calling thread. Viewers can make snapshots only while the lock is free.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(session_mutex_); }
  /// Publishes a snapshot if a viewer has asked since the last one. Call this between two changes, while you hold
  /// lock(), so that viewers see progress during a long question.
  /// Cost  nothing, or one copy of the session
  void publish_if_requested();

  /// The conversation with one viewer. Each conversation may have its own thread.
  std::unique_ptr<Conversation> conversation();

 private:
  class Viewer;
  struct View {
    std::shared_ptr<SharedSession> memory;
    std::shared_ptr<const GateLog> gate;
    std::uint64_t version = 0;  // version of the session plus the number of questions
  };
  std::shared_ptr<const View> latest();
  void publish();

  const core::Session& session_;
  const AttachSummary& summary_;
  std::mutex session_mutex_;
  std::atomic<bool> requested_ = false;  // a viewer asked while the session was locked
  std::mutex view_mutex_;                // guards view_
  std::shared_ptr<const View> view_;
};

}  // namespace engram::bridge
