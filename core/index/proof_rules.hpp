// SPDX-License-Identifier: MIT
// Rules split into premises and a conclusion, and an index that finds the rules of a memory which can conclude a given
// statement.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/memory.hpp"

namespace engram::core {

/// Rule split into premises and a conclusion. <(a && b) ==> c> and <a ==> <b ==> c>> both have the premises a and b,
/// and the conclusion c.
struct RulePattern {
  std::uint32_t statement = 0;
  std::vector<narsese::Term> premises;  // 1 to 8; each part of a conjunction or sequence is one premise
  narsese::Term conclusion;
};

/// Appends to `rules` the rules that a statement's term states: one for an implication, one in each direction for an
/// equivalence, none for any other term. Rules with more than eight premises are left out. `statement` is the number
/// stored in the rules.
void add_rule_patterns(std::uint32_t statement, narsese::Term term, std::vector<RulePattern>& rules);

/// Removes negations: returns a and true for (--, a), a and false for a. Double negations cancel.
std::pair<narsese::Term, bool> without_negation(narsese::Term term);

/// Index of rules (implications and equivalences with variables) by the predicate of their conclusion. Use it for
/// backward chaining. A rule without variables is not indexed, because it is found like any other statement.
class ProofRules {
 public:
  /// Adds the rules that are new since the last call; `rules` lists all rules of the memory, ascending. A rule that has
  /// lost its evidence stays in the index: check its evidence before using it.
  /// Errors  WorkStopped
  /// Cost    O(size of the new rules)
  void catch_up(const Memory& memory, std::span<const StatementId> rules);

  const RulePattern& operator[](std::uint32_t rule) const { return rules_[rule]; }
  std::size_t size() const { return rules_.size(); }
  /// Calls visit(number) for each rule that may conclude a statement with this predicate; operator[] gives the rule
  /// with a number. Without a predicate, visits all rules.
  template <class Visit>
  void concluding(narsese::Term predicate, const Visit& visit) const {
    if (!predicate) {
      for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) visit(rule);
      return;
    }
    if (const auto found = by_predicate_.find(predicate); found != by_predicate_.end())
      for (const std::uint32_t rule : found->second) visit(rule);
    for (const std::uint32_t rule : of_any_predicate_) visit(rule);
  }
  /// Estimate of the memory of the index in bytes.
  std::size_t bytes() const { return bytes_; }

 private:
  void index(std::uint32_t rule);

  std::size_t known_ = 0, bytes_ = 0;  // known: the number of the memory's rules that are indexed
  std::vector<RulePattern> rules_;
  // The order of iteration is never used.
  std::unordered_map<narsese::Term, std::vector<std::uint32_t>, narsese::HashOfTerm> by_predicate_;
  std::vector<std::uint32_t> of_any_predicate_;
};

}  // namespace engram::core
