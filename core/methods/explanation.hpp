// SPDX-License-Identifier: MIT
// Explanations of scores, as sums that a reader can check by hand, and base classes of explainers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// A number as a sum of its parts.
struct Account {
  /// A summand, and its meaning.
  struct Part {
    std::string words;
    double amount = 0;
  };
  std::string words;
  double total = 0;
  std::vector<Part> parts;  // the largest first, at most nine; the last may be the sum of all others
};

/// A stop on the path from the cue to the explained item.
struct Stop {
  bool statement = false;  // otherwise a concept
  std::uint32_t id = 0;
  std::string words;  // the item as text
  std::string how;    // how it is reached from the stop before; empty for the first
};

/// A step of a proof: a statement, and its role.
struct ExplainedStep {
  std::uint32_t id = 0;
  std::string words;               // the statement
  std::vector<std::string> terms;  // the concepts that it activates
  std::string move;                // "fact", "rule", "inheritance", "similarity" or "association"
  std::uint32_t depth = 0;         // 0: it proves the question; 1: a premise of that step; ...
};

/// The reasons for an item's score.
struct Explanation {
  double score = 0;
  std::vector<Account> accounts = {};  // the first is of the score, the others of parts of earlier accounts
  std::string separation =
      {};  // how the map turned similarities into weights, with the numbers; may be empty
  std::vector<Stop> path = {};  // the strongest path from the cue, if any; may continue to a second end
  std::string note = {};        // why there is no sum
  std::vector<ExplainedStep> proof =
      {};  // the steps of the proof that gave the score, each before its premises
};

/// Explainer of the items of one recall. It refers to the memory, the cue and the recall.
class Explainer {
 public:
  virtual ~Explainer() = default;
  /// Explains a concept's score. For a score of 0 the explanation may have only a note.
  virtual Explanation of_concept(ConceptId id) const = 0;
  /// Explains a statement's score. For a score of 0 the explanation may have only a note.
  virtual Explanation of_statement(StatementId id) const = 0;
};

/// An explainer that gives each item's score and a note.
ExplainerPtr unexplained(const Recall& recall, std::string note);
/// An explainer that explains each item from its score alone.
ExplainerPtr explained_by_score(const Recall& recall, std::function<Explanation(double score)> of_score);

// For the files of methods.

/// Formats a number with six significant digits.
std::string digits(double number);
/// Makes an account. Parts of 0 are dropped, the others sorted by size; after the eighth, parts are merged into one.
Account account(std::string words, double total, std::vector<Account::Part> parts);
/// Describes how a map turned similarities into weights, with the numbers for one item.
std::string separation_text(const Regulariser& map, double beta, const Vector& similarity, Index item,
                            double weight);

/// Base class of explainers, with helpers for names and paths.
class RecallExplainer : public Explainer {
 public:
  RecallExplainer(const MemoryIndex& memory, const Cue& cue, const Recall& recall)
      : memory_(memory), cue_(cue.activation.whole()), recall_(recall) {}

 protected:
  /// The printed term of a concept.
  std::string name(ConceptId id) const;
  /// The printed statement.
  std::string sentence(StatementId id) const;
  /// A stop at a concept.
  Stop stop(ConceptId id, std::string how) const { return {false, id, name(id), std::move(how)}; }
  /// A stop at a statement.
  Stop statement_stop(StatementId id, std::string how) const {
    return {true, id, sentence(id), std::move(how)};
  }

  /// Explains a statement by its cosine with the recalled activation, then the largest part of that sum.
  Explanation by_concepts(StatementId id) const;
  /// Explains a concept by the statements that mention it, then the largest part of that sum.
  Explanation by_statements(ConceptId id) const;

  const MemoryIndex& memory_;
  const Vector& cue_;
  const Recall& recall_;
};

/// Base class of explainers for methods that score concepts (from_concepts).
class ConceptsExplainer : public RecallExplainer {
 public:
  /// As RecallExplainer.
  using RecallExplainer::RecallExplainer;
  Explanation of_statement(StatementId id) const override { return by_concepts(id); }
};

/// Base class of explainers for methods that score statements (from_statements).
class StatementsExplainer : public RecallExplainer {
 public:
  /// As RecallExplainer.
  using RecallExplainer::RecallExplainer;
  Explanation of_concept(ConceptId id) const override { return by_statements(id); }

 protected:
  /// Sets the path: from the statement's concept with the largest amount to the statement. `amounts` has one number for
  /// each concept of the statement, in order.
  void add_path(Explanation& why, StatementId id, const std::vector<double>& amounts) const;
};

/// Base class of retrievers that rank statements and give a reason for each rank.
class RankRetriever : public Retriever {
 public:
  Recall recall(const MemoryIndex& memory, const Cue& cue) const final;
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const final;

 protected:
  /// Receives a statement, its score, and a function that describes the reason.
  using Visit = std::function<void(StatementId, double score, const std::function<std::string()>& reason)>;
  /// Visits each ranked statement. A later visit of the same statement replaces an earlier one.
  virtual void visit_ranked(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const = 0;
};

}  // namespace engram::core
