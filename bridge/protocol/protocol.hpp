// SPDX-License-Identifier: MIT
// The JSON lines protocol, version 1: one request object a line in, one reply object a line out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "bridge/conversation/shared_session.hpp"
#include "bridge/durable/durable_memory.hpp"
#include "bridge/operations/gate_log.hpp"
#include "bridge/operations/protocol_limits.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Answers requests on one session. Every line gets exactly one reply, a bad one an error reply; none ends
/// the session but `quit`.
class Protocol : public Conversation {
 public:
  explicit Protocol(core::MemoryOptions options = {}, ProtocolLimits limits = {},
                    const core::ForgettingOptions& forgetting = {})
      : session_(std::make_shared<core::Session>(options, forgetting)), limits_(limits) {}
  /// On a session that others use as well, one request at a time: the caller sees to that. What `durable` attends is
  /// kept before it is acknowledged.
  static Protocol on(std::shared_ptr<core::Session> session, ProtocolLimits limits = {},
                     std::shared_ptr<DurableMemory> durable = {}) {
    Protocol protocol({}, limits);
    protocol.session_ = std::move(session);
    protocol.durable_ = std::move(durable);
    return protocol;
  }
  /// On one that others use at the same time: what asks is answered beside what others ask and change.
  static Protocol on(std::shared_ptr<SharedSession> shared, ProtocolLimits limits = {},
                     std::shared_ptr<DurableMemory> durable = {}) {
    Protocol protocol = on(shared->session(), limits, std::move(durable));
    protocol.shared_ = std::move(shared);
    return protocol;
  }

  /// From now on `view` tells these, too.
  void show(std::shared_ptr<const GateLog> gate) { gate_ = std::move(gate); }

  /// The reply to one request line, without a line end. Never throws for what a line may contain.
  std::string handle(std::string_view line);
  /// A line of blanks is no request, and has no reply.
  std::vector<std::string> answer(std::string_view message) override;
  std::vector<std::string> kept(std::vector<std::string> replies) override;
  std::string refusal(const std::string& why) const override;
  std::string refusal(const core::WorkStopped& why) const override;
  /// Whether `quit` has been answered.
  bool finished() const override { return finished_; }
  std::size_t max_message_bytes() const override { return limits_.max_request_bytes; }
  void hold(std::size_t bytes) override;

  const core::Session& session() const { return *session_; }

 private:
  std::string reply_to(std::string_view line, std::uint64_t& most_claimed);

  std::shared_ptr<core::Session> session_;
  std::shared_ptr<SharedSession> shared_;   // none: nobody else uses the session
  std::shared_ptr<DurableMemory> durable_;  // none: nothing is kept
  std::shared_ptr<const GateLog> gate_;     // none: there is no live NARS
  std::string id_;                          // of the last request
  bool apart_ = false;                      // whether it did without the memory
  std::size_t held_ = 0;                    // bytes that hold() has counted in a shared session
  ProtocolLimits limits_;
  bool finished_ = false;
};

}  // namespace engram::bridge
