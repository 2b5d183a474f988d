// SPDX-License-Identifier: MIT
// Limits on work and memory, cancellation, threads, and bounds on the memory that growth needs.
//
// A WorkBudget limits the work of a thread and cancels it. A caller creates one on its stack with limits and a
// cancellation check. Below it, loops call charge() with a number of steps before they execute them. Functions that
// allocate memory whose size depends on input make a Reservation first. Both throw WorkStopped if a limit is exceeded,
// and once in a quantum of steps the cancellation check runs and may throw. The budget belongs to the thread, like
// Boost.Thread's interruption points, so functions need no extra parameter. Budgets nest: work counts against the
// thread's innermost budget and all enclosing ones. Without a budget nothing is counted. for_each_task() runs tasks on
// several threads, which share the budget of the caller.
//
// GrowthBound bounds the memory of long-lived containers before they grow. trim_heap() returns freed memory to the
// system.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include "narsese/hash_index.hpp"

namespace engram::core {

/// Thrown to cancel work. Functions that throw it leave their arguments unchanged unless they say otherwise.
struct WorkStopped : std::runtime_error {
  /// The limit that was reached; `cancelled` if a caller cancelled the work.
  enum class Reason : std::uint8_t { steps, time, bytes, cancelled };
  WorkStopped(Reason why, const std::string& message) : std::runtime_error(message), reason(why) {}
  Reason reason;
};

/// Limits of a piece of work, for WorkBudget. Unlimited by default.
struct WorkLimits {
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t steps = unlimited;  // a step is about a multiplication
  std::uint64_t bytes = unlimited;  // most bytes reserved at one time, in addition to the concept memory
};

/// RAII budget that limits and cancels the work of the current thread until its destructor runs. The comment at the top
/// of this file explains budgets.
class WorkBudget {
 public:
  /// Called once in `quantum` steps by every thread that takes part. Cancels the work by throwing, usually WorkStopped.
  /// Check time limits here, because core reads no clock.
  using CancellationCheck = std::function<void()>;
  static constexpr std::uint64_t quantum = std::uint64_t{1} << 16;  // about 50 microseconds

  /// Starts a budget within the thread's current one. The enclosing budget counts the steps charged so far first, so
  /// that many short pieces of work can be cancelled like a long one.
  /// Errors  WorkStopped of the enclosing budget
  explicit WorkBudget(WorkLimits limits, CancellationCheck check = {});
  ~WorkBudget();
  WorkBudget(const WorkBudget&) = delete;
  WorkBudget& operator=(const WorkBudget&) = delete;

  /// Makes the destructor release all bytes of this budget from the enclosing one, including bytes kept by
  /// Reservation::keep(). Call it if all data of the work is freed when the budget ends.
  void release_all_at_end() { releases_all_ = true; }
  /// Bytes that reservations under this budget hold now.
  std::uint64_t reserved() const { return bytes_.load(std::memory_order_relaxed); }
  /// Most bytes that were reserved under this budget at one time.
  std::uint64_t peak_reserved() const { return peak_.load(std::memory_order_relaxed); }
  /// Lowers the limit on reserved bytes. Call it before other threads take part in the budget.
  /// Errors  WorkStopped if more bytes are reserved already
  void lower_byte_limit(std::uint64_t bytes);

  /// Returns the largest reserved() among the budgets of this thread, or 0 without a budget.
  static std::uint64_t reserved_by_thread();
  /// Returns the innermost budget of this thread, or null if it has none.
  static WorkBudget* current();

  /// RAII scope in which the current thread takes part in a budget of another thread. A null budget means no budget.
  class ThreadScope {
   public:
    explicit ThreadScope(WorkBudget* budget);
    ~ThreadScope();
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

   private:
    WorkBudget* before_;
  };

 private:
  friend class Reservation;
  friend void check_cancelled();
  void count(std::uint64_t steps);
  void reserve(std::uint64_t bytes);
  void release(std::uint64_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  WorkLimits limits_;
  CancellationCheck check_;
  WorkBudget* enclosing_;
  bool releases_all_ = false;
  std::atomic<std::uint64_t> steps_ = 0, bytes_ = 0, peak_ = 0;
};

/// Steps of this thread that no budget has counted yet. Only for charge().
[[gnu::tls_model("initial-exec")]] inline constinit thread_local std::uint64_t pending_steps = 0;

/// Makes the thread's budgets count the steps that charge() has collected since their last count, and runs their
/// cancellation checks. charge() does so only once in a quantum of steps. Call this function before long work that
/// charges no steps.
/// Errors  WorkStopped
void check_cancelled();

/// Charges steps to the thread's budgets. Call it before the steps are executed.
/// Cost    an addition, and a check of the limits once in a quantum of steps
/// Errors  WorkStopped if a limit is exceeded or the work is cancelled
inline void charge(std::uint64_t steps) {
  if ((pending_steps += steps) >= WorkBudget::quantum) check_cancelled();
}

/// RAII reservation of bytes that are about to be allocated, under the thread's budgets. A reservation of at least
/// `large` bytes also runs the cancellation check of the budget, because a caller may check the sum of several budgets
/// there.
/// Errors  WorkStopped, before anything is allocated
class Reservation {
 public:
  static constexpr std::uint64_t large = std::uint64_t{1} << 20;

  explicit Reservation(std::uint64_t bytes);
  ~Reservation() { release_until(nullptr); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// Keeps the bytes reserved until the budget ends, for data that outlives this object.
  void keep() { budget_ = nullptr; }

 private:
  void release_until(const WorkBudget* end) const;

  WorkBudget* budget_;
  std::uint64_t bytes_;
};

/// A reservation of bytes that grows with the data of an algorithm.
class GrowingReservation {
 public:
  /// Reserves at least this many bytes in all. The reserved amount doubles when it grows.
  /// Errors  WorkStopped
  void cover(std::uint64_t bytes) {
    constexpr std::uint64_t least = std::uint64_t{1} << 16;
    if (bytes < reserved_) return;
    const std::uint64_t more = std::max(bytes, least);
    parts_.emplace_back(more);
    reserved_ += more;
  }

 private:
  std::list<Reservation> parts_;
  std::uint64_t reserved_ = 0;
};

/// The number of threads to use for `tasks` tasks: `requested`, or one per hardware thread if that is 0, but at most
/// `tasks` and at least 1.
unsigned thread_count(unsigned requested, std::size_t tasks);

/// Calls run(task, worker) for each task in 0 .. tasks-1 on `threads` threads. A thread takes the next task when it is
/// free. `worker` is the number of the thread, in 0 .. threads-1. The assignment of tasks to workers is random, so
/// results must depend on the task alone. All threads take part in the caller's WorkBudget.
/// Errors   the first exception of a task, after all threads have stopped; the remaining tasks are not started
void for_each_task(std::size_t tasks, unsigned threads,
                   const std::function<void(std::size_t task, unsigned worker)>& run);

/// Runs two independent functions in parallel, both to their ends.
/// Errors   the exception of the first function, or else of the second
void run_both(const std::function<void()>& first, const std::function<void()>& second);

/// Allocated bytes of a vector, spare capacity included.
template <class T, class Allocator>
std::size_t bytes_of(const std::vector<T, Allocator>& items) {
  return items.capacity() * sizeof(T);
}

/// Calculator of an upper bound on the memory that several containers need while they grow one after another. While a
/// container is copied to its larger storage, the old storage also exists; the bound includes the largest such copy.
/// Use it to check a memory limit before a change.
class GrowthBound {
 public:
  /// Adds a container that does not grow, or whose bytes after its growth are known.
  void add(std::size_t bytes) { bytes_ += bytes; }
  /// Adds a container that grows from `now` to `then` bytes by doubling.
  void add(std::size_t now, std::size_t then) {
    bytes_ += then;
    if (then > now) copied_ = std::max(copied_, then / 2);
  }
  /// Adds a vector to which `more` items are appended one at a time, so that its capacity doubles.
  template <class T>
  void add(const std::vector<T>& items, std::size_t more) {
    std::size_t capacity = items.capacity();
    while (capacity < items.size() + more) capacity = std::max<std::size_t>(1, 2 * capacity);
    add(bytes_of(items), capacity * sizeof(T));
  }
  /// Adds an index into which `more` items are inserted.
  void add(const narsese::HashIndex& index, std::size_t more) { add(index.bytes(), index.bytes_with(more)); }

  /// The bound: the most bytes in use at one time until all containers have grown.
  std::size_t bytes() const { return bytes_ + copied_; }

 private:
  std::size_t bytes_ = 0, copied_ = 0;
};

/// Returns free pages of the heap to the system (glibc's malloc_trim; nothing with other C libraries). An allocator
/// keeps such pages if they lie between blocks that are still in use.
/// Cost  a pass over all free blocks; later allocations must get their pages from the system again
void trim_heap();

/// Makes the allocator map large blocks separately and unmap them when they are freed. Call this in a long-lived
/// process that occasionally serves large requests. By default glibc keeps up to 64 MB of freed blocks in each thread's
/// arena.
void unmap_freed_large_blocks();

}  // namespace engram::core
