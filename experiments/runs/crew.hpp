// SPDX-License-Identifier: MIT
// Workers that execute the trials of a run: threads, or other processes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "experiments/runs/cache.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// A job: the trials to run, and their limits. All referenced objects must outlive its use.
struct TrialJob {
  const Spec& spec;
  const Json& manifest;  // manifest of this spec, its inputs and this build
  const Trials& trials;
  TrialCache& cache;
  std::filesystem::path out = {};                         // folder of the run
  unsigned jobs = 1;                                      // concurrent trials in each process
  std::size_t trial_bytes = core::WorkLimits::unlimited;  // most bytes that a trial may reserve
};

/// Runs one trial on this thread, or takes its result from the cache.  Errors  as Trials::run; WorkStopped;
/// std::system_error
TrialResult carry_out(const TrialJob& job, std::size_t trial);

/// A crew that works on one job. The destructor ends the job and stops its workers.
class TrialShift {
 public:
  virtual ~TrialShift() = default;
  /// Runs these prepared trials in any order. Calls `done` after each, never concurrently.
  /// Errors  the first error of a trial; remaining trials are not started, and running ones may be lost
  virtual void carry_out(const std::vector<std::size_t>& trials,
                         const std::function<void(std::size_t trial, const TrialResult&)>& done) = 0;
  /// Members to add to the record of where the run was executed.
  virtual Json told() const { return Json::object(); }
};

struct CellJob;

class TrialCrew {
 public:
  virtual ~TrialCrew() = default;
  /// Starts a job of whole cells of a sweep, by their numbers; each runs in one process and gives one row, its report
  /// (cell_report.hpp). `sweep` is a file that all processes must see. Null if cells must run one after the other.
  virtual std::unique_ptr<TrialShift> begin_cells(const std::vector<CellJob>& /*cells*/,
                                                  const std::filesystem::path& /*sweep*/) {
    return nullptr;
  }
  /// Starts a job. Called before the trials are prepared, so that other processes can prepare theirs at the same time.
  virtual std::unique_ptr<TrialShift> begin(const TrialJob& job) = 0;
};

/// Runs trials on threads of this process; the job gives their number.
class ThreadCrew final : public TrialCrew {
 public:
  std::unique_ptr<TrialShift> begin(const TrialJob& job) override;
};

}  // namespace engram::experiments
