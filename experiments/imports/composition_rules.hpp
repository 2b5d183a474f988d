// SPDX-License-Identifier: MIT
// Rules of two premises that hold in a table of facts, and questions that they answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/imports/asked_fact.hpp"

namespace engram::experiments {

/// If `first` leads from x to y and `second` from y to z, `result` leads from x to z:
/// <(&&,<(*,$1,#1) --> first>,<(*,#1,$2) --> second>) ==> <(*,$1,$2) --> result>>
struct CompositionRule {
  NameId first = 0, second = 0, result = 0;
  std::size_t pairs = 0;    // x and z, not the same, that the premises hold of for some y
  std::size_t support = 0;  // of these, those that the conclusion holds of as well
};

/// The `most` rules of the greatest support / pairs (the standard confidence of rule mining), of equals those
/// of more support, then by names. Claims that are no relations are passed over.
/// `least_support`  of each rule, at least 1
/// Cost     O(relations claims + pairs of claims that share a name) time, O(claims) memory
/// Source   Galarraga, Teflioudi, Hose and Suchanek 2013, "AMIE"
/// Errors   core::WorkStopped
std::vector<CompositionRule> composition_rules(const Knowledge& knowledge, std::size_t most,
                                               std::size_t least_support);

/// At most `most` facts held out that a rule derives from two claims, of pairs of names of which nothing else
/// is said; in turn one asks for the relation, one whether it holds. After each, where there is one, a fact
/// of the same subject and relation that does not hold: its object is two claims away, neither it nor what
/// would derive it by one rule is claimed or held out.
/// Proofs   all by one rule, by the rules in their order, at most most_proofs
/// Errors   core::WorkStopped
std::vector<AskedFact> provable_questions(const Knowledge& knowledge,
                                          const std::vector<CompositionRule>& rules, std::size_t most,
                                          std::uint64_t seed);

}  // namespace engram::experiments
