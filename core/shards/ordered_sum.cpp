// SPDX-License-Identifier: MIT
#include "core/shards/ordered_sum.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"

namespace engram::core {

OrderedSum::OrderedSum(Peers& peers, std::span<const std::uint64_t> numbers, std::uint64_t all) {
  const std::uint64_t a_block = all / peers.size() + 1;
  std::vector<std::vector<std::uint32_t>> gives(peers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    gives[numbers[i] / a_block].push_back(static_cast<std::uint32_t>(i));
  routes_ = ValueRoutes::giving(peers, gives);

  begin_ = a_block * peers.rank();
  for (const std::uint64_t number : routes_(peers, numbers)) {
    places_.push_back(static_cast<std::uint32_t>(number - begin_));
    size_ = std::max<std::size_t>(size_, places_.back() + 1);
  }
}

double OrderedSum::operator()(Peers& peers, std::span<const double> values) const {
  const std::vector<double> received = routes_(peers, values);
  std::vector<double> block(size_, 0.0);
  for (std::size_t k = 0; k < places_.size(); ++k) block[places_[k]] = received[k];
  return in_turn(peers, SumInOrder(), [&](SumInOrder& sum) { sum.add(begin_, block); }).total();
}

}  // namespace engram::core
