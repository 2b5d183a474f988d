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

/// Whether mpirun or `srun --mpi=pmix` started this process as a rank. It does not look at the variables of Slurm,
/// because Slurm also sets them for batch scripts.
bool started_by_launcher();

/// The ranks of an MPI program, of which this process is one: start, names, and end.
class Ranks {
 public:
  /// Initialises MPI. Removes the launcher's variables, so that child processes do not act as ranks.
  /// Errors  std::runtime_error if this MPI does not support several threads, or for an invalid setting
  Ranks(int& argc, char**& argv);
  /// Runs only after an error, because leave() ends the process. It waits for other ranks for at most a few seconds.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return world_.rank(); }
  int size() const { return world_.size(); }
  Mailbox& mailbox() { return *mailbox_; }

  /// On rank 0: receives the introduction of each other rank. Call this function first.
  /// Errors  SpecError if a rank has another build or does not answer
  void meet();
  /// On other ranks: sends the introduction.
  void introduce();
  /// A name for messages: "rank 3 (node7, process 4711)".
  std::string name_of(int rank) const;
  /// The error message for a lost rank.
  std::string error_of_lost(int rank) const;

  /// Ends this process with this exit code. Rank 0 first releases the other ranks. Every wait takes at most a few
  /// seconds.
  [[noreturn]] void leave(int code);

 private:
  bool release_others();

  boost::mpi::environment environment_;
  boost::mpi::communicator world_;
  std::chrono::seconds patience_;
  std::vector<std::string> names_;  // indexed by rank
  std::unique_ptr<Mailbox> mailbox_;
};

}  // namespace engram::experiments::mpi
