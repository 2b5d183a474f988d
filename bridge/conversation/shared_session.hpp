// SPDX-License-Identifier: MIT
// One session of several clients: changes one after the other, questions side by side.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "bridge/conversation/limited_work.hpp"
#include "bridge/conversation/turn.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Serialises the changes of a session and answers questions from copies. Changes run in the order of their requests. A question
/// runs on a copy of the session as it was when the question's turn came, and blocks nobody while it runs. The replies are
/// therefore those of one client that sends all requests in turn. The copy of a question has every change that was acknowledged
/// before the question was asked.
///
/// Bytes  The limit max_bytes of the session covers the session, data that only copies still have, the claims of requests,
///        and incomplete messages of transports. If they exceed it, a question, or a large request that needs no memory,
///        is cancelled (core::WorkStopped) at its next check, and a large message is refused when more of it arrives.
///        Changes are checked against the limit as if no question were running. There is at most one copy for each client
/// Cost   of a question, where a copy of the same state is free, nothing; else that of copying the session, with its
///        turn, and once after a change that of its readings catching up
class SharedSession {
 public:
  /// `session`: used by nobody else as long as this lives, but for its limits.
  explicit SharedSession(std::shared_ptr<core::Session> session)
      : session_(std::move(session)), session_bytes_(session_->bytes()) {}

  /// For who needs its limits alone, or has a Change.
  const std::shared_ptr<core::Session>& session() const { return session_; }

  /// Counts the bytes that a transport holds of an incomplete message in place of `held`, which becomes them. At most
  /// `small` bytes are taken even if others use up the limit.
  /// Errors  core::WorkStopped if there is no room for more; the count stays as it was
  void hold(std::size_t& held, std::size_t bytes, std::size_t small);

  class Question;

  /// Counts what a request claims, from before it is read until it is answered, with what the others claim.
  class Counted {
   public:
    Counted(SharedSession& shared, LimitedWork& work);
    ~Counted();
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    SharedSession& shared_;
    LimitedWork& work_;
  };

  /// Has the session for itself, to look at it, as long as it lives: for what takes less time than it costs who changes
  /// the session that a copy has what they change.
  class Glance {
   public:
    /// Waits for its turn.  Errors  what the look of the thread's work throws
    explicit Glance(SharedSession& shared);
    /// The memory, to be looked at.
    core::Session& session() { return session_; }

   private:
    core::Session& session_;
    std::unique_lock<Turn> turn_;
  };

  /// Has the session for itself, to change it, as long as it lives.
  class Change {
   public:
    /// Waits for its turn.  Errors  what the look of the thread's work throws
    explicit Change(SharedSession& shared);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

    /// The memory that is changed; for this one alone while it lasts.
    core::Session& session() { return *shared_.session_; }
    /// Whether nothing has been changed since the question's copy was taken.
    bool is_next_after(const Question& question) const;

   private:
    SharedSession& shared_;
    std::unique_lock<Turn> turn_;
    std::uint64_t before_ = 0, left_before_ = 0;
  };

 private:
  // The session as it was once.
  struct Copy {
    core::Session session;
    std::uint64_t version, left_before;   // of those below
    std::size_t bytes = session.bytes();  // that the session had, too
    std::size_t kept = 0;                 // bytes more, when its last question was over
    const LimitedWork* work = nullptr;    // of the question that has it
  };

 public:
  /// Has a copy of the session as long as it lives. Of one thread.
  class Question {
   public:
    /// Waits for its turn if a copy has to be made.
    /// with_readings  whether they are caught up first, in the session itself: for this question and all to come
    /// Errors  WorkStopped
    Question(SharedSession& shared, LimitedWork& work, bool with_readings);
    ~Question();
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    /// The copy that is asked.
    core::Session& session() { return copy_->session; }

   private:
    friend class Change;
    SharedSession& shared_;
    LimitedWork& work_;
    std::unique_ptr<Copy> copy_;
  };

 private:
  std::unique_ptr<Copy> free_copy();
  std::unique_ptr<Copy> new_copy(bool with_readings);
  void drop(std::vector<std::unique_ptr<Copy>> copies);
  std::size_t bytes() const;
  void require_room();

  const std::shared_ptr<core::Session> session_;
  Turn turn_;  // with the session

  std::mutex mutex_;  // for all below, never held for long
  std::uint64_t version_ = 0;
  std::vector<std::unique_ptr<Copy>> free_;  // all of this version
  std::vector<const Copy*> copies_;          // these, and those that questions have
  std::vector<const LimitedWork*> counted_;  // of requests from their reading on
  std::uint64_t left_ = 0;                   // bytes that changes have left to copies, ever
  std::size_t held_ = 0;                     // bytes of incomplete messages
  std::size_t session_bytes_;                // when it was last changed or copied
};

}  // namespace engram::bridge
