// SPDX-License-Identifier: MIT
// The retriever that spreads from both ends of a question and unifies rules with what lies between.
#pragma once

#include <memory>

#include "core/methods/method.hpp"
#include "core/retrieval/rule_relevance.hpp"
#include "core/walks/bidirectional_spreading.hpp"

namespace engram::core {

/// Spreading from both ends of the cue and unification: statements that are no rules by the paths between the
/// ends (core/walks/bidirectional_spreading.hpp), their scores to the power 1/4 and the best 1; rules by
/// how they unify with the `focus` best of these, with the question and with one another
/// (core/retrieval/rule_relevance.hpp). Where nothing but rules mentions what the question names, it is
/// spread from the concepts in the rules whose conclusions the question matches, 16 at most. With `words` no,
/// as if the cue were no more than its concepts; with `unification` no, nothing is known of rules but their
/// words. What none of this reaches has its cosine with cue and focus, below all the rest. Of more than 1000
/// rules, those are considered that have the largest of these. An allocator: it decides what a reasoner
/// should look at, and draws no conclusion itself.
struct BidirectionalSpreadingRetriever {
  /// Scores as they come about.
  struct Trace {
    Cue asked;           // with its words, if they are used
    Joints joints;       // of rules
    bool from_premises;  // the ends are not the question's, which nothing but rules mentions
    Vector paths;        // (p): what the ends come to, before roots are taken
    Vector flattened;    // (p): the fourth roots, the best 1
    Vector scores;       // (p): with rules, and the floor
    Vector with_rules;   // (p): without the floor
  };
  BidirectionalOptions spreading;
  RelevanceOptions relevance;
  int focus = 32;
  bool words = true;
  bool unification = true;
  Recall recall(const Readings& memory, const Cue& cue) const;
  Trace trace(const Readings& memory, const Cue& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
