// SPDX-License-Identifier: MIT
// Questions about imported knowledge, with their proofs: from mined composition rules, and from chains of inheritance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// A question about imported knowledge: whether a fact holds, or which relation its two names have.
struct AskedFact {
  struct Proof {
    std::vector<Claim> claims;
    std::optional<std::size_t> rule;  // index of the rule that joins them
  };

  Claim fact;
  bool holds = false;
  bool asks_relation = false;      // asks for the relation; else whether the fact holds
  std::vector<Proof> proofs = {};  // at least one if the fact holds
};

/// Most proofs stored for a question. Chosen: with more proofs, the particular selection hardly matters.
inline constexpr std::size_t most_proofs = 20;

/// Rule: if `first` leads from x to y and `second` from y to z, then `result` leads from x to z.
/// <(&&,<(*,$1,#1) --> first>,<(*,#1,$2) --> second>) ==> <(*,$1,$2) --> result>>
struct CompositionRule {
  NameId first = 0, second = 0, result = 0;
  std::size_t pairs = 0;    // distinct pairs (x, z), x != z, that satisfy the premises for some y
  std::size_t support = 0;  // pairs that also satisfy the conclusion
};

/// The `most` rules with the highest support / pairs, the standard confidence of rule mining. Ties are broken by higher
/// support, then by names. Ignores claims that are not relations.
/// `least_support`  minimum support of a rule, at least 1
/// Cost     O(relations claims + pairs of claims that share a name) time, O(claims) memory
/// Source   Galarraga, Teflioudi, Hose and Suchanek 2013, "AMIE"
/// Errors   core::WorkStopped
std::vector<CompositionRule> composition_rules(const Knowledge& knowledge, std::size_t most,
                                               std::size_t least_support);

/// Creates at most `most` questions from held-out facts that a rule derives from two claims. No claim relates the two
/// names. Questions alternately ask for the relation and whether it holds. Every question is followed by a false fact
/// with the same subject and relation, if one exists. The object of the false fact is two claims away, and no claim,
/// held-out fact or rule supports it.
/// Proofs   all with one rule, in the order of the rules, at most most_proofs
/// Errors   core::WorkStopped
std::vector<AskedFact> provable_questions(const Knowledge& knowledge,
                                          const std::vector<CompositionRule>& rules, std::size_t most,
                                          std::uint64_t seed);

/// Creates `most` questions that ask whether a name belongs to a class above it. The distance is the fewest claims of
/// inheritance or instance that lead to the class. It is 2, 3, 4, 5 and 6 in turn. Every question is followed by a
/// false question, if one exists. The false question asks about a class that is below the class of the question, and
/// neither above nor below the name. Returns fewer questions if there are not enough.
/// Proofs   all simple paths upwards of at most 6 claims, the shortest first, at most most_proofs
/// Cost     O(claims), and for each question the paths from its name
/// Errors   core::WorkStopped
std::vector<AskedFact> inheritance_questions(const Knowledge& knowledge, std::size_t most,
                                             std::uint64_t seed);

}  // namespace engram::experiments
