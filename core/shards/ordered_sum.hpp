// SPDX-License-Identifier: MIT
// Sums over what is spread over peers, in the order of one process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/shards/peers.hpp"
#include "core/shards/value_routes.hpp"

namespace engram::core {

/// Of numbered values that are spread over peers the sum that core/numbers/numeric.hpp has of all of them in their
/// order, to the last bit, however many peers there are. Each peer adds up a block of the numbers: values go to the
/// peer of their block, and the sixteen lanes of the sum from one block to the next.
class OrderedSum {
 public:
  OrderedSum() = default;
  /// `numbers`  of this peer's values, ascending, each below `all`; those that no peer has are 0
  OrderedSum(Peers& peers, std::span<const std::uint64_t> numbers, std::uint64_t all);
  /// The same sum at all peers.  Shapes  values (numbers)
  /// Cost  8 bytes a value, one message to each peer; then, in turn, the additions of a block and 128 bytes to the next
  double operator()(Peers& peers, std::span<const double> values) const;

 private:
  ValueRoutes routes_;                 // to the peers of the blocks
  std::uint64_t begin_ = 0;            // of this peer's block
  std::size_t size_ = 0;               // up to the last number in it that any peer has
  std::vector<std::uint32_t> places_;  // of what is received, in the block
};

}  // namespace engram::core
