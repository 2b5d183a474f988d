// SPDX-License-Identifier: MIT
// The crew of rank 0: assigns trials to ranks and collects results.
#pragma once

#include "experiments/mpi/ranks.hpp"
#include "experiments/runs/crew.hpp"

namespace engram::experiments::mpi {

/// Crew that runs trials on all ranks, including rank 0. Each rank uses the number of threads that the job requests. A
/// free rank gets the next trial and one in advance, so that no rank waits for messages. Results are the same as
/// without ranks. The run ends with an error if a rank has other inputs, fails in a trial, or is lost.
class RankCrew final : public TrialCrew {
 public:
  /// `ranks` must outlive the crew.
  explicit RankCrew(Ranks& ranks) : ranks_(ranks), unended_(static_cast<std::size_t>(ranks.size())) {}

  std::unique_ptr<TrialShift> begin(const TrialJob& job) override;
  /// Distributes whole cells if there are at least two cells for each rank. This also distributes the work of drawing
  /// conclusions, which is half as much as the work of trials.
  std::unique_ptr<TrialShift> begin_cells(const std::vector<CellJob>& cells,
                                          const std::filesystem::path& sweep) override;
  /// Whether any run has begun.
  bool used() const { return used_; }

 private:
  Ranks& ranks_;
  std::vector<unsigned> unended_;  // number of ended jobs for which a rank may still send messages, by rank
  bool used_ = false;
};

}  // namespace engram::experiments::mpi
