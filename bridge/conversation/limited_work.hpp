// SPDX-License-Identifier: MIT
// Limits on the processing of one message: its time, and its bytes in addition to the memory.
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
  std::chrono::steady_clock::duration lasted() const { return Clock::now() - begin_; }
  /// Sets an additional cancellation check; {} removes it.
  void also_looks(core::WorkBudget::CancellationCheck look) { also_ = std::move(look); }
  std::uint64_t reserved() const { return work_.reserved(); }
  std::uint64_t peak_reserved() const { return work_.peak_reserved(); }

 private:
  using Clock = std::chrono::steady_clock;
  void look() const;

  const Clock::time_point begin_ = Clock::now();
  std::chrono::milliseconds time_;
  Clock::time_point end_ = begin_ + time_;
  core::WorkBudget::CancellationCheck also_;
  core::WorkBudget work_;
};

/// Checks that `bytes` more fit into the limit of the session.  Errors  core::WorkStopped
void require_room(const core::Session& session, std::uint64_t bytes);

}  // namespace engram::bridge
