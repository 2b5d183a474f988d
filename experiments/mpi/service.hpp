// SPDX-License-Identifier: MIT
// Main loop of ranks other than 0: waits for jobs and executes them.
#pragma once

#include <optional>

#include "experiments/formats/files.hpp"
#include "experiments/mpi/ranks.hpp"

namespace engram::experiments::mpi {

/// Exception that ends this rank during a job, after a release, a signal, or the loss of rank 0.
struct Released {};

/// Serves rank 0 until it releases this rank.
class Service {
 public:
  explicit Service(Ranks& ranks);

  /// Executes jobs until the end. Returns the exit code.
  int serve();

  Ranks& ranks() { return ranks_; }
  /// Waits for the next message, and throws Released when this rank must end.  Errors  Released
  Message next();

 private:
  void execute(const Json& order);
  void print_how_to_resume();

  Ranks& ranks_;
  std::string folder_;  // folder of the latest run
  bool rank_0_is_lost_ = false;
};

/// Executes a job of one kind, from its order to MessageKind::end. Exceptions except Released become failures of the
/// job on rank 0.
using JobServer = void (*)(Service& service, const Json& order);

/// Executes trials of a run.
void serve_trials(Service& service, const Json& order);
/// Executes whole cells of a sweep.
void serve_cells(Service& service, const Json& order);

}  // namespace engram::experiments::mpi
