// SPDX-License-Identifier: MIT
// Attention in a loop: what is inferred is said to a memory, and a method is asked again what deserves budget.
#pragma once

#include "experiments/flood/asking.hpp"
#include "experiments/flood/flood.hpp"

namespace engram::experiments {

/// Asks a question of a reasoner whose control is by worth. It begins with the shares in `told`, which are the method's
/// for `cue`. After each `refresh` steps a copy of the set's memory is told what was inferred since, as far as it is strong
/// (KnownSentence): as episodes, from which it learns links. Then the method is asked again, and with s a
/// sentence's share of the largest
///   worth <- (worth + s) / 2
/// for all that the memory has: the budget before is the prior. So both what was inferred and what it has joined change
/// what is thought of next.
FloodAnswer ask_again(const FloodAsking& asking, const AskedQuestion& question, const FloodTold& told,
                      const core::Cue& cue, const MethodChoice& method, std::size_t refresh,
                      const std::vector<narsese::TruthValue>& exact, bool shows);

}  // namespace engram::experiments
