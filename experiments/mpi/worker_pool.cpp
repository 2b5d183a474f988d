// SPDX-License-Identifier: MIT
#include "experiments/mpi/worker_pool.hpp"

#include <system_error>
#include <utility>

#include "core/numbers/work_budget.hpp"

namespace engram::experiments::mpi {

WorkerPool::WorkerPool(unsigned threads, Task task, std::function<void()> told)
    : task_(std::move(task)), told_(std::move(told)) {
  for (unsigned i = 0; i < threads; ++i) {
    try {
      threads_.emplace_back([this, of = core::WorkBudget::current()] {
        const core::WorkBudget::ThreadScope part(of);
        work();
      });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
      break;  // the system has no more threads; continue with fewer
    }
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::give(std::size_t trial) {
  {
    const std::lock_guard lock(mutex_);
    given_.push_back(trial);
  }
  changed_.notify_one();
}

std::optional<Outcome> WorkerPool::take() {
  const std::lock_guard lock(mutex_);
  if (outcomes_.empty()) return {};
  Outcome outcome = std::move(outcomes_.front());
  outcomes_.pop_front();
  return outcome;
}

void WorkerPool::work() {
  const core::WorkBudget until_stopped({}, [this] {
    if (stopping_) throw core::WorkStopped(core::WorkStopped::Reason::cancelled, "stopped");
  });
  for (;;) {
    Outcome outcome;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !given_.empty(); });
      if (stopping_) return;
      outcome.trial = given_.front();
      given_.pop_front();
    }
    try {
      outcome.result = task_(outcome.trial);
    } catch (...) {
      outcome.failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      outcomes_.push_back(std::move(outcome));
    }
    told_();
  }
}

}  // namespace engram::experiments::mpi
