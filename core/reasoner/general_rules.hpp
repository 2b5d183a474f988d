// SPDX-License-Identifier: MIT
// Predictive implications with variables, and their instances: the same implications with terms in place of the
// variables.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/reasoner/knowledge.hpp"
#include "core/reasoner/unifier.hpp"

namespace engram::core {

/// A predictive implication in parts: <(conditions.. &/ operation) =/> postcondition>.
struct TemporalRule {
  std::vector<narsese::Term> conditions;  // at least one, in order
  narsese::Term operation;                // may be a null term, for no operation
  narsese::Term postcondition;
  narsese::TruthValue truth;
  double delay = 0;        // cycles from the operation (or last condition) to the postcondition
  InputNumber number = 0;  // input that states the implication
};

/// Set of rules with variables. An agent instantiates them with the terms of its events and goals. A separate term
/// table holds the terms of the rules.
class GeneralRules {
 public:
  static constexpr std::size_t max_rules = 1000;    // most rules; chosen
  static constexpr std::size_t max_instances = 64;  // most instances for one fact; chosen

  bool empty() const { return rules_.empty(); }
  /// Adds a rule. The terms may belong to any table. A rule beyond max_rules is ignored.
  void add(const TemporalRule& rule);
  /// Whether the term unifies with a condition of a rule.
  bool needs(narsese::Term term);
  /// Returns the instances of rules, without variables, that have `fact` as a condition or as the postcondition. If
  /// variables stay unbound, the remaining conditions are unified with the terms in `known`, the last term first. The
  /// terms of the result are valid until the next call.
  /// Cost  O(rules * parts); with unbound variables, that times the size of `known`
  std::vector<TemporalRule> instances(narsese::Term fact, std::span<const narsese::Term> known);

 private:
  void drop_temporary_terms();
  bool bind(const TemporalRule& rule, narsese::Term part, narsese::Term fact, TemporalRule& bound);
  void complete(const TemporalRule& rule, std::span<const narsese::Term> known,
                std::vector<TemporalRule>& found);

  narsese::TermTable table_;
  bool marked_ = false;  // whether the table has terms that belong to no rule
  std::vector<TemporalRule> rules_;
  Unifier unifier_{table_};
};

}  // namespace engram::core
