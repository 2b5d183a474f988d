// SPDX-License-Identifier: MIT
// The work on one message: how long it may take, and how many bytes beside what is learnt.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "core/numbers/work.hpp"

namespace engram::bridge {

/// What a request may take.
struct WorkLimit {
  std::chrono::milliseconds time{60'000};        // chosen: what a recall over a full memory takes, often
  std::uint64_t bytes = std::uint64_t{4} << 30;  // chosen: as much as a memory may learn
};

/// While it lives, what this thread does is ended, by core::WorkStopped, soon after the time is up or before
/// it would take more bytes. An error is all that a clock decides: no result depends on it.
class LimitedWork {
 public:
  explicit LimitedWork(const WorkLimit& limit);
  LimitedWork(const LimitedWork&) = delete;
  LimitedWork& operator=(const LimitedWork&) = delete;

  /// From now on the clock stands: to wait is no work. begin() starts it anew.
  void wait() { end_ = Clock::time_point::max(); }
  /// From now on the clock goes, and the time is whole.
  void begin() { end_ = Clock::now() + time_; }
  /// What looks from now on as well whether the work is to end; nothing: {}.
  void also_looks(core::Work::Look look) { also_ = std::move(look); }
  std::uint64_t claimed() const { return work_.claimed(); }

 private:
  using Clock = std::chrono::steady_clock;
  void look() const;

  const std::chrono::milliseconds time_;
  Clock::time_point end_;
  core::Work::Look also_;
  core::Work work_;
};

}  // namespace engram::bridge
