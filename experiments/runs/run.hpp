// SPDX-License-Identifier: MIT
// Runs an experiment: trials in parallel, results in order, all output in one folder.
#pragma once

#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "experiments/pages/unread_lines.hpp"
#include "experiments/runs/crew.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments {

struct RunOptions {
  std::filesystem::path out;
  unsigned jobs = 1;
  bool resume = false;                                    // resume the unfinished run in the folder
  bool force = false;                                     // replace the run in the folder
  std::ostream* talk = nullptr;                           // stream for progress messages
  std::ostream* terminal = nullptr;                       // shows a bar in place of lines in `talk`
  std::size_t trial_bytes = core::WorkLimits::unlimited;  // most bytes that a trial may reserve
  std::filesystem::path cache{};                          // cache of earlier results; empty: none
  TrialCrew* crew = nullptr;                              // workers; null: threads of this process
};

/// The run was cancelled (core/numbers/work_budget.hpp). Running trials are lost, but the folder is intact. Use
/// `resume` to run the missing trials.
struct Interrupted : std::runtime_error {
  Interrupted(std::size_t finished, std::size_t all, const char* of = "trials");
};

struct RunReport {
  Rejections rejections;  // rejected lines of the inputs; empty for a rebuilt report, see `unread`
  UnreadLines unread;     // the same, as shown in manifest and report
  Conclusion conclusion;
  std::vector<std::string> undrawn;  // pictures that were not drawn, with reasons
};

/// Runs all trials and writes the folder: spec.json, manifest.json, results.jsonl, timings.jsonl, summary.json,
/// tables/, plots/, report.html, ro-crate-metadata.json, SHA256SUMS. All but timings.jsonl are identical for the same
/// spec, inputs and build, for any number of jobs.
///
/// Finished trials are in a journal (journal.hpp) until the end. A run may be killed at any moment; `resume` continues
/// without repeating finished trials. A finished run of the same spec, inputs and build keeps its rows, and its tables,
/// plots and pages are made again. Other runs are replaced only with `force`.
/// Errors   SpecError, also if the folder has other files, a run of another spec, input or build, an unfinished run
///          without `resume`, or a run that another process works on; InputError; Interrupted; std::system_error for
///          the disk
RunReport run(const Spec& spec, const RunOptions& options);

/// Conclusion from untrusted rows.  Errors  SpecError if they do not fit the spec
Conclusion conclude_foreign(const Spec& spec, const std::vector<Json>& rows,
                            const std::filesystem::path& file);

/// Conclusion of a finished run from anybody, from its rows; writes nothing.
/// Errors  SpecError if the folder has no complete run, rows that do not fit the spec, or anything but regular files
///         and folders; std::system_error
Conclusion conclusion_of_run(const std::filesystem::path& folder);

/// Rebuilds the conclusion of a finished run from anybody, and rewrites the files derived from it.
/// Errors  as conclusion_of_run()
RunReport rebuild_report(const std::filesystem::path& folder);

}  // namespace engram::experiments
