// SPDX-License-Identifier: MIT
// The work on one message: how long it may take, and how many bytes beside what is learnt.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/numbers/work.hpp"

namespace engram::bridge {

struct WorkLimit {
  std::chrono::milliseconds time{60'000};        // chosen: what a recall over a full memory takes, often
  std::uint64_t bytes = std::uint64_t{4} << 30;  // chosen: as much as a memory may learn
};

/// While it lives, what this thread does is ended, by core::WorkStopped, soon after the time is up or before
/// it would take more bytes. An error is all that a clock decides: no result depends on it.
class LimitedWork {
 public:
  explicit LimitedWork(const WorkLimit& limit);

 private:
  core::Work work_;
};

}  // namespace engram::bridge
