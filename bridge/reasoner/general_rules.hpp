// SPDX-License-Identifier: MIT
// Predictive implications with variables, and their instances.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bridge/reasoner/knowledge.hpp"
#include "bridge/reasoner/unifier.hpp"

namespace engram::bridge {

/// <(conditions.. &/ operation) =/> postcondition> in parts.
struct TemporalRule {
  std::vector<narsese::Term> conditions;  // at least one, in their order
  narsese::Term operation;                // or none
  narsese::Term postcondition;
  narsese::TruthValue truth;
  double delay = 0;  // cycles from the operation, or else the last condition
  InputNumber number = 0;
};

/// Rules whose variables stand for what an agent meets. Terms are kept in a table of their own.
class GeneralRules {
 public:
  static constexpr std::size_t most_rules = 1000;    // chosen
  static constexpr std::size_t most_instances = 64;  // of one fact; chosen

  bool empty() const { return rules_.empty(); }
  /// Terms may be of any table. Past most_rules the rule is ignored.
  void add(const TemporalRule& rule);
  /// Whether a condition of one may be this term.
  bool needs(narsese::Term term);
  /// Instances without variables of which a condition or the postcondition is `fact`. A variable that this leaves open
  /// stands for what makes another condition one of `known`, the last first. Valid until the next call.
  /// Cost  O(rules * parts); with open variables, that times `known`
  std::vector<TemporalRule> instances(narsese::Term fact, std::span<const narsese::Term> known);

 private:
  void begin();
  bool bind(const TemporalRule& rule, narsese::Term part, narsese::Term fact, TemporalRule& bound);
  void complete(const TemporalRule& rule, std::span<const narsese::Term> known,
                std::vector<TemporalRule>& found);

  narsese::TermTable table_;
  bool marked_ = false;  // terms that are not of rules_
  std::vector<TemporalRule> rules_;
  Unifier unifier_{table_};
};

}  // namespace engram::bridge
