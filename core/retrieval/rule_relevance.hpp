// SPDX-License-Identifier: MIT
// Which rules may join the statements that are in focus: by unification with them, with the question, and
// with one another.
#pragma once

#include <vector>

#include "core/retrieval/memory_index.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

/// A statement in focus and how much, in (0, 1].
struct Focused {
  narsese::Term term;
  double score = 0;
};

/// How far relevance goes from rule to rule.
struct RelevanceOptions {
  double discount = 0.7;  // of what comes by way of another rule
  int steps = 3;          // how far it goes from rule to rule
};

/// Scores of rules (in [0, 1]), each the product of what reaches it from the statements in focus and of the
/// root of what reaches it from the question. With <..> the geometric mean over a rule's premises:
///   forward   the best of  <s(f_i)>  over focused statements f_i that differ and that all premises match
///             together, under one binding of the variables;  and  discount <support_i>  where at least one
///             premise i has a rule for its support
///   support   of a premise: the best s(f) of a focused statement that matches it, or the best forward score
///             of a rule whose conclusion is compatible with it
///   backward  < the best s(f) that matches the premise once the conclusion has been matched with the
///             question, or discount times the forward score of a rule as above >, 0 where the conclusion
///             does not match; or discount times the backward score of a rule of which a premise is
///             compatible with the conclusion, times <support> of that rule's other premises
/// So rules are found from both ends, by spreading along what unifies. Premises and conclusions are compared
/// as they stand: no conclusion is drawn, and none is taken for a premise.
/// Shapes   one score a rule.
/// Cost     O(steps r m k) for r rules of m premises, k kinds of pattern, after matching with the focus: f^2
///          for two premises, and at most some thousand tries a rule for more
std::vector<double> rule_relevance(const std::vector<RulePattern>& rules, const std::vector<Focused>& focus,
                                   narsese::Term question, const RelevanceOptions& options);

}  // namespace engram::core
