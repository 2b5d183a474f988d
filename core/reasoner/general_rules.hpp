// SPDX-License-Identifier: MIT
// Predictive implications with variables, and their instances.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/reasoner/knowledge.hpp"
#include "core/reasoner/unifier.hpp"

namespace engram::core {

/// The parts of <(conditions.. &/ operation) =/> postcondition>.
struct TemporalRule {
  std::vector<narsese::Term> conditions;  // at least one, in order
  narsese::Term operation;                // may be no term
  narsese::Term postcondition;
  narsese::TruthValue truth;
  double delay = 0;  // cycles from the operation, or else from the last condition, to the postcondition
  InputNumber number = 0;
};

/// Rules with variables that an agent instantiates with the terms it meets. A separate table holds the terms of the
/// rules.
class GeneralRules {
 public:
  static constexpr std::size_t max_rules = 1000;    // chosen
  static constexpr std::size_t max_instances = 64;  // for one fact; chosen

  bool empty() const { return rules_.empty(); }
  /// Adds a rule. The terms may belong to any table. A rule beyond max_rules is ignored.
  void add(const TemporalRule& rule);
  /// Whether a condition of a rule unifies with the term.
  bool needs(narsese::Term term);
  /// Instances without variables that have `fact` as a condition or as the postcondition. If variables stay unbound,
  /// another condition is unified with each term of `known`, the last one first. The result is valid until the next
  /// call.
  /// Cost  O(rules * parts); with unbound variables, that times the size of `known`
  std::vector<TemporalRule> instances(narsese::Term fact, std::span<const narsese::Term> known);

 private:
  void drop_temporary_terms();
  bool bind(const TemporalRule& rule, narsese::Term part, narsese::Term fact, TemporalRule& bound);
  void complete(const TemporalRule& rule, std::span<const narsese::Term> known,
                std::vector<TemporalRule>& found);

  narsese::TermTable table_;
  bool marked_ = false;  // the table has terms that belong to no rule
  std::vector<TemporalRule> rules_;
  Unifier unifier_{table_};
};

}  // namespace engram::core
