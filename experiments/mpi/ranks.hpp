// SPDX-License-Identifier: MIT
// Ranks: this process as one of several that a launcher started.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <memory>
#include <string>
#include <vector>

#include "experiments/mpi/mailbox.hpp"

namespace engram::experiments::mpi {

/// Whether mpirun or `srun --mpi=pmix` started this process as a rank. Slurm's own variables are not sufficient,
/// because batch scripts have them, too.
bool started_by_launcher();

class Ranks {
 public:
  /// Initialises MPI. Removes the launcher's variables, so that child processes do not act as ranks.
  /// Errors  std::runtime_error if this MPI does not support several threads, or for an invalid setting
  Ranks(int& argc, char**& argv);
  /// Runs only after an error and does not wait for other ranks.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return world_.rank(); }
  int size() const { return world_.size(); }
  Mailbox& post() { return *post_; }

  /// On rank 0: receives the introductions of all other ranks. Call this first.
  /// Errors  SpecError if a rank has another build or does not answer
  void meet();
  /// On other ranks: sends the introduction.
  void introduce();
  /// A name for messages: "rank 3 (node7, process 4711)".
  std::string name_of(int rank) const;
  /// The error message for a lost rank.
  std::string silence_of(int rank) const;

  /// Ends this process with this exit code. Rank 0 first releases the others. Each waits at most a few seconds.
  [[noreturn]] void leave(int code);

 private:
  bool all_said_bye();

  boost::mpi::environment environment_;
  boost::mpi::communicator world_;
  std::chrono::seconds patience_;
  std::vector<std::string> names_;  // indexed by rank
  std::unique_ptr<Mailbox> post_;
};

}  // namespace engram::experiments::mpi
