// SPDX-License-Identifier: MIT
// Rules as premises and a conclusion, and the index of a memory's rules by the predicate of their conclusion.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/memory.hpp"

namespace engram::core {

/// A rule with premises and a conclusion, such as <(a && b) ==> c> or <a ==> <b ==> c>>.
struct RulePattern {
  std::uint32_t statement = 0;
  std::vector<narsese::Term> premises;  // 1 to 8
  narsese::Term conclusion;
};

/// Appends the rules that a term states: an implication states one, an equivalence one in each direction, any other
/// term none. Rules with more than eight premises are left out.
void add_rule_patterns(std::uint32_t statement, narsese::Term term, std::vector<RulePattern>& rules);

/// The term without its negation: a and true for (--, a), a and false for a. Double negations cancel.
std::pair<narsese::Term, bool> without_negation(narsese::Term term);

/// Index of the implications and equivalences with variables. A rule without variables is found like any other
/// statement.
class ProofRules {
 public:
  /// Adds the rules (ascending) that are new. A rule that has lost its evidence stays: check its evidence before using
  /// it.
  /// Errors  WorkStopped
  /// Cost    O(size of the new rules)
  void catch_up(const Memory& memory, std::span<const StatementId> rules);

  const RulePattern& operator[](std::uint32_t rule) const { return rules_[rule]; }
  std::size_t size() const { return rules_.size(); }
  /// Calls visit(number) for each rule that may conclude a statement with this predicate. Without a predicate, calls it
  /// for all rules.
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
  /// Estimate of the memory in bytes.
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
