// SPDX-License-Identifier: MIT
// One client's talk with Engram, message by message, whatever carries it and whatever language it is in.
#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

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
  /// Whether the client has said goodbye.
  virtual bool finished() const = 0;
  virtual std::size_t max_message_bytes() const = 0;

  /// refusal() of a message of more than max_message_bytes().
  std::string refuse_too_long() const {
    return refusal("a request may have at most " + std::to_string(max_message_bytes()) + " bytes");
  }

 protected:
  Conversation() = default;
  Conversation(const Conversation&) = default;
  Conversation& operator=(const Conversation&) = default;
};

/// Answers line by line until goodbye, the end of `in`, or until `out` cannot be written.
/// Returns  whether all replies could be written
bool serve(Conversation& conversation, std::istream& in, std::ostream& out);

}  // namespace engram::bridge
