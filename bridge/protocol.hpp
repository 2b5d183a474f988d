// SPDX-License-Identifier: MIT
// The JSON lines protocol, version 1: one request object a line in, one reply object a line out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/conversation.hpp"
#include "bridge/json_text.hpp"
#include "bridge/limited_work.hpp"
#include "bridge/session.hpp"
#include "bridge/turn.hpp"

namespace engram::bridge {

struct ProtocolLimits {
  std::size_t max_request_bytes = std::size_t{16} << 20;  // chosen: room for a large file in one `input`
  int max_depth = 32;                                     // of nested arrays and objects
  std::size_t max_members = 10'000;                       // of one object
  std::size_t max_values = JsonLimits{}.max_values;       // in all
  std::size_t max_numbers = std::size_t{4} << 20;         // of a reply; chosen: some 80 MB of text
  std::size_t max_multiplications = 20'000'000'000;       // of a kernel; chosen: some ten seconds
  WorkLimit work = {};  // on one request; its own field `limit` may ask for less
  bool files = true;    // whether requests may name files of this machine: not those of strangers
};

/// Answers requests on one session. Every line gets exactly one reply, a bad one an error reply; none ends
/// the session but `quit`.
class Protocol : public Conversation {
 public:
  explicit Protocol(core::MemoryOptions options = {}, ProtocolLimits limits = {})
      : session_(std::make_shared<Session>(options)), limits_(limits) {}
  /// On a session that others use as well. `turn` is held by each request while it is at the memory; without
  /// one the caller sees to it that there is one request at a time.
  static Protocol on(std::shared_ptr<Session> session, ProtocolLimits limits = {},
                     std::shared_ptr<Turn> turn = {}) {
    Protocol protocol({}, limits);
    protocol.session_ = std::move(session);
    protocol.turn_ = std::move(turn);
    return protocol;
  }

  /// The reply to one request line, without a line end. Never throws for what a line may contain.
  std::string handle(std::string_view line);
  std::vector<std::string> answer(std::string_view message) override { return {handle(message)}; }
  std::string refusal(const std::string& why) const override;
  /// Whether `quit` has been answered.
  bool finished() const override { return finished_; }
  std::size_t max_message_bytes() const override { return limits_.max_request_bytes; }

  const Session& session() const { return *session_; }

 private:
  std::shared_ptr<Session> session_;
  std::shared_ptr<Turn> turn_;  // none: nobody else uses the session
  ProtocolLimits limits_;
  bool finished_ = false;
};

}  // namespace engram::bridge
