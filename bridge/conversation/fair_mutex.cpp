// SPDX-License-Identifier: MIT
#include "bridge/conversation/fair_mutex.hpp"

#include <chrono>

#include "core/numbers/work_budget.hpp"

namespace engram::bridge {
namespace {

constexpr std::chrono::milliseconds between_looks{20};

}  // namespace

void FairMutex::lock() {
  std::unique_lock guard(mutex_);
  const auto place = queue_.insert(queue_.end(), 0);
  const auto mine = [&] { return place == queue_.begin(); };
  try {
    while (!moved_.wait_for(guard, between_looks, mine)) core::check_cancelled();
  } catch (...) {
    queue_.erase(place);
    moved_.notify_all();
    throw;
  }
}

void FairMutex::unlock() {
  const std::lock_guard guard(mutex_);
  queue_.pop_front();
  moved_.notify_all();
}

}  // namespace engram::bridge
