// SPDX-License-Identifier: MIT
// The rules of a memory, indexed by the predicate of their conclusion.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

/// The implications and equivalences of a memory that have variables. A rule without variables is found like any other
/// statement.
class ProofRules {
 public:
  /// Adds the rules (ascending) that it does not have yet. A rule that has lost its evidence stays: check its evidence
  /// before using it.
  /// Errors  WorkStopped
  /// Cost    O(size of the new rules)
  void catch_up(const Memory& memory, std::span<const StatementId> rules);

  const RulePattern& operator[](std::uint32_t rule) const { return rules_[rule]; }
  std::size_t size() const { return rules_.size(); }
  /// Calls visit(number) for each rule that may conclude a statement with this predicate; without one, for all.
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
  /// The memory that it takes, estimated.
  std::size_t bytes() const { return bytes_; }

 private:
  void index(std::uint32_t rule);

  std::size_t known_ = 0, bytes_ = 0;  // known: of the memory's rules
  std::vector<RulePattern> rules_;
  std::unordered_map<narsese::Term, std::vector<std::uint32_t>, narsese::HashOfTerm>
      by_predicate_;  // looked up alone
  std::vector<std::uint32_t> of_any_predicate_;
};

/// The term without its negation: a and true for (--, a), a and false for a. Double negations cancel.
std::pair<narsese::Term, bool> without_negation(narsese::Term term);

}  // namespace engram::core
