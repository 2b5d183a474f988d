// SPDX-License-Identifier: MIT
// What every rank but rank 0 does: it waits for jobs, and carries them out.
#pragma once

#include <optional>

#include "experiments/formats/json.hpp"
#include "experiments/mpi/ranks.hpp"

namespace engram::experiments::mpi {

/// Thrown out of a job where this rank is to end: it was released, told to stop by a signal, or rank 0 is lost.
struct Released {};

/// A rank that serves rank 0, until it is released.
class Service {
 public:
  explicit Service(Ranks& ranks);

  /// Carries out jobs until the end. Returns the exit code.
  int serve();

  Ranks& ranks() { return ranks_; }
  /// The next message to this rank.  Errors  Released
  Message next();

 private:
  void carry_out(const Json& order);
  void tell_how_to_go_on();

  Ranks& ranks_;
  std::string folder_;  // of the run that was last at work
  bool rank_0_is_lost_ = false;
};

/// How jobs of one kind are carried out, from the order to MessageKind::end. What it throws but Released is told to
/// rank 0 as the job's failure.
using JobServer = void (*)(Service& service, const Json& order);

/// A run's trials (trial_order.hpp).
void serve_trials(Service& service, const Json& order);
/// Whole cells of a sweep (cell_order.hpp).
void serve_cells(Service& service, const Json& order);

}  // namespace engram::experiments::mpi
