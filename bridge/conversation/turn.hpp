// SPDX-License-Identifier: MIT
// Turns with what several threads use.
#pragma once

#include <condition_variable>
#include <list>
#include <mutex>

namespace engram::bridge {

/// A mutex, for std::lock_guard and its like, that is given to who has waited longest; and work that is to
/// end (core/numbers/work_budget.hpp) ends while it waits, too.
class Turn {
 public:
  /// Errors  what the look of the thread's work throws; it is not locked then
  void lock();
  /// The next in line has the turn.
  void unlock();

 private:
  std::mutex mutex_;
  std::condition_variable moved_;
  std::list<int> queue_;  // who has the turn, then who waits
};

}  // namespace engram::bridge
