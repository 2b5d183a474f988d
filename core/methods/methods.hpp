// SPDX-License-Identifier: MIT
// All retrieval methods: what specs, the command line and the protocol offer.
#pragma once

#include <deque>
#include <string_view>

#include "core/methods/method.hpp"

namespace engram::core {

/// What chooses statements for a reasoner, and recalls, where nobody names a method.
/// Source   experiment `answering`: of the allocators it gives most whole proofs on WordNet and real kinship
inline constexpr std::string_view default_method = "proof_attention";

/// In the order in which tables show them: those of this library, then those that were added.
const std::deque<Method>& methods();
/// Null for a name that no method has. `path_attention`, the name in earlier versions, finds proof_attention.
const Method* find_method(std::string_view name);

/// Adds a method of a program's own; from then on it is one like the others. Before anything else is done
/// with methods by other threads.
/// Errors   std::invalid_argument for a name that is taken
const Method& add_method(Method method);

}  // namespace engram::core
