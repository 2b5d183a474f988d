// SPDX-License-Identifier: MIT
// Threads of one rank at the trials that it was given.
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

/// What came of a trial: its result, or why there is none.
struct Outcome {
  std::size_t trial = 0;
  TrialResult result = {};
  std::exception_ptr failure = {};
};

/// Worker threads for trials. They take part in the WorkBudget of the thread that creates them.
class WorkerPool {
 public:
  using Task = std::function<TrialResult(std::size_t trial)>;

  /// `told` is called, by their threads, each time that an outcome is there to be taken.
  WorkerPool(unsigned threads, Task task, std::function<void()> told);
  /// What is under way is stopped at its next look, and what was given and not begun is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void give(std::size_t trial);
  /// The first that is there.
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
