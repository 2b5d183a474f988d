// SPDX-License-Identifier: MIT
// A memory whose statements lie on all ranks.
#pragma once

#include "experiments/commands/split_memory.hpp"
#include "experiments/formats/json.hpp"
#include "experiments/mpi/ranks.hpp"

namespace engram::experiments::mpi {

inline constexpr const char* recall_kind = "recall";

/// Rank 0's side: the question goes to all, and all of them work out the answer together.
class RankMemory final : public SplitMemory {
 public:
  /// `ranks` outlives it.
  explicit RankMemory(Ranks& ranks) : ranks_(ranks) {}
  std::size_t processes() const override { return static_cast<std::size_t>(ranks_.size()); }
  SplitAnswer ask(const SplitQuestion& question) override;
  /// Whether anything was asked.
  bool used() const { return used_; }

 private:
  Ranks& ranks_;
  bool used_ = false;
};

/// As the text of a job, and back.  Errors  Json::exception
Json order_of(const SplitQuestion& question);
SplitQuestion question_of(const Json& order);

/// What every rank does: reads its part of the files, and works out its part of the recalls. What a rank alone
/// fails at, such as memory that it has not, ends all of them.
/// Errors  those of SplitMemory::ask, at all ranks
SplitAnswer answer(Ranks& ranks, const SplitQuestion& question);

}  // namespace engram::experiments::mpi
