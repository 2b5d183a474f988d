// SPDX-License-Identifier: MIT
// One client's talk with Engram, message by message, whatever carries it and whatever language it is in.
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

/// What a client talks with: a message in, replies out.
class Conversation {
 public:
  virtual ~Conversation() = default;

  /// The replies to one message, each one line without its end. Never throws for what a message may contain.
  virtual std::vector<std::string> answer(std::string_view message) = 0;
  /// What is sent in place of these replies: themselves, once what they acknowledge is kept where that was promised.
  /// Outside of any turn: who waits for a disk holds nobody up.
  virtual std::vector<std::string> kept(std::vector<std::string> replies) { return replies; }
  /// What is said of a message that is not even looked at: it is too long, there are too many clients.
  virtual std::string refusal(const std::string& why) const = 0;
  /// The refusal of a message for which hold() found no room.
  virtual std::string refusal(const core::WorkStopped& why) const { return refusal(std::string(why.what())); }
  /// Whether the client has said goodbye.
  virtual bool finished() const = 0;
  virtual std::size_t max_message_bytes() const = 0;
  /// Counts the bytes that the transport keeps of an incomplete message against the limits of the memory, in place
  /// of those counted before; 0 when it keeps none. Called while no message is in work, or with 0.
  /// Errors  core::WorkStopped if there is no room for more; the count stays as it was
  virtual void hold(std::size_t bytes) = 0;

  /// refusal() of a message of more than max_message_bytes().
  std::string refuse_too_long() const {
    return refusal("a request may have at most " + std::to_string(max_message_bytes()) + " bytes");
  }

 protected:
  /// The largest message that hold() takes even if others use up the limit.
  std::size_t small_message_bytes() const {
    return std::max(std::size_t{1} << 16, max_message_bytes() / 16);  // chosen
  }

  Conversation() = default;
  Conversation(const Conversation&) = default;
  Conversation& operator=(const Conversation&) = default;
};

/// Answers line by line until goodbye, the end of `in`, or until `out` cannot be written.
/// Returns  whether all replies could be written
bool serve(Conversation& conversation, std::istream& in, std::ostream& out);

}  // namespace engram::bridge
