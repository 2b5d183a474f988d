// SPDX-License-Identifier: MIT
// Runs an experiment: trials in parallel, results in order, all output in one folder. Also plans of runs, and cells of
// sweeps.
#pragma once

#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "experiments/pages/report.hpp"
#include "experiments/runs/crew.hpp"

namespace engram::experiments {

/// RAII lock that keeps other processes out of a folder. The kernel releases the lock when a process is killed. Does
/// nothing on file systems without locks.
class FolderLock {
 public:
  /// Errors  SpecError if another process holds it; std::system_error if the folder cannot be opened
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// Options of run().
struct RunOptions {
  std::filesystem::path out;
  unsigned jobs = 1;
  bool resume = false;               // resume the unfinished run in the folder
  bool force = false;                // replace the run in the folder
  std::ostream* talk = nullptr;      // stream for progress messages; null: none
  std::ostream* terminal = nullptr;  // stream for a progress bar, which replaces lines in `talk`
  std::size_t trial_bytes = core::WorkLimits::unlimited;  // limit of bytes that a trial may reserve
  std::filesystem::path cache{};                          // cache of earlier results; empty: none
  TrialCrew* crew = nullptr;                              // workers; null: threads of this process
};

/// Error for a cancelled run (core/numbers/work_budget.hpp). The folder stays intact, but running trials are lost. Use
/// `resume` to run the missing trials.
struct Interrupted : std::runtime_error {
  Interrupted(std::size_t finished, std::size_t all, const char* of = "trials");
};

/// Outcome of a run.
struct RunReport {
  Rejections rejections;  // rejected lines of the inputs; empty for a rebuilt report, see `unread`
  UnreadLines unread;     // rejected lines as shown in manifest and report
  Conclusion conclusion;
  std::vector<std::string> undrawn;  // pictures that were not drawn, with reasons
};

/// Runs all trials and writes the folder: spec.json, manifest.json, results.jsonl, timings.jsonl, summary.json,
/// tables/, plots/, report.html, ro-crate-metadata.json, SHA256SUMS. All but timings.jsonl are identical for the same
/// spec, inputs and build, for any number of jobs.
///
/// Finished trials are in a journal (journal.hpp) until the end. A run may be killed at any moment; `resume` continues
/// without repeating finished trials. A finished run of the same spec, inputs and build keeps its rows, and this
/// function only writes its tables, plots and pages again. Other runs are replaced only with `force`.
/// Errors   SpecError, also if the folder has other files, a run of another spec, input or build, an unfinished run
///          without `resume`, or a run that another process works on; InputError; Interrupted; std::system_error for
///          the disk
RunReport run(const Spec& spec, const RunOptions& options);

/// Conclusion from untrusted rows of a file.  Errors  SpecError if the rows do not fit the spec
Conclusion conclude_foreign(const Spec& spec, const std::vector<Json>& rows,
                            const std::filesystem::path& file);

/// Conclusion of a finished, untrusted run. Writes nothing.
/// Errors  SpecError if the folder has no complete run, if rows do not fit the spec, or if an entry is not a regular
///         file or folder; std::system_error
Conclusion conclusion_of_run(const std::filesystem::path& folder);

/// Concludes a finished, untrusted run again, and rewrites the derived files.  Errors  those of conclusion_of_run()
RunReport rebuild_report(const std::filesystem::path& folder);

/// Cell of a sweep: a run in a folder of its own.
struct CellJob {
  const Spec& spec;
  RunOptions options;  // `out` is the folder of the cell
};

/// The part of the outcome of a cell that the sweep needs.
struct CellReport {
  Rejections rejections;
  std::vector<std::string> undrawn;
  std::string question, answer;
  Table table;  // first table of the conclusion; empty if there is none
};

/// Runs a cell.  Errors  those of run()
CellReport carry_out(const CellJob& cell);

/// JSON for sending a report between processes.  Errors  Json::exception
Json to_json(const CellReport& report);
CellReport cell_report_of(const Json& json);

/// Measured cost of a spec: the duration of the first trial, and if it took less than a second, also of the middle and
/// the last trial.
struct MeasuredCost {
  std::size_t trials = 0;    // trials of the experiment
  std::size_t measured = 0;  // trials measured
  double seconds = 0;        // mean duration of a trial
};
/// Measures the cost of a spec. Writes nothing.  Errors  those of run()
MeasuredCost measure_cost(const Spec& spec);

/// Estimated duration of `runs` runs with `jobs` concurrent trials: "about 40 s", "about 3 min".
std::string estimate(const MeasuredCost& cost, std::size_t runs, unsigned jobs);

/// Plan of a run for the user: inputs with their locations, and output files in `out`.
std::string plan_text(const Spec& spec, const std::filesystem::path& out);

}  // namespace engram::experiments
