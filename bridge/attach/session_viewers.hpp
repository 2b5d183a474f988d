// SPDX-License-Identifier: MIT
// Read-only access to a live session for other clients, such as a web page: its memory, and the log of its questions.
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

/// Conversations by which clients view a session. They never change the session or its transcript. All viewers share
/// one snapshot of the memory. A new one is made only if a viewer asks and the session has changed. It shares unchanged
/// data with the session, and its other bytes are not charged to the memory limit.
class SessionViewers {
 public:
  /// Both arguments must outlive this object. One thread may use them, while it holds lock().
  SessionViewers(const core::Session& session, const AttachSummary& summary);

  /// Locks the session. Viewers make snapshots only while the lock is free.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(session_mutex_); }
  /// Makes a snapshot if a viewer has asked since the last one. Call this at intervals during long work, while you hold
  /// lock(), so that viewers see progress.
  void publish_if_requested();

  /// A conversation with one viewer. Different conversations may run in different threads.
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
