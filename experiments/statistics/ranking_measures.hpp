// SPDX-License-Identifier: MIT
// Quality of a ranking, given the wanted items, and ranks of single items.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::experiments {

/// Measures of a ranking by descending score. Items with equal scores are in random order, and each measure is an
/// expectation over these orders. Items with scores of 0 or less are not ranked, as an allocator would leave them out.
/// Wanted items that do not exist (`missing`) are not ranked, either. With w wanted items, including missing ones:
///   reciprocal_rank()   1 / rank of the first wanted item; 0 if no wanted item is ranked
///   recall(k)           share of the wanted items that are among the first k
///   ndcg(k)             sum of 1 / log2(1 + rank) over the wanted items among the first k, divided by the sum of the
///                       ideal ranking
/// Shapes   scores (n), wanted (n), counted (n); only items with counted[j] take part
/// Ranges   each in [0, 1]; 0 without wanted items
/// Errors   std::invalid_argument for shapes that differ
/// Cost     O(n w)
/// Source   McSherry & Najork 2008, "Computing Information Retrieval Performance Measures Efficiently in the Presence
///          of Tied Scores"; nDCG of Jarvelin & Kekalainen 2002 with gains of 0 and 1
class RankingMeasures {
 public:
  RankingMeasures(const core::Vector& scores, const std::vector<bool>& wanted,
                  const std::vector<bool>& counted, std::size_t missing = 0);
  /// Measures of a ranking in which every item takes part.
  RankingMeasures(const core::Vector& scores, const std::vector<bool>& wanted, std::size_t missing = 0)
      : RankingMeasures(scores, wanted, std::vector<bool>(wanted.size(), true), missing) {}

  std::size_t wanted() const { return wanted_; }
  double reciprocal_rank() const;
  double recall(std::size_t k) const;
  double ndcg(std::size_t k) const;

 private:
  // Items with the same score.
  struct Group {
    double score = 0;
    std::size_t before = 0, size = 0, wanted = 0;
  };
  std::size_t wanted_ = 0;
  std::vector<Group> groups_;  // best first
};

/// The first `most` items with positive scores, by descending score. `order`, a permutation of the items, breaks ties.
/// Cost  O(n + k log k), k = most
std::vector<std::uint32_t> first_items(const core::Vector& scores, std::size_t most,
                                       const std::vector<std::uint32_t>& order);

/// Rank of an item under three policies for ties: first among the tied items, mean of their ranks, or last.
struct TiedRanks {
  double optimistic = 1, average = 1, pessimistic = 1;

  /// Expected 1 / rank, and probability of being among the first k, if tied items are in random order.
  /// Cost  O(tied items); O(1)
  double expected_reciprocal() const;
  double chance_within(double k) const;
};

/// Ranks of item i by descending score; 1 is the best. Only items with counted[j] take part.  Cost  O(n)
TiedRanks tied_ranks(const core::Vector& scores, std::size_t item, const std::vector<bool>& counted);

/// Area under the ROC curve: probability that a random wanted item scores above a random unwanted item, where a tie
/// counts as 1/2. Empty if no item is wanted, or if all are.  Cost  O(n log w), w wanted
std::optional<double> area_under_curve(const core::Vector& scores, const std::vector<bool>& wanted);

}  // namespace engram::experiments
