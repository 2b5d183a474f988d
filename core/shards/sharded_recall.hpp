// SPDX-License-Identifier: MIT
// Recalls of a sharded memory: the methods that can be split, and what they bring back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/methods/method.hpp"
#include "core/retrieval/retriever.hpp"
#include "core/shards/sharded_memory.hpp"

namespace engram::core {

/// What a cue brings back, the best of each kind first (ties: who was mentioned first), with their scores; the same at
/// all peers.
struct ShardedRecall {
  using Ranked = std::vector<std::pair<std::string, double>>;
  Ranked concepts, statements;
  Recall course;  // energies, iterations, what is certain; without scores
  bool knows_cue = false;
};

/// Names of the methods that can be split.
std::vector<std::string> split_methods();

/// What recalling by the method has in one process, to the last bit.
/// Errors   OptionError where the method, or an option, cannot be split; those of the method
/// Cost     of attention and modern_hopfield a step: 8 bytes for each name that a statement of another peer mentions,
///          8 for each statement that mentions another's name, 8 for a sum, and what the map sends. k_hop and
///          spreading_activation send what a step has reached; hopfield a change: the links of the unit that joins, and
///          40 bytes for each active one
ShardedRecall sharded_recall(ShardedMemory& memory, const Method& method, const Options& given,
                             narsese::Term cue, std::size_t top);

}  // namespace engram::core
