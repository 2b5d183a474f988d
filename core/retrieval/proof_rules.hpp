// SPDX-License-Identifier: MIT
// The rules of a memory, found by what they conclude.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

/// Implications and equivalences with variables. Those without are statements like any other.
class ProofRules {
 public:
  /// Reads those of the memory's rules (ascending) that are new. What has lost its evidence stays: who uses a rule looks.
  /// Errors  WorkStopped
  /// Cost    O(size of those it reads)
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
  /// About so many.
  std::size_t bytes() const { return bytes_; }

 private:
  void index(std::uint32_t rule);

  std::size_t known_ = 0, bytes_ = 0;  // known: of the memory's rules
  std::vector<RulePattern> rules_;
  std::unordered_map<narsese::Term, std::vector<std::uint32_t>, narsese::HashOfTerm>
      by_predicate_;  // looked up alone
  std::vector<std::uint32_t> of_any_predicate_;
};

/// The statement that is negated as (--, a), or the term itself; and whether it was.
std::pair<narsese::Term, bool> without_negation(narsese::Term term);

}  // namespace engram::core
