// SPDX-License-Identifier: MIT
// Interface of a conversation with one client, independent of transport and language.
#pragma once

#include <algorithm>
#include <cstddef>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

/// A conversation: messages in, replies out.
class Conversation {
 public:
  virtual ~Conversation() = default;

  /// The replies to one message, each one line without line end. Never throws because of the contents of a message.
  virtual std::vector<std::string> answer(std::string_view message) = 0;
  /// Waits until the changes that these replies acknowledge are durable, if that was promised. Returns the replies to
  /// send, which may report a failure instead. Call this without holding a lock on the session, so that nobody waits
  /// for the disk.
  virtual std::vector<std::string> kept(std::vector<std::string> replies) { return replies; }
  /// The reply to a message that is rejected unread, for example because it is too long or there are too many clients.
  virtual std::string refusal(const std::string& why) const = 0;
  /// The reply to a message that hold() had no room for.
  virtual std::string refusal(const core::WorkStopped& why) const { return refusal(std::string(why.what())); }
  /// Whether the client has ended the conversation.
  virtual bool finished() const = 0;
  virtual std::size_t max_message_bytes() const = 0;
  /// Charges the bytes of an incomplete message, which the transport holds, to the limit of the memory. Replaces the
  /// amount charged before; 0 releases it. Call this only while no message is being processed, or with 0.
  /// Errors  core::WorkStopped if there is no room; the charge is then unchanged
  virtual void hold(std::size_t bytes) = 0;

  /// The reply to a message longer than max_message_bytes().
  std::string refuse_too_long() const {
    return refusal("a request may have at most " + std::to_string(max_message_bytes()) + " bytes");
  }

 protected:
  /// Messages up to this size are accepted by hold() even if others use up the limit.
  std::size_t small_message_bytes() const {
    return std::max(std::size_t{1} << 16, max_message_bytes() / 16);  // chosen
  }

  Conversation() = default;
  Conversation(const Conversation&) = default;
  Conversation& operator=(const Conversation&) = default;
};

/// Answers line by line until the client ends the conversation, `in` ends, or `out` fails.
/// Returns  whether all replies were written
bool serve(Conversation& conversation, std::istream& in, std::ostream& out);

}  // namespace engram::bridge
