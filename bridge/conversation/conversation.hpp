// SPDX-License-Identifier: MIT
// A conversation with one client, independent of transport and language, and the limits on the work of one message.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/numbers/work_budget.hpp"

namespace engram::core {
class Session;
}

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
  virtual std::vector<std::string> when_durable(std::vector<std::string> replies) { return replies; }
  /// The reply to a message that is rejected unread, for example because it is too long or there are too many clients.
  virtual std::string refusal(const std::string& why) const = 0;
  /// The reply to a message that charge_message_bytes() had no room for.
  virtual std::string refusal(const core::WorkStopped& why) const { return refusal(std::string(why.what())); }
  /// Whether the client has ended the conversation.
  virtual bool finished() const = 0;
  virtual std::size_t max_message_bytes() const = 0;
  /// Charges the bytes of an incomplete message, which the transport holds, to the limit of the memory. Replaces the
  /// amount charged before; 0 releases it. Call this only while no message is being processed, or with 0.
  /// Errors  core::WorkStopped if there is no room; the charge is then unchanged
  virtual void charge_message_bytes(std::size_t bytes) = 0;

  /// The reply to a message longer than max_message_bytes().
  std::string refuse_too_long() const {
    return refusal("a request may have at most " + std::to_string(max_message_bytes()) + " bytes");
  }

 protected:
  /// Messages up to this size are accepted by charge_message_bytes() even if others use up the limit.
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

/// Limits of one request.
struct WorkLimit {
  std::chrono::milliseconds time{60'000};        // chosen: several times a recall over a full memory
  std::uint64_t bytes = std::uint64_t{4} << 30;  // chosen: the default limit of a memory
};

/// RAII limits for the work of this thread. Work is cancelled by core::WorkStopped soon after the time limit, or before
/// it exceeds the byte limit. The time includes waiting for locks, because a client measures from its request to the
/// reply. The clock only decides about errors, never about results. All reservations end with this object.
class LimitedWork {
 public:
  explicit LimitedWork(const WorkLimit& limit);
  LimitedWork(const LimitedWork&) = delete;
  LimitedWork& operator=(const LimitedWork&) = delete;

  /// Lowers the limits. The time still counts from the construction.  Errors  core::WorkStopped if a limit is exceeded
  /// already
  void lower_to(const WorkLimit& limit);
  /// Lowers the time limit so that the work ends at most `time` from now.
  void end_within(std::chrono::milliseconds time) { end_ = std::min(end_, Clock::now() + time); }
  /// Time since the construction.
  std::chrono::steady_clock::duration elapsed() const { return Clock::now() - begin_; }
  /// Sets an additional cancellation check; {} removes it.
  void set_extra_check(core::WorkBudget::CancellationCheck check) { extra_check_ = std::move(check); }
  std::uint64_t reserved() const { return work_.reserved(); }
  std::uint64_t peak_reserved() const { return work_.peak_reserved(); }

 private:
  using Clock = std::chrono::steady_clock;
  void check() const;

  const Clock::time_point begin_ = Clock::now();
  std::chrono::milliseconds time_;
  Clock::time_point end_ = begin_ + time_;
  core::WorkBudget::CancellationCheck extra_check_;
  core::WorkBudget work_;
};

/// Checks that `bytes` more fit into the limit of the session.  Errors  core::WorkStopped
void require_room(const core::Session& session, std::uint64_t bytes);

}  // namespace engram::bridge
