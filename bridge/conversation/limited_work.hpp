// SPDX-License-Identifier: MIT
// The work on one message: how long it may take, and how many bytes beside what is learnt.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "core/numbers/work_budget.hpp"

namespace engram::core {
class Session;
}

namespace engram::bridge {

/// What a request may take.
struct WorkLimit {
  std::chrono::milliseconds time{60'000};        // chosen: what a recall over a full memory takes, often
  std::uint64_t bytes = std::uint64_t{4} << 30;  // chosen: as much as a memory may learn
};

/// While it lives, what this thread does is ended, by core::WorkStopped, soon after the time is up or before
/// it would take more bytes. The time includes waiting for a turn, because a client that states a limit counts from its
/// request to the reply. An error is all that a clock decides: no result depends on it. Nothing that was claimed
/// outlives it.
class LimitedWork {
 public:
  explicit LimitedWork(const WorkLimit& limit);
  LimitedWork(const LimitedWork&) = delete;
  LimitedWork& operator=(const LimitedWork&) = delete;

  /// Lowers the limits to these; the time counts from the beginning.  Errors  core::WorkStopped if they are passed
  void lower_to(const WorkLimit& limit);
  /// Lowers the limit on time so that the work ends at most `time` from now.
  void end_within(std::chrono::milliseconds time) { end_ = std::min(end_, Clock::now() + time); }
  /// How long it has lasted.
  std::chrono::steady_clock::duration lasted() const { return Clock::now() - begin_; }
  /// What looks from now on as well whether the work is to end; nothing: {}.
  void also_looks(core::WorkBudget::Look look) { also_ = std::move(look); }
  std::uint64_t claimed() const { return work_.claimed(); }
  std::uint64_t most_claimed() const { return work_.most_claimed(); }

 private:
  using Clock = std::chrono::steady_clock;
  void look() const;

  const Clock::time_point begin_ = Clock::now();
  std::chrono::milliseconds time_;
  Clock::time_point end_ = begin_ + time_;
  core::WorkBudget::Look also_;
  core::WorkBudget work_;
};

/// Checks that so many bytes fit beside what the session has.  Errors  core::WorkStopped
void require_room(const core::Session& session, std::uint64_t bytes);

}  // namespace engram::bridge
