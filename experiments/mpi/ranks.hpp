// SPDX-License-Identifier: MIT
// This process as one of several that a launcher started.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <memory>
#include <string>
#include <vector>

#include "experiments/mpi/mailbox.hpp"

namespace engram::experiments::mpi {

/// Whether mpirun or `srun --mpi=pmix` started this process as a rank. Slurm's own variables alone say nothing:
/// a batch script has them, too.
bool started_by_launcher();

class Ranks {
 public:
  /// Initialises MPI, and from here on is no rank for what this process starts: a child may be anything.
  /// Errors  std::runtime_error if this MPI cannot be used by several threads, or for a setting that is none
  Ranks(int& argc, char**& argv);
  /// Reached on the way out of an error alone: others are not waited for.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return world_.rank(); }
  int size() const { return world_.size(); }
  Mailbox& post() { return *post_; }

  /// Rank 0, before all else: hears from each other rank what it is.
  /// Errors  SpecError if one is another build, or says nothing
  void meet();
  /// The others: say it.
  void introduce();
  /// "rank 3 (node7, process 4711)"
  std::string name_of(int rank) const;
  /// What is told of a rank that is lost.
  std::string silence_of(int rank) const;

  /// Ends this process with this code. Rank 0 releases the others first; each waits a few seconds at most.
  [[noreturn]] void leave(int code);

 private:
  bool all_said_bye();

  boost::mpi::environment environment_;
  boost::mpi::communicator world_;
  std::chrono::seconds patience_;
  std::vector<std::string> names_;  // by rank
  std::unique_ptr<Mailbox> post_;
};

}  // namespace engram::experiments::mpi
