// SPDX-License-Identifier: MIT
// The crew of rank 0: assigns trials to ranks and collects results.
#pragma once

#include "experiments/mpi/ranks.hpp"
#include "experiments/runs/crew.hpp"

namespace engram::experiments::mpi {

/// Crew that runs trials on all ranks, rank 0 included, on as many threads of each as the job requests. A free rank
/// gets the next trial and one in advance, so that no rank waits for messages. Results are the same as without ranks.
/// The run ends if a rank has other inputs, fails in a trial, or is lost.
class RankCrew final : public TrialCrew {
 public:
  /// `ranks` must outlive the crew.
  explicit RankCrew(Ranks& ranks) : ranks_(ranks), unended_(static_cast<std::size_t>(ranks.size())) {}

  std::unique_ptr<TrialShift> begin(const TrialJob& job) override;
  /// Distributes whole cells if there are at least twice as many cells as ranks. Conclusions take half as long as
  /// trials, so cells distribute this work, too.
  std::unique_ptr<TrialShift> begin_cells(const std::vector<CellJob>& cells,
                                          const std::filesystem::path& sweep) override;
  /// Whether any run has begun.
  bool used() const { return used_; }

 private:
  Ranks& ranks_;
  std::vector<unsigned> unended_;  // by rank: jobs that may still send messages
  bool used_ = false;
};

}  // namespace engram::experiments::mpi
