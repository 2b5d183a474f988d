// SPDX-License-Identifier: MIT
#include "experiments/mpi/worker_pool.hpp"

#include <system_error>
#include <utility>

#include "core/numbers/work_budget.hpp"

namespace engram::experiments::mpi {

WorkerPool::WorkerPool(unsigned threads, Task task, std::function<void()> on_outcome)
    : task_(std::move(task)), on_outcome_(std::move(on_outcome)) {
  for (unsigned i = 0; i < threads; ++i) {
    try {
      threads_.emplace_back([this, of = core::WorkBudget::current()] {
        const core::WorkBudget::ThreadScope part(of);
        work();
      });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
      break;  // the system refuses further threads; the pool uses the ones it has
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

void WorkerPool::add(std::size_t trial) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(trial);
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
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (stopping_) return;
      outcome.trial = queue_.front();
      queue_.pop_front();
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
    on_outcome_();
  }
}

}  // namespace engram::experiments::mpi
