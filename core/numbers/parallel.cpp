// SPDX-License-Identifier: MIT
#include "core/numbers/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/numbers/work_budget.hpp"

namespace engram::core {

unsigned thread_count(unsigned asked, std::size_t tasks) {
  if (asked == 0) asked = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::size_t>(tasks, 1, asked));
}

void for_each_task(std::size_t tasks, unsigned threads,
                   const std::function<void(std::size_t task, unsigned worker)>& run) {
  std::atomic<std::size_t> next = 0;
  std::mutex failing;
  std::exception_ptr failure;
  const auto work = [&, of = WorkBudget::current()](unsigned worker) {
    const WorkBudget::Part part(of);
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
        break;  // the system has no more threads: fewer do the same
      }
    }
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

void side_by_side(const std::function<void()>& first, const std::function<void()>& second) {
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
