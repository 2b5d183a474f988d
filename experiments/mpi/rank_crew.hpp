// SPDX-License-Identifier: MIT
// Rank 0's side of the trials: who gets which, and what comes back.
#pragma once

#include "experiments/mpi/ranks.hpp"
#include "experiments/runs/crew.hpp"

namespace engram::experiments::mpi {

/// All ranks carry out trials, rank 0 too, on as many threads each as the job asks for. Whoever is free gets
/// the next one, and another one ahead, so that nobody waits for a message. Results are what they would be
/// without ranks; a rank with another input, one whose trial fails, and one that is lost end the run.
class RankCrew final : public TrialCrew {
 public:
  /// `ranks` outlives it.
  explicit RankCrew(Ranks& ranks) : ranks_(ranks), unended_(static_cast<std::size_t>(ranks.size())) {}

  std::unique_ptr<TrialShift> begin(const TrialJob& job) override;
  /// Where there are at least twice as many cells as ranks: concluding costs as much as half of a run's trials, and is
  /// then spread over ranks as well.
  std::unique_ptr<TrialShift> begin_cells(const std::vector<CellJob>& cells,
                                          const std::filesystem::path& sweep) override;
  /// Whether any run was begun.
  bool used() const { return used_; }

 private:
  Ranks& ranks_;
  std::vector<unsigned> unended_;  // jobs, by rank, of which messages may still come
  bool used_ = false;
};

}  // namespace engram::experiments::mpi
