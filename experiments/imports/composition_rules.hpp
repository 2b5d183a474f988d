// SPDX-License-Identifier: MIT
// Mining of composition rules in a table of facts, and questions that these rules answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/imports/asked_fact.hpp"

namespace engram::experiments {

/// Rule: if `first` leads from x to y and `second` from y to z, then `result` leads from x to z.
/// <(&&,<(*,$1,#1) --> first>,<(*,#1,$2) --> second>) ==> <(*,$1,$2) --> result>>
struct CompositionRule {
  NameId first = 0, second = 0, result = 0;
  std::size_t pairs = 0;    // distinct pairs (x, z), x != z, that satisfy the premises for some y
  std::size_t support = 0;  // pairs that also satisfy the conclusion
};

/// The `most` rules with the highest support / pairs, the standard confidence of rule mining. Ties are broken by higher
/// support, then by names. Ignores claims that are not relations.
/// `least_support`  for each rule, at least 1
/// Cost     O(relations claims + pairs of claims that share a name) time, O(claims) memory
/// Source   Galarraga, Teflioudi, Hose and Suchanek 2013, "AMIE"
/// Errors   core::WorkStopped
std::vector<CompositionRule> composition_rules(const Knowledge& knowledge, std::size_t most,
                                               std::size_t least_support);

/// Creates at most `most` questions from held-out facts that a rule derives from two claims. No claim relates the two
/// names. Questions alternately ask for the relation and whether it holds. Each is followed by a false fact with the
/// same subject and relation, if there is one. The object of the false fact is two claims away, and no claim, held-out
/// fact or rule supports it.
/// Proofs   all with one rule, in the order of the rules, at most most_proofs
/// Errors   core::WorkStopped
std::vector<AskedFact> provable_questions(const Knowledge& knowledge,
                                          const std::vector<CompositionRule>& rules, std::size_t most,
                                          std::uint64_t seed);

}  // namespace engram::experiments
