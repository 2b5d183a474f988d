// SPDX-License-Identifier: MIT
// A live session for those who look on: they are shown copies of its memory, and what became of its questions.
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

/// Whoever looks on asks in the protocol, and changes nothing: neither the session nor its transcript can tell that
/// somebody does. A copy is made only when one is asked for and something has changed, so that many who ask cost no
/// more than one; it shares with the session what has not changed since, and comes on top of what the memory may take.
class Onlookers {
 public:
  /// Both outlive this, and are used by one thread, within use().
  Onlookers(const core::Session& session, const AttachSummary& summary);

  /// While it is held, the session is this thread's alone; else who asks may copy it.
  std::unique_lock<std::mutex> use() { return std::unique_lock(in_use_); }
  /// Within use(), between two changes: shows what there is now, if somebody has asked meanwhile. So who asks while a
  /// question takes long sees what has been heard of it.
  /// Cost  nothing, or that of a copy of the session
  void look();

  /// One who looks on, in a thread of its own.
  std::unique_ptr<Conversation> conversation();

 private:
  class Onlooker;
  struct Shown {
    std::shared_ptr<SharedSession> memory;
    std::shared_ptr<const GateLog> gate;
    std::uint64_t version = 0;  // of both
  };
  std::shared_ptr<const Shown> latest();
  void show();

  const core::Session& session_;
  const AttachSummary& summary_;
  std::mutex in_use_;
  std::atomic<bool> asked_ = false;  // while it was in use
  std::mutex mutex_;                 // for what is shown
  std::shared_ptr<const Shown> shown_;
};

}  // namespace engram::bridge
