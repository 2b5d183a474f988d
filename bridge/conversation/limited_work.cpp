// SPDX-License-Identifier: MIT
#include "bridge/conversation/limited_work.hpp"

namespace engram::bridge {
namespace {

using Clock = std::chrono::steady_clock;

core::Work::Look ended_after(std::chrono::milliseconds time) {
  return [time, end = Clock::now() + time] {
    if (Clock::now() > end)
      throw core::WorkStopped(core::WorkStopped::Reason::time,
                              "this takes longer than " + std::to_string(time.count()) + " ms, the limit");
  };
}

}  // namespace

LimitedWork::LimitedWork(const WorkLimit& limit) : work_({.bytes = limit.bytes}, ended_after(limit.time)) {}

}  // namespace engram::bridge
