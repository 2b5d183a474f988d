// SPDX-License-Identifier: MIT
// Methods as the peers of a sharded memory carry them out. For the files of this folder alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/methods/method.hpp"
#include "core/numbers/names.hpp"
#include "core/retrieval/retriever.hpp"
#include "core/shards/sharded_memory.hpp"

namespace engram::core {

/// Numbers of what this peer owns.
using OwnValues = std::vector<double>;

/// A question to a method, at one of the peers.
struct Split {
  ShardedMemory& memory;
  const Options& options;            // complete
  OwnValues cue;                     // activation of own names
  std::vector<std::uint32_t> names;  // own, that the cue names

  /// Of an option that is a number.
  double number(const char* name) const { return std::get<double>(options.at(name)); }
  /// Of one that is a name.
  const std::string& choice(const char* name) const { return std::get<std::string>(options.at(name)); }
};

/// Which of the two a method ranks; the others follow from these (from_statements and from_concepts of
/// core/retrieval/retriever.hpp).
struct SplitScores {
  OwnValues statements;
  std::optional<OwnValues> concepts;  // of methods that rank these: then there are none of statements
  Recall course;
};

/// Those of an activation of own names, against the keys (Readings::query).
OwnValues query_of(const ShardedMemory& memory, OwnValues activation);

/// A value of an option that only one process can have.
/// Errors  OptionError unless the option has `value`
void require_choice(const Split& split, const char* option, const char* value);

/// The methods of these names (core/methods/), each to the last bit.
SplitScores split_attention(const Split& split);
/// As above.
SplitScores split_modern_hopfield(const Split& split);
/// As above.
SplitScores split_hopfield(const Split& split);
/// As above.
SplitScores split_k_hop(const Split& split);
/// As above.
SplitScores split_spreading_activation(const Split& split);

}  // namespace engram::core
