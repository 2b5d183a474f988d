// SPDX-License-Identifier: MIT
// Hebbian links of names that any peer owns, at all peers.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/shards/sharded_memory.hpp"

namespace engram::core {

/// Rows of links as far as they were fetched.
class FetchedLinks {
 public:
  explicit FetchedLinks(ShardedMemory& memory) : memory_(memory) { memory.lay_links(); }
  /// Brings the links of these names, which all peers ask for alike, where they are not here yet.
  /// Cost  16 bytes a link, from its owner to all
  void fetch(std::vector<std::uint64_t> names);
  /// Those of a name that was fetched, ascending.
  std::span<const ShardedMemory::Link> of(std::uint64_t name) const { return rows_.at(name); }

 private:
  ShardedMemory& memory_;
  std::map<std::uint64_t, std::vector<ShardedMemory::Link>> rows_;
};

}  // namespace engram::core
