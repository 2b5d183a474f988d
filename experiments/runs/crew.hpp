// SPDX-License-Identifier: MIT
// Workers that execute the trials of a run (threads, or other processes), and the cache of their results.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

/// Cache of trial results across runs, in a folder that the user names. An entry is a file named by the SHA-256 of its
/// key. Entries are written atomically, so runs may share a folder. A damaged entry, or one with another key, is a miss
/// and is replaced.
class TrialCache {
 public:
  /// An empty path disables the cache.
  explicit TrialCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Looks up a result and replaces the trial number in its rows by `trial`.
  std::optional<TrialResult> find(const Json& key, std::size_t trial);
  /// Stores a result.  Errors  std::system_error
  void add(const Json& key, std::size_t trial, const TrialResult& result) const;

  /// Adds hits and damaged entries that other processes of the run counted.
  void count(std::size_t hits, std::size_t damaged);

  bool used() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::size_t hits() const { return hits_; }
  std::size_t damaged() const { return damaged_; }
  /// Line about hits and damaged entries; empty if the cache is disabled.
  std::string summary() const;

 private:
  std::filesystem::path place(const Json& key) const;

  std::filesystem::path folder_;
  std::atomic<std::size_t> hits_ = 0, damaged_ = 0;
};

/// Files that the spec reads, as a list of {"name": as in the spec, "path": absolute}.
Json located_inputs(const Spec& spec);

/// Folders in which resolve_spec() finds located inputs: each absolute path without the name that the spec gives.
/// Errors  Json::exception for a malformed list
std::vector<std::filesystem::path> folders_of_inputs(const Json& located);

/// Trials to run, and their limits. The referenced objects must outlive the job.
struct TrialJob {
  const Spec& spec;
  const Json& manifest;  // manifest of this spec, its inputs and this build
  const Trials& trials;
  TrialCache& cache;
  std::filesystem::path out = {};                         // folder of the run
  unsigned jobs = 1;                                      // concurrent trials in each process
  std::size_t trial_bytes = core::WorkLimits::unlimited;  // limit of bytes that a trial may reserve
};

/// Runs one trial on this thread, or takes its result from the cache.
/// Errors  those of Trials::run; WorkStopped; std::system_error
TrialResult carry_out(const TrialJob& job, std::size_t trial);

/// Workers of one job. The destructor ends the job and stops the workers.
class TrialShift {
 public:
  virtual ~TrialShift() = default;
  /// Runs prepared trials in any order. Calls `done` after each trial, never concurrently.
  /// Errors  the first error of a trial; remaining trials are not started, and running ones may be lost
  virtual void carry_out(const std::vector<std::size_t>& trials,
                         const std::function<void(std::size_t trial, const TrialResult&)>& done) = 0;
  /// Members that describe the workers, for the record of the run in timings.jsonl.
  virtual Json description() const { return Json::object(); }
};

struct CellJob;

/// Pool of workers that executes jobs.
class TrialCrew {
 public:
  virtual ~TrialCrew() = default;
  /// Starts a job of whole cells of a sweep. Trial i is cell i, which runs in one process; its result has one row, the
  /// CellReport. `sweep` is a file that all processes must see. Returns null if cells must run one after the other.
  virtual std::unique_ptr<TrialShift> begin_cells(const std::vector<CellJob>& /*cells*/,
                                                  const std::filesystem::path& /*sweep*/) {
    return nullptr;
  }
  /// Starts a job. Called before the trials are prepared, so that other processes can prepare trials at the same time.
  virtual std::unique_ptr<TrialShift> begin(const TrialJob& job) = 0;
};

/// Runs trials on threads of this process; the job gives their number.
class ThreadCrew final : public TrialCrew {
 public:
  std::unique_ptr<TrialShift> begin(const TrialJob& job) override;
};

}  // namespace engram::experiments
