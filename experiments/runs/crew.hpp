// SPDX-License-Identifier: MIT
// Who carries out a run's trials.
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

/// What is to be done, and within which limits. All that it refers to outlives who is at it.
struct TrialJob {
  const Spec& spec;
  const Json& manifest;  // of this spec, its inputs and this build
  const Trials& trials;
  TrialCache& cache;
  std::filesystem::path out = {};                         // the run's folder
  unsigned jobs = 1;                                      // trials at a time, of each process
  std::size_t trial_bytes = core::WorkLimits::unlimited;  // that a trial may claim
};

/// One trial on this thread, by the cache or anew.  Errors  those of Trials::run; WorkStopped; std::system_error
TrialResult carry_out(const TrialJob& job, std::size_t trial);

/// A crew at one job. With it the job ends: who else works at it is told to stop.
class TrialShift {
 public:
  virtual ~TrialShift() = default;
  /// Carries out these trials, which are prepared, in any order. `done` is called for each, one at a time.
  /// Errors  the first of a trial: the others are then left, and those under way may be lost
  virtual void carry_out(const std::vector<std::size_t>& trials,
                         const std::function<void(std::size_t trial, const TrialResult&)>& done) = 0;
  /// What a run tells of where it ran, beside its jobs: members of an object.
  virtual Json told() const { return Json::object(); }
};

struct CellJob;

class TrialCrew {
 public:
  virtual ~TrialCrew() = default;
  /// For whole cells of a sweep, by their numbers, each on one process: a cell gives one row, its report (cell_report.hpp).
  /// `sweep`: a file that all must see. Null where cells are carried out one after the other.
  virtual std::unique_ptr<TrialShift> begin_cells(const std::vector<CellJob>& /*cells*/,
                                                  const std::filesystem::path& /*sweep*/) {
    return nullptr;
  }
  /// Called before the trials are prepared: others may prepare theirs at the same time.
  virtual std::unique_ptr<TrialShift> begin(const TrialJob& job) = 0;
};

/// As many threads of this process as the job asks for.
class ThreadCrew final : public TrialCrew {
 public:
  std::unique_ptr<TrialShift> begin(const TrialJob& job) override;
};

}  // namespace engram::experiments
