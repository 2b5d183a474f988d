// SPDX-License-Identifier: MIT
// Budgets of work in steps and bytes, and cancellation.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <stdexcept>
#include <string>

namespace engram::core {

/// Thrown to cancel work. Functions that throw it leave their arguments unchanged unless they say otherwise.
struct WorkStopped : std::runtime_error {
  /// The limit that was reached; `asked` if a caller cancelled the work.
  enum class Reason : std::uint8_t { steps, time, bytes, asked };
  WorkStopped(Reason why, const std::string& message) : std::runtime_error(message), reason(why) {}
  Reason reason;
};

/// Limits of a piece of work.
struct WorkLimits {
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t steps = unlimited;  // a step is about a multiplication
  std::uint64_t bytes = unlimited;  // reserved at one time, in addition to the memory
};

/// RAII budget for the work of a thread, in steps and bytes. While it exists, the thread's work counts against it and against
/// the enclosing budget, and so does the work of threads started by for_each_task(). Loops call charge(); allocations whose
/// size depends on input make a Reservation. The budget belongs to the thread, like Boost.Thread's interruption points, so
/// kernels need no extra parameter. Without a budget nothing is counted.
class WorkBudget {
 public:
  /// Called once in `quantum` steps by every thread that takes part. It cancels the work by throwing, usually WorkStopped. Check
  /// time limits here, because core reads no clock.
  using Look = std::function<void()>;
  static constexpr std::uint64_t quantum = std::uint64_t{1} << 16;  // about 50 microseconds

  /// Starts a budget within the thread's current one. First charges the pending steps to the enclosing budget, so that many short
  /// pieces of work can be cancelled like a long one.  Errors  WorkStopped of the enclosing budget
  explicit WorkBudget(WorkLimits limits, Look look = {});
  ~WorkBudget();
  WorkBudget(const WorkBudget&) = delete;
  WorkBudget& operator=(const WorkBudget&) = delete;

  /// Makes the destructor release all bytes of this budget from the enclosing one, also those of Reservation::keep().
  void leaves_nothing() { leaves_nothing_ = true; }
  /// The bytes that are reserved now.
  std::uint64_t claimed() const { return bytes_.load(std::memory_order_relaxed); }
  /// The most bytes that were reserved at one time.
  std::uint64_t most_claimed() const { return most_.load(std::memory_order_relaxed); }
  /// Lowers the limit on bytes. No other thread may take part yet.  Errors  WorkStopped if more bytes are reserved
  void lower_bytes(std::uint64_t bytes);

  /// The largest claimed() of this thread's budgets; 0 without one.
  static std::uint64_t claimed_in_all();
  /// The thread's innermost budget, or null.
  static WorkBudget* current();

  /// RAII: makes another thread take part in a budget.
  class Part {
   public:
    explicit Part(WorkBudget* of);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    WorkBudget* before_;
  };

 private:
  friend class Reservation;
  friend void check_cancelled();
  void count(std::uint64_t steps);
  void claim(std::uint64_t bytes);
  void release(std::uint64_t bytes);

  WorkLimits limits_;
  Look look_;
  WorkBudget* of_;  // the enclosing budget
  bool leaves_nothing_ = false;
  std::atomic<std::uint64_t> steps_ = 0, bytes_ = 0, most_ = 0;
};

/// Steps of this thread that no budget has counted yet. Only for charge().
[[gnu::tls_model("initial-exec")]] inline constinit thread_local std::uint64_t uncounted_steps = 0;

/// Counts pending steps and checks for cancellation. Call it before work that cannot be cancelled.  Errors  WorkStopped
void check_cancelled();

/// Charges steps before they are executed.  Cost  an addition, and a check of the limits once in a quantum
/// Errors  WorkStopped
inline void charge(std::uint64_t steps) {
  if ((uncounted_steps += steps) >= WorkBudget::quantum) check_cancelled();
}

/// RAII reservation of bytes that are about to be allocated. A reservation of at least `large` bytes also calls the budget's
/// Look, which may know limits that several budgets share.
/// Errors  WorkStopped, before anything is allocated
class Reservation {
 public:
  static constexpr std::uint64_t large = std::uint64_t{1} << 20;

  explicit Reservation(std::uint64_t bytes);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// Keeps the bytes reserved until the budget ends, for data that outlives this object.
  void keep() { of_ = nullptr; }

 private:
  void release_below(const WorkBudget* end) const;

  WorkBudget* of_;
  std::uint64_t bytes_;
};

/// A reservation that grows with the data of an algorithm.
class GrowingReservation {
 public:
  /// Reserves at least this many bytes in all. The reserved amount doubles when it grows.
  /// Errors  WorkStopped
  void cover(std::uint64_t bytes) {
    constexpr std::uint64_t least = std::uint64_t{1} << 16;
    if (bytes < claimed_) return;
    const std::uint64_t more = bytes > least ? bytes : least;
    claims_.emplace_back(more);
    claimed_ += more;
  }

 private:
  std::list<Reservation> claims_;
  std::uint64_t claimed_ = 0;
};

}  // namespace engram::core
