// SPDX-License-Identifier: MIT
#include "core/shards/value_routes.hpp"

namespace engram::core {

ValueRoutes ValueRoutes::giving(Peers& peers, const std::vector<std::vector<std::uint32_t>>& gives) {
  ValueRoutes routes;
  for (const auto& to_one : gives) {
    routes.items_.insert(routes.items_.end(), to_one.begin(), to_one.end());
    routes.sizes_out_.push_back(to_one.size());
  }
  std::vector<std::vector<std::size_t>> sizes;
  for (const std::size_t n : routes.sizes_out_) sizes.push_back({n});
  routes.sizes_in_ = exchange_lists(peers, sizes).items;
  routes.received_ = std::accumulate(routes.sizes_in_.begin(), routes.sizes_in_.end(), std::size_t{0});
  return routes;
}

ValueRoutes ValueRoutes::asking(Peers& peers, const std::vector<std::vector<std::uint32_t>>& asks) {
  ValueRoutes routes;
  const auto asked = exchange_lists(peers, asks);
  routes.items_ = asked.items;
  for (std::size_t r = 0; r < peers.size(); ++r) {
    routes.sizes_out_.push_back(asked.of(r).size());
    routes.sizes_in_.push_back(asks[r].size());
    routes.received_ += asks[r].size();
  }
  return routes;
}

}  // namespace engram::core
