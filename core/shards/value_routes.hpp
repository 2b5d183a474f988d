// SPDX-License-Identifier: MIT
// Numbers that peers need of each other, again and again of the same items.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/shards/peers.hpp"

namespace engram::core {

/// Which of this peer's items each other one is told of, and how many it is told of by each.
class ValueRoutes {
 public:
  ValueRoutes() = default;
  /// gives[r]: the items that peer r is told of, in this order.
  static ValueRoutes giving(Peers& peers, const std::vector<std::vector<std::uint32_t>>& gives);
  /// asks[r]: the items of peer r that this one is told of.
  static ValueRoutes asking(Peers& peers, const std::vector<std::vector<std::uint32_t>>& asks);

  /// How many are received.
  std::size_t received() const { return received_; }
  /// From whom: those of peer r come before those of r + 1.
  std::span<const std::size_t> sizes_in() const { return sizes_in_; }
  /// The items that a peer is told of.
  std::span<const std::uint32_t> given_to(std::size_t peer) const {
    const auto before = sizes_out_.begin() + static_cast<std::ptrdiff_t>(peer);
    return std::span(items_).subspan(std::accumulate(sizes_out_.begin(), before, std::size_t{0}),
                                     sizes_out_[peer]);
  }
  /// The values of this peer's items as all need them.
  /// Cost  8 bytes an item and peer; one message to each peer
  template <class T>
  std::vector<T> operator()(Peers& peers, std::span<const T> mine) const {
    std::vector<T> out, in(received_);
    out.reserve(items_.size());
    for (const std::uint32_t item : items_) out.push_back(mine[item]);
    std::vector<std::size_t> bytes_out, bytes_in;
    for (const std::size_t n : sizes_out_) bytes_out.push_back(n * sizeof(T));
    for (const std::size_t n : sizes_in_) bytes_in.push_back(n * sizeof(T));
    peers.all_to_all(std::as_bytes(std::span(out)).data(), bytes_out,
                     std::as_writable_bytes(std::span(in)).data(), bytes_in);
    return in;
  }

 private:
  std::vector<std::uint32_t> items_;  // peer by peer
  std::vector<std::size_t> sizes_out_, sizes_in_;
  std::size_t received_ = 0;
};

}  // namespace engram::core
