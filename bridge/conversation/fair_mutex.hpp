// SPDX-License-Identifier: MIT
// A fair mutex with cancellation.
#pragma once

#include <condition_variable>
#include <list>
#include <mutex>

namespace engram::bridge {

/// FIFO mutex for std::lock_guard and std::unique_lock. Waiting can be cancelled by the work budget of the thread
/// (core/numbers/work_budget.hpp).
class FairMutex {
 public:
  /// Waits for the lock.  Errors  exceptions of core::check_cancelled(); the lock is then not held
  void lock();
  /// Passes the lock to the thread that has waited longest.
  void unlock();

 private:
  std::mutex mutex_;
  std::condition_variable moved_;
  std::list<int> queue_;  // the owner, then the waiting threads
};

}  // namespace engram::bridge
