// SPDX-License-Identifier: MIT
// All retrieval methods: what specs, the command line and the protocol offer.
#pragma once

#include <deque>
#include <string_view>

#include "core/methods/method.hpp"

namespace engram::core {

/// In the order in which tables show them: those of this library, then those that were added.
const std::deque<Method>& methods();
/// Nothing for a name that no method has.
const Method* find_method(std::string_view name);

/// What chooses statements for a reasoner where nobody says what does: of the allocators the one that gives most
/// whole proofs on WordNet and real kinship (experiment `answering`, tuned).
inline constexpr const char* default_allocator = "bidirectional_spreading";

/// Adds a method of a program's own; from then on it is one like the others. Before anything else is done
/// with methods by other threads.
/// Errors   std::invalid_argument for a name that is taken
const Method& add_method(Method method);

}  // namespace engram::core
