// SPDX-License-Identifier: MIT
#include "bridge/transport/pending_connections.hpp"

#include <algorithm>
#include <utility>

namespace engram::bridge {

void PendingConnections::come(Client* who, std::string address, Time now) {
  here_.push_back({who, std::move(address), now});
}

void PendingConnections::go(const Client* who) {
  here_.remove_if([who](const Stranger& stranger) { return stranger.who == who; });
}

std::optional<PendingConnections::Next> PendingConnections::next_to_go() const {
  if (here_.size() < places_) return std::nullopt;
  const auto held_by_its_address = [this](const Stranger& one) {
    return std::ranges::count(here_, one.address, &Stranger::address);
  };
  const auto first = std::ranges::max_element(here_, {}, held_by_its_address);  // among equals the oldest
  return Next{first->who, first->since + least_stay_};
}

}  // namespace engram::bridge
