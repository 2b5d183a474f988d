// SPDX-License-Identifier: MIT
// What the explanations of all methods share. For the .cpp files of methods alone.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/methods/explanation.hpp"

namespace engram::core {

/// Six significant digits.
std::string digits(double number);

/// An account of these parts: those of 0 left out, the largest first, beyond eight the others together.
Account account(std::string words, double total, std::vector<Account::Part> parts);

/// Explains all concepts and statements by their scores alone.
AnyExplainer explained_by_score(const Recall& recall, std::function<Explanation(double score)> of_score);

/// A recall with what it was made from, and explanations of what follows from the others (of the statements
/// where concepts are ranked, of the concepts where statements are).
class RecallExplainer : public Explainer {
 public:
  RecallExplainer(const MemoryIndex& readings, const Cue& cue, const Recall& recall)
      : readings_(readings), cue_(cue), recall_(recall) {}

 protected:
  /// The term of a concept, as it is printed.
  std::string name(ConceptId id) const;
  /// A statement, as it is printed.
  std::string sentence(StatementId id) const;
  /// A stop at a concept, and how it is reached.
  Stop stop(ConceptId id, std::string how) const { return {false, id, name(id), std::move(how)}; }
  /// A stop at a statement, and how it is reached.
  Stop statement_stop(StatementId id, std::string how) const {
    return {true, id, sentence(id), std::move(how)};
  }

  /// Of a statement: its cosine with the recalled activation. Then the largest part's own explanation.
  Explanation by_concepts(StatementId id) const;
  /// Of a concept: the statements that mention it. Then the largest part's own explanation.
  Explanation by_statements(ConceptId id) const;

  const MemoryIndex& readings_;
  const Vector& cue_;
  const Recall& recall_;
};

/// How a map made weights of similarities, with the numbers for one of them.
std::string separation_text(const Regulariser& map, double beta, const Vector& similarity, Index item,
                            double weight);

/// Explanations of concepts by what they get, to which statements follow by their cosine.
class ConceptsExplainer : public RecallExplainer {
 public:
  /// As RecallExplainer.
  using RecallExplainer::RecallExplainer;
  Explanation of_statement(StatementId id) const override { return by_concepts(id); }
};

/// Explanations of statements by what they get, to which concepts follow by who mentions them.
class StatementsExplainer : public RecallExplainer {
 public:
  /// As RecallExplainer.
  using RecallExplainer::RecallExplainer;
  Explanation of_concept(ConceptId id) const override { return by_statements(id); }

 protected:
  /// From the cue's concept that gives most straight to the statement. `amounts`: of its concepts, in order.
  void add_way(Explanation& why, StatementId id, const std::vector<double>& amounts) const;
};

}  // namespace engram::core
