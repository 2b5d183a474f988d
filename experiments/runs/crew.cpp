// SPDX-License-Identifier: MIT
#include "experiments/runs/crew.hpp"

#include <mutex>

#include "core/numbers/work_budget.hpp"

namespace engram::experiments {
namespace {

class ThreadShift final : public TrialShift {
 public:
  explicit ThreadShift(const TrialJob& job) : job_(job) {}

  void carry_out(const std::vector<std::size_t>& trials,
                 const std::function<void(std::size_t, const TrialResult&)>& done) override {
    std::mutex mutex;
    core::for_each_task(trials.size(), job_.jobs, [&](std::size_t i, unsigned) {
      const TrialResult result = experiments::carry_out(job_, trials[i]);
      const std::lock_guard lock(mutex);
      done(trials[i], result);
    });
  }

 private:
  const TrialJob job_;
};

}  // namespace

TrialResult carry_out(const TrialJob& job, std::size_t trial) {
  core::check_cancelled();
  const core::WorkBudget limited({.bytes = job.trial_bytes});
  if (!job.cache.used()) return job.trials.run(trial);
  const Json key = trial_key(job.spec, job.manifest, job.trials, trial);
  if (auto kept = job.cache.find(key, trial)) return std::move(*kept);
  TrialResult result = job.trials.run(trial);
  job.cache.add(key, trial, result);
  return result;
}

std::unique_ptr<TrialShift> ThreadCrew::begin(const TrialJob& job) {
  return std::make_unique<ThreadShift>(job);
}

}  // namespace engram::experiments
