// SPDX-License-Identifier: MIT
// What rules make of a path: all ways in which they join its steps, in every order of brackets, to what is
// asked.
#pragma once

#include <utility>
#include <vector>

#include "core/paths/path_features.hpp"

namespace engram::core {

/// The derivations of what is asked from a row of steps.
struct Derivations {
  double total = 0;  // sum over them of weight^(statements used beside the steps); 0: there is none
  double uses = 0;   // the mean number of these, under the shares of the total
  /// Of each statement used beside the steps, ascending: the mean number of times.
  std::vector<std::pair<StatementId, double>> used;
  /// What the one that uses fewest uses, each time, ascending.
  std::vector<StatementId> best;
};

/// A step, or a row of steps, is a symbol. Two rows side by side become one
///   by a rule          (core/retrieval/relation_rules.hpp), which is used then, if it is no step itself, and with it
///   what it wants beside the row; of more premises the rest follows
///   by transitivity    inheritance on and on, implication on and on: no statement is used
///   by inheritance     <a --> b> and <(*, b, c) --> r> make <(*, a, c) --> r>, so of c as well
///   by similarity      with a step of similarity any symbol stays what it is
/// and one becomes another by a rule of one premise, or by <r --> s> or <r <-> s> between names of
/// relations, at most twice in a row. Inside and outside sums over the chart of all rows.
/// Ranges   weight > 0; of a relation that is not known any relation in its direction will do
/// Cost     O(steps^3 symbols^2), and some 10 statements looked at for each relation
/// Source   inside-outside: Baker 1979, "Trainable grammars for speech recognition"
Derivations derivations(const Passes& passes, const RelationRules& rules, const PathQuestion& question,
                        const std::vector<Pass>& steps, double weight, const PathStatements& statements = {});

}  // namespace engram::core
