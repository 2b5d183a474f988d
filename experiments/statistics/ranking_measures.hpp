// SPDX-License-Identifier: MIT
// Quality of a ranking, given the wanted items.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::experiments {

/// Measures of a ranking by descending score. Items with equal scores are in random order, and each measure is the
/// expectation over all orders. Items with scores of 0 or less are not ranked, as an allocator would leave them out.
/// Wanted items that do not exist (`missing`) are not ranked, either. With w wanted items, including missing ones:
///   reciprocal_rank()   1 / rank of the first wanted item; 0 if none is ranked
///   recall(k)           share of the wanted items that are among the first k
///   ndcg(k)             sum of 1 / log2(1 + rank) over the wanted items among the first k, divided by the sum of the
///                       ideal ranking
/// Shapes   scores (n), wanted (n), counted (n); only items with counted[j] take part
/// Ranges   all within [0, 1]; 0 if nothing is wanted
/// Errors   std::invalid_argument for shapes that differ
/// Cost     O(n w)
/// Source   McSherry & Najork 2008, "Computing Information Retrieval Performance Measures Efficiently in the Presence
///          of Tied Scores"; nDCG of Jarvelin & Kekalainen 2002 with gains of 0 and 1
class RankingMeasures {
 public:
  RankingMeasures(const core::Vector& scores, const std::vector<bool>& wanted,
                  const std::vector<bool>& counted, std::size_t missing = 0);
  /// As above; every item takes part.
  RankingMeasures(const core::Vector& scores, const std::vector<bool>& wanted, std::size_t missing = 0)
      : RankingMeasures(scores, wanted, std::vector<bool>(wanted.size(), true), missing) {}

  std::size_t wanted() const { return wanted_; }
  double reciprocal_rank() const;
  double recall(std::size_t k) const;
  double ndcg(std::size_t k) const;

 private:
  // Items with one score.
  struct Group {
    double score = 0;
    std::size_t before = 0, size = 0, wanted = 0;
  };
  std::size_t wanted_ = 0;
  std::vector<Group> groups_;  // best first
};

/// The first `most` items with positive scores, by descending score. Ties are in the order of `order`, a permutation of
/// all items.
/// Cost  O(n + k log k), k = most
std::vector<std::uint32_t> first_items(const core::Vector& scores, std::size_t most,
                                       const std::vector<std::uint32_t>& order);

}  // namespace engram::experiments
