// SPDX-License-Identifier: MIT
// The JSON lines protocol, version 1: each line is a request object, and gets a line with a reply object.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation/conversation.hpp"
#include "bridge/conversation/shared_session.hpp"
#include "bridge/durable/durable_memory.hpp"
#include "bridge/operations/context.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// A conversation in the protocol on one session. Every line gets exactly one reply. An invalid line gets an error
/// reply. Only `quit` ends the conversation.
class Protocol : public Conversation {
 public:
  explicit Protocol(core::MemoryOptions options = {}, ProtocolLimits limits = {},
                    const core::ForgettingOptions& forgetting = {})
      : session_(std::make_shared<core::Session>(options, forgetting)), limits_(limits) {}
  /// A conversation on a session with other users. The caller must serialise all requests. With a `durable` memory,
  /// changes are on the disk before they are acknowledged.
  static Protocol on(std::shared_ptr<core::Session> session, ProtocolLimits limits = {},
                     std::shared_ptr<DurableMemory> durable = {}) {
    Protocol protocol({}, limits);
    protocol.session_ = std::move(session);
    protocol.durable_ = std::move(durable);
    return protocol;
  }
  /// A conversation on a session that others use concurrently. Questions run in parallel with the requests of others.
  static Protocol on(std::shared_ptr<SharedSession> shared, ProtocolLimits limits = {},
                     std::shared_ptr<DurableMemory> durable = {}) {
    Protocol protocol = on(shared->session(), limits, std::move(durable));
    protocol.shared_ = std::move(shared);
    return protocol;
  }

  /// Includes this log in replies to `view`.
  void show(std::shared_ptr<const GateLog> gate) { gate_ = std::move(gate); }

  /// The reply to one request line, without line end. Never throws because of the contents of the line.
  std::string handle(std::string_view line);
  /// The replies to a line. A blank line gets none.
  std::vector<std::string> answer(std::string_view message) override;
  std::vector<std::string> when_durable(std::vector<std::string> replies) override;
  std::string refusal(const std::string& why) const override;
  std::string refusal(const core::WorkStopped& why) const override;
  /// Whether `quit` has been answered.
  bool finished() const override { return finished_; }
  std::size_t max_message_bytes() const override { return limits_.max_request_bytes; }
  void charge_message_bytes(std::size_t bytes) override;

  const core::Session& session() const { return *session_; }

 private:
  std::string reply_to(std::string_view line, std::uint64_t& peak_reserved);

  std::shared_ptr<core::Session> session_;
  std::shared_ptr<SharedSession> shared_;   // null: nobody else uses the session
  std::shared_ptr<DurableMemory> durable_;  // null: the memory is not durable
  std::shared_ptr<const GateLog> gate_;     // null: there is no live NARS
  std::string id_;                          // ID of the last request
  bool apart_ = false;                      // whether the last request did not use the memory
  std::size_t held_ = 0;                    // bytes charged by charge_message_bytes() in a shared session
  ProtocolLimits limits_;
  bool finished_ = false;
};

}  // namespace engram::bridge
