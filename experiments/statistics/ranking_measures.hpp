// SPDX-License-Identifier: MIT
// What a ranking is worth to one who knows which items are wanted.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::experiments {

/// Measures of one ranking by descending score. Items with equal scores stand in random order: each number is
/// its expectation over all these orders. An item that scores nothing (0 or less) is not ranked at all, as an
/// allocator would leave it out; nor is what is wanted as well and no item at all (`missing`). With w wanted items,
/// missing ones among them:
///   reciprocal_rank()   1 / rank of the first wanted item; 0 where none is ranked
///   recall(k)           share of the wanted items among the k first
///   ndcg(k)             sum of 1 / log2(1 + rank) over the wanted items among the k first, over the same sum
///                       with the wanted items first
/// Shapes   scores (n), wanted (n), counted (n): only items with counted[j] take part
/// Ranges   all within [0, 1]; 0 where nothing is wanted
/// Errors   std::invalid_argument for shapes that differ
/// Cost     O(n w)
/// Source   McSherry & Najork 2008, "Computing Information Retrieval Performance Measures Efficiently in the
///          Presence of Tied Scores"; nDCG of Jarvelin & Kekalainen 2002 with gains of 0 and 1
class RankingMeasures {
 public:
  RankingMeasures(const core::Vector& scores, const std::vector<bool>& wanted,
                  const std::vector<bool>& counted, std::size_t missing = 0);
  /// Every item takes part.
  RankingMeasures(const core::Vector& scores, const std::vector<bool>& wanted, std::size_t missing = 0)
      : RankingMeasures(scores, wanted, std::vector<bool>(wanted.size(), true), missing) {}

  std::size_t wanted() const { return wanted_; }
  double reciprocal_rank() const;
  double recall(std::size_t k) const;
  double ndcg(std::size_t k) const;

 private:
  // Items of one score, some of them wanted.
  struct Group {
    double score = 0;
    std::size_t before = 0, size = 0, wanted = 0;
  };
  std::size_t wanted_ = 0;
  std::vector<Group> groups_;  // best first
};

/// The `most` first of what scores above 0: by descending score, equals in the order in which `order`, a
/// permutation of all, has them.
/// Cost  O(n + k log k), k = most
std::vector<std::uint32_t> first_items(const core::Vector& scores, std::size_t most,
                                       const std::vector<std::uint32_t>& order);

}  // namespace engram::experiments
