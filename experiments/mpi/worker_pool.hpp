// SPDX-License-Identifier: MIT
// Worker threads that run the trials of a rank.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "experiments/spec/experiment.hpp"

namespace engram::experiments::mpi {

/// Outcome of a trial: its result, or its exception.
struct Outcome {
  std::size_t trial = 0;
  TrialResult result = {};
  std::exception_ptr failure = {};
};

/// Worker threads for trials. They share the WorkBudget of the thread that creates them.
class WorkerPool {
 public:
  using Task = std::function<TrialResult(std::size_t trial)>;

  /// A worker thread calls `on_outcome` after each outcome.
  WorkerPool(unsigned threads, Task task, std::function<void()> on_outcome);
  /// Cancels running trials at their next check, and drops queued ones.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Queues a trial.
  void add(std::size_t trial);
  /// Returns a finished outcome, if there is one.
  std::optional<Outcome> take();

 private:
  void work();

  const Task task_;
  const std::function<void()> on_outcome_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> queue_;
  std::deque<Outcome> outcomes_;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace engram::experiments::mpi
