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

/// Worker threads for trials. They take part in the WorkBudget of the thread that creates them.
class WorkerPool {
 public:
  using Task = std::function<TrialResult(std::size_t trial)>;

  /// `told` is called by a worker thread each time an outcome is ready.
  WorkerPool(unsigned threads, Task task, std::function<void()> told);
  /// Cancels running trials at their next check, and drops queued ones.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void give(std::size_t trial);
  /// Returns a finished outcome, if there is one.
  std::optional<Outcome> take();

 private:
  void work();

  const Task task_;
  const std::function<void()> told_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> given_;
  std::deque<Outcome> outcomes_;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace engram::experiments::mpi
