// SPDX-License-Identifier: MIT
#include "core/numbers/work_budget.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace engram::core {
namespace {

constinit thread_local WorkBudget* current_budget = nullptr;

}  // namespace

WorkBudget::WorkBudget(WorkLimits limits, CancellationCheck check)
    : limits_(limits), check_(std::move(check)), enclosing_(current_budget) {
  check_cancelled();
  current_budget = this;
}

WorkBudget::~WorkBudget() {
  current_budget = enclosing_;
  if (!releases_all_) return;
  for (WorkBudget* budget = enclosing_; budget != nullptr; budget = budget->enclosing_)
    budget->release(reserved());
}

WorkBudget* WorkBudget::current() { return current_budget; }

std::uint64_t WorkBudget::reserved_by_thread() {
  std::uint64_t most = 0;
  for (const WorkBudget* budget = current_budget; budget != nullptr; budget = budget->enclosing_)
    most = std::max(most, budget->reserved());
  return most;
}

WorkBudget::ThreadScope::ThreadScope(WorkBudget* budget) : before_(std::exchange(current_budget, budget)) {}
WorkBudget::ThreadScope::~ThreadScope() { current_budget = before_; }

void WorkBudget::count(std::uint64_t steps) {
  if (limits_.steps != WorkLimits::unlimited) {
    const std::uint64_t before = steps_.fetch_add(steps, std::memory_order_relaxed);
    if (before > limits_.steps || steps > limits_.steps - before)
      throw WorkStopped(WorkStopped::Reason::steps,
                        "more than " + std::to_string(limits_.steps) + " steps of work would be needed");
  }
  if (check_) check_();
}

void WorkBudget::lower_byte_limit(std::uint64_t bytes) {
  limits_.bytes = std::min(limits_.bytes, bytes);
  if (reserved() > limits_.bytes)
    throw WorkStopped(
        WorkStopped::Reason::bytes,
        "this needs " + std::to_string(reserved()) + " bytes; the limit is " + std::to_string(limits_.bytes));
}

void WorkBudget::reserve(std::uint64_t bytes) {
  const std::uint64_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (before <= limits_.bytes && bytes <= limits_.bytes - before) {
    std::uint64_t peak = peak_reserved();
    while (peak < before + bytes && !peak_.compare_exchange_weak(peak, before + bytes)) {
    }
    return;
  }
  release(bytes);
  throw WorkStopped(WorkStopped::Reason::bytes, "this needs " + std::to_string(bytes) +
                                                    " bytes more than the " + std::to_string(before) +
                                                    " in use; the limit is " + std::to_string(limits_.bytes));
}

void check_cancelled() {
  const std::uint64_t steps = std::exchange(pending_steps, 0);
  for (WorkBudget* budget = current_budget; budget != nullptr; budget = budget->enclosing_)
    budget->count(steps);
}

Reservation::Reservation(std::uint64_t bytes) : budget_(current_budget), bytes_(bytes) {
  WorkBudget* budget = budget_;
  try {
    for (; budget != nullptr; budget = budget->enclosing_) budget->reserve(bytes);
    if (bytes >= large) check_cancelled();
  } catch (...) {
    release_until(budget);
    throw;
  }
}

void Reservation::release_until(const WorkBudget* end) const {
  for (WorkBudget* budget = budget_; budget != end; budget = budget->enclosing_) budget->release(bytes_);
}

void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void unmap_freed_large_blocks() {
#ifdef __GLIBC__
  constexpr int large = 4 << 20;  // chosen: the vectors of small memories are not mapped again and again
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 2 * large);
#endif
}

unsigned thread_count(unsigned requested, std::size_t tasks) {
  if (requested == 0) requested = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::size_t>(tasks, 1, requested));
}

void for_each_task(std::size_t tasks, unsigned threads,
                   const std::function<void(std::size_t task, unsigned worker)>& run) {
  std::atomic<std::size_t> next = 0;
  std::mutex failing;
  std::exception_ptr failure;
  const auto work = [&, budget = WorkBudget::current()](unsigned worker) {
    const WorkBudget::ThreadScope scope(budget);
    try {
      for (std::size_t task = next++; task < tasks; task = next++) run(task, worker);
    } catch (...) {
      next = tasks;
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < threads; ++worker) {
      try {
        others.emplace_back(work, worker);
      } catch (const std::system_error&) {
        break;  // too many threads; the existing ones run all tasks
      }
    }
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

void run_both(const std::function<void()>& first, const std::function<void()>& second) {
  std::array<std::exception_ptr, 2> failures;
  for_each_task(2, 2, [&](std::size_t task, unsigned) {
    try {
      (task == 0 ? first : second)();
    } catch (...) {
      failures[task] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace engram::core
