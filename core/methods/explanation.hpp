// SPDX-License-Identifier: MIT
// Explanations of the scores of a recall, as sums that a reader can check by hand, and base classes of the explainers
// that make them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// Account: a number with its meaning and the summands that add up to it.
struct Account {
  /// A summand of the number, and its meaning in words.
  struct Part {
    std::string words;
    double amount = 0;
  };
  std::string words;
  double total = 0;
  std::vector<Part> parts;  // the largest first, at most nine; the ninth may be the sum of all others
};

/// Stop on a path from the cue to the explained item: a concept or statement.
struct Stop {
  bool statement = false;  // otherwise a concept
  std::uint32_t id = 0;
  std::string words;  // the concept or statement as text
  std::string how;    // how it is reached from the stop before; empty for the first
};

/// Step of a proof: a statement, and how the proof uses it.
struct ExplainedStep {
  std::uint32_t id = 0;
  std::string words;               // the statement
  std::vector<std::string> terms;  // the concepts that it activates
  std::string move;                // "fact", "rule", "inheritance", "similarity" or "association"
  std::uint32_t depth = 0;         // 0: it proves the question; 1: a premise of that step; ...
};

/// Explanation of the score of a concept or statement.
struct Explanation {
  double score = 0;
  /// Sums that explain the score: the first is of the score, the others are of parts of earlier accounts.
  std::vector<Account> accounts = {};
  /// Text about how the map turned similarities into weights, with the numbers; may be empty.
  std::string separation = {};
  std::vector<Stop> path = {};  // the strongest path from the cue, if any; may continue to a second end
  std::string note = {};        // reason for the lack of a sum, if there is none
  /// The steps of the proof that gave the score, each before its premises.
  std::vector<ExplainedStep> proof = {};
};

/// Base class of explainers. An explainer explains the scores that one recall gave to concepts and statements. It
/// refers to the memory, the cue and the recall.
class Explainer {
 public:
  virtual ~Explainer() = default;
  /// Explains a concept's score. For a score of 0 the explanation may have only a note.
  virtual Explanation of_concept(ConceptId id) const = 0;
  /// Explains a statement's score. For a score of 0 the explanation may have only a note.
  virtual Explanation of_statement(StatementId id) const = 0;
};

/// Returns an explainer that gives each item's score with the note `note`, and no sum. Use it for methods whose scores
/// are not sums. `recall` must outlive the explainer.
ExplainerPtr unexplained(const Recall& recall, std::string note);
/// Returns an explainer that calls `of_score` with each item's score. Use it for methods whose explanations depend on
/// nothing else. `recall` must outlive the explainer.
ExplainerPtr explained_by_score(const Recall& recall, std::function<Explanation(double score)> of_score);

// Helpers for the source files of methods.

/// Formats a number with six significant digits.
std::string digits(double number);
/// Makes an account of `total`. Parts of 0 are dropped, the others sorted by absolute size, the largest first. If there
/// are more than nine, the ninth part is the sum of the rest.
Account account(std::string words, double total, std::vector<Account::Part> parts);
/// Describes in words how a simplex map turned similarities into weights, with the numbers for one item. `beta` is the
/// inverse temperature, `item` the index of the item in `similarity`, `weight` the weight that it got.
std::string separation_text(const Regulariser& map, double beta, const Vector& similarity, Index item,
                            double weight);

/// Base class of explainers with access to one recall, and with helpers that print names and make paths.
class RecallExplainer : public Explainer {
 public:
  RecallExplainer(const MemoryIndex& memory, const Cue& cue, const Recall& recall)
      : memory_(memory), cue_(cue.activation.whole()), recall_(recall) {}

 protected:
  /// The printed term of a concept.
  std::string name(ConceptId id) const;
  /// The printed statement.
  std::string sentence(StatementId id) const;
  /// Makes a stop of a path at a concept; `how` describes the way from the stop before.
  Stop stop(ConceptId id, std::string how) const { return {false, id, name(id), std::move(how)}; }
  /// Makes a stop of a path at a statement; `how` describes the way from the stop before.
  Stop statement_stop(StatementId id, std::string how) const {
    return {true, id, sentence(id), std::move(how)};
  }

  /// Explains a statement's score as its cosine with the recalled concepts, concept by concept, and adds the
  /// explanation of the concept with the largest part.
  Explanation by_concepts(StatementId id) const;
  /// Explains a concept's score as the share of the total weight on statements that mention it, and adds the
  /// explanation of the statement with the largest part.
  Explanation by_statements(ConceptId id) const;

  const MemoryIndex& memory_;
  const Vector& cue_;
  const Recall& recall_;
};

/// Base class of explainers for methods that score concepts and derive the scores of statements (from_concepts). A
/// derived class explains concepts only.
class ConceptsExplainer : public RecallExplainer {
 public:
  /// Explains `recall`; the memory, the cue and the recall must outlive the explainer.
  using RecallExplainer::RecallExplainer;
  Explanation of_statement(StatementId id) const override { return by_concepts(id); }
};

/// Base class of explainers for methods that score statements and derive the scores of concepts (from_statements). A
/// derived class explains statements only.
class StatementsExplainer : public RecallExplainer {
 public:
  /// Explains `recall`; the memory, the cue and the recall must outlive the explainer.
  using RecallExplainer::RecallExplainer;
  Explanation of_concept(ConceptId id) const override { return by_statements(id); }

 protected:
  /// Sets the path of `why` to two stops: the concept of statement `id` with the largest amount, then the statement.
  /// `amounts` has one number for each concept of the statement, in order of ids.
  void add_path(Explanation& why, StatementId id, const std::vector<double>& amounts) const;
};

/// Base class of retrievers that rank statements and can give the reason of each rank as text, for example "in proof 2,
/// of 5 uses". A derived class implements only visit_ranked().
class RankRetriever : public Retriever {
 public:
  Recall recall(const MemoryIndex& memory, const Cue& cue) const final;
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const final;

 protected:
  /// Callback for a ranked statement: its id, its score, and a function that returns the reason as text.
  using Visit = std::function<void(StatementId, double score, const std::function<std::string()>& reason)>;
  /// Calls `visit` for each statement with a rank. A later call for the same statement replaces an earlier one.
  virtual void visit_ranked(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const = 0;
};

}  // namespace engram::core
