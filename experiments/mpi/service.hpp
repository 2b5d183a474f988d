// SPDX-License-Identifier: MIT
// Main loop of ranks other than 0: waits for jobs and executes them.
#pragma once

#include <optional>

#include "experiments/formats/files.hpp"
#include "experiments/mpi/ranks.hpp"

namespace engram::experiments::mpi {

/// Thrown to end this rank during a job: it was released, got a signal, or lost rank 0.
struct Released {};

/// Serves rank 0 until it releases this rank.
class Service {
 public:
  explicit Service(Ranks& ranks);

  /// Executes jobs until the end. Returns the exit code.
  int serve();

  Ranks& ranks() { return ranks_; }
  /// Waits for the next message.  Errors  Released
  Message next();

 private:
  void carry_out(const Json& order);
  void tell_how_to_go_on();

  Ranks& ranks_;
  std::string folder_;  // folder of the latest run
  bool rank_0_is_lost_ = false;
};

/// Executes a job of one kind, from the order to MessageKind::end. All exceptions except Released are sent to rank 0 as
/// failures of the job.
using JobServer = void (*)(Service& service, const Json& order);

/// Executes trials of a run (trial_order.hpp).
void serve_trials(Service& service, const Json& order);
/// Executes whole cells of a sweep (cell_order.hpp).
void serve_cells(Service& service, const Json& order);

}  // namespace engram::experiments::mpi
