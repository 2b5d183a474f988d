// SPDX-License-Identifier: MIT
// Terminal of a run: exit codes, Ctrl-C, and the progress display.
#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

#include "core/numbers/work_budget.hpp"

namespace engram::experiments {

/// Exit code of the program.
///   0    success
///   1    errors in the input, each reported with its place; the rest was processed
///   2    wrong usage or spec
///   3    an external failure, such as the disk
///   130  interrupted; a run can be resumed
enum ExitCode { done = 0, input_errors = 1, wrong_usage = 2, outside_failure = 3, interrupted = 130 };

/// RAII handler of Ctrl-C and SIGTERM. A signal cancels the work of this thread, and of threads that share its budget,
/// with core::WorkStopped. One second later, or at a second signal, the process exits with code `interrupted`; runs
/// remain intact. At most one object may exist.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  core::WorkBudget work_;
};

/// Progress display: a bar with the remaining time on a terminal, otherwise a line every ten seconds.
/// `out`       stream for lines; null: no progress is shown
/// `terminal`  stream for the bar, which uses control sequences; null: `out` is not a terminal
class Progress {
 public:
  Progress(std::ostream* out, std::ostream* terminal, std::string what, std::size_t total, std::size_t done,
           std::string units = "trials");
  void advance(std::size_t units = 1);
  void finish();

 private:
  void show();

  std::ostream *out_, *terminal_;
  std::string what_, units_;
  std::size_t total_, done_, first_;
  std::chrono::steady_clock::time_point start_, shown_;
};

}  // namespace engram::experiments
