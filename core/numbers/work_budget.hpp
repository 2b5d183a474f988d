// SPDX-License-Identifier: MIT
// What one piece of work may take, in steps and bytes, and how it is ended from outside.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <stdexcept>
#include <string>

namespace engram::core {

/// Work that was given up: nothing that it should have changed has changed.
struct WorkStopped : std::runtime_error {
  /// What was used up; or somebody asked to stop.
  enum class Reason : std::uint8_t { steps, time, bytes, asked };  // asked: by who no longer wants it
  WorkStopped(Reason why, const std::string& message) : std::runtime_error(message), reason(why) {}
  Reason reason;
};

/// What a piece of work may take.
struct WorkLimits {
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t steps = unlimited;  // about a multiplication each
  std::uint64_t bytes = unlimited;  // at a time, beside what is learnt
};

/// While it lives, what its thread does counts against it, and against the piece of work that it is part of;
/// so do the threads of for_each_task. Loops count themselves by charge(), allocations of a size that input
/// decides by Reservation: the thread carries the limit, as Boost.Thread's interruption points do, because every
/// kernel would have to hand it on else. Where there is none, nothing is counted.
class WorkBudget {
 public:
  /// Called once in `quantum` steps of a thread, from all threads that take part: ends the work by throwing,
  /// WorkStopped as a rule. A clock belongs there; core reads none.
  using Look = std::function<void()>;
  static constexpr std::uint64_t quantum = std::uint64_t{1} << 16;  // some 50 microseconds

  /// First counts the steps so far for the work that this is part of, so that many short pieces are as easy to end
  /// as one long one.  Errors  WorkStopped, of the work that this is part of
  explicit WorkBudget(WorkLimits limits, Look look = {});
  ~WorkBudget();
  WorkBudget(const WorkBudget&) = delete;
  WorkBudget& operator=(const WorkBudget&) = delete;

  /// Nothing that was claimed in it outlives it: what stays (Reservation::keep) no longer counts for what it is part of, either.
  void leaves_nothing() { leaves_nothing_ = true; }
  /// Bytes that are claimed of it at this moment.
  std::uint64_t claimed() const { return bytes_.load(std::memory_order_relaxed); }
  /// The most bytes that were claimed at a time.
  std::uint64_t most_claimed() const { return most_.load(std::memory_order_relaxed); }
  /// Lowers the limit on bytes, if no other thread takes part yet.  Errors  WorkStopped if more are claimed
  void lower_bytes(std::uint64_t bytes);

  /// Bytes that are claimed of all that this thread is busy with.
  static std::uint64_t claimed_in_all();
  /// The piece of work this thread is busy with; none: nullptr.
  static WorkBudget* current();

  /// Lets another thread take part, as long as this lives.
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
  WorkBudget* of_;  // what this is part of
  bool leaves_nothing_ = false;
  std::atomic<std::uint64_t> steps_ = 0, bytes_ = 0, most_ = 0;
};

/// Steps of this thread that no piece of work has counted yet. For charge() alone.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local std::uint64_t uncounted_steps = 0;

/// Counts what is uncounted, and looks whether the work is to end: before what cannot be ended once it has
/// begun.  Errors  WorkStopped
void check_cancelled();

/// Counts steps that are about to be done.  Cost  an addition; a look at the limits once in a quantum
/// Errors  WorkStopped
inline void charge(std::uint64_t steps) {
  if ((uncounted_steps += steps) >= WorkBudget::quantum) check_cancelled();
}

/// Bytes that are about to be allocated, until it dies. A claim of at least `large` bytes also looks whether the work is
/// to end, because a look may know of limits that several pieces of work share.
/// Errors  WorkStopped, before anything is allocated
class Reservation {
 public:
  static constexpr std::uint64_t large = std::uint64_t{1} << 20;

  explicit Reservation(std::uint64_t bytes);
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// What was allocated outlives this: it counts for as long as the work lasts.
  void keep() { of_ = nullptr; }

 private:
  void release_below(const WorkBudget* end) const;

  WorkBudget* of_;
  std::uint64_t bytes_;
};

/// A claim that grows with what an algorithm keeps.
class GrowingReservation {
 public:
  /// Claims at least this many bytes in all. The claimed amount doubles whenever it grows.
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
