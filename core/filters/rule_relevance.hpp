// SPDX-License-Identifier: MIT
// Relevance of rules for a question: how well their patterns unify with the statements in focus, with the question and
// with each other.
#pragma once

#include <vector>

#include "core/index/memory_index.hpp"
#include "core/index/unification.hpp"

namespace engram::core {

/// Statement in focus: a statement that a recall found relevant, with its score in (0, 1].
struct Focused {
  narsese::Term term;
  double score = 0;
};

/// Options of rule_relevance(): how relevance propagates from rule to rule.
struct RelevanceOptions {
  double discount = 0.7;  // factor for each rule between a statement or question and the scored rule
  int steps = 3;          // rounds of propagation between rules
};

/// Scores rules in [0, 1] by how well they lead from the statements in focus to the question. Use it to select the
/// rules that a proof may need. The score is forward relevance times the root of backward relevance. With s(f) the
/// score of a focused statement f, and <..> the geometric mean over a rule's premises:
///   forward   the best <s(f_i)> over different focused statements f_i that match all premises under one binding of the
///             variables; or discount <support_i>, if a rule supports at least one premise i
///   support   of a premise: the best score of a focused statement that matches it, or the best forward score of a rule
///             whose conclusion is compatible with it
///   backward  if the conclusion matches the question: the geometric mean over the premises of the best s(f) that
///             matches the premise with the question's values, or of discount times the forward score of a rule that
///             supports it; otherwise 0. Or, through another rule with a premise that is compatible with the
///             conclusion: discount times the backward score of that rule times <support> of its other premises
/// Two patterns are compatible if they could unify (compatible() in core/index/unification.hpp). Premises and
/// conclusions are compared as they are; no conclusion is drawn.
/// Shapes   one score for each rule
/// Cost     O(steps r m k) for r rules of m premises and k kinds of patterns, and the matching with f focused
///          statements: f^2 for two premises; for more premises at most 4096 tries for each rule
std::vector<double> rule_relevance(const std::vector<RulePattern>& rules, const std::vector<Focused>& focus,
                                   narsese::Term question, const RelevanceOptions& options);

}  // namespace engram::core
