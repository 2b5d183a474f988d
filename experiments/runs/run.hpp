// SPDX-License-Identifier: MIT
// Carries out an experiment: trials side by side, results in their order, everything in one folder.
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
  bool resume = false;               // go on with the unfinished run that the folder holds
  bool force = false;                // replace the run that the folder holds
  std::ostream* talk = nullptr;      // progress, for people
  std::ostream* terminal = nullptr;  // shows a bar in place of lines in `talk`
  std::size_t trial_bytes = core::WorkLimits::unlimited;  // that a trial may claim
  std::filesystem::path cache{};  // folder of results of earlier runs; empty: none are used
  TrialCrew* crew = nullptr;      // who carries out the trials; nullptr: threads of this process
};

/// The run was cancelled (core/numbers/work_budget.hpp). Running trials are lost, but the run's folder is intact, so `resume`
/// continues with the missing trials.
struct Interrupted : std::runtime_error {
  Interrupted(std::size_t finished, std::size_t all, const char* of = "trials");
};

struct RunReport {
  Rejections
      rejections;      // lines of the inputs that were not taken in; of a rebuilt report none, see `unread`
  UnreadLines unread;  // the same as manifest and report tell them
  Conclusion conclusion;
  std::vector<std::string> undrawn;  // pictures, and why
};

/// Runs all trials and writes the folder: spec.json, manifest.json, results.jsonl, timings.jsonl,
/// summary.json, tables/, plots/, report.html, ro-crate-metadata.json, SHA256SUMS. All but timings.jsonl are
/// the same bytes for the same spec, inputs and build, whatever the number of jobs. Until the end, trials
/// stand in a journal (journal.hpp): a run may be killed at any moment, and with `resume` trials that were
/// done are not done again. Without `force` no run is replaced: a finished run of the same spec, inputs and
/// build keeps its rows, and its tables, plots and pages are made again from them.
/// Errors   SpecError, also if the folder holds other files than a run's, a run of another spec, input or
///          build, an unfinished run without `resume`, or one that another process is at; InputError;
///          Interrupted; std::system_error for the disk
RunReport run(const Spec& spec, const RunOptions& options);

/// The conclusion from rows that may be anybody's.  Errors  SpecError if they are no rows of such a spec
Conclusion conclude_foreign(const Spec& spec, const std::vector<Json>& rows,
                            const std::filesystem::path& file);

/// What a finished run concludes, from its rows; nothing is written. The run may be anybody's.
/// Errors  SpecError if the folder holds no complete run, rows that are none of such a spec's, or more than
///         files and folders; std::system_error
Conclusion conclusion_of_run(const std::filesystem::path& folder);

/// Draws the conclusion of a finished run again and rewrites what is made from it. The run may be anybody's.
/// Errors  those of conclusion_of_run()
RunReport rebuild_report(const std::filesystem::path& folder);

}  // namespace engram::experiments
