// SPDX-License-Identifier: MIT
// Why a concept, or a statement, got what a recall gives it: in sums that a person can check by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/methods/method.hpp"

namespace engram::core {

/// A number and what it is made of: the parts add up to it.
struct Account {
  /// A part of the sum, and what it is.
  struct Part {
    std::string words;
    double amount = 0;
  };
  std::string words;
  double total = 0;
  std::vector<Part> parts;  // the largest first, at most nine; the last may stand for all others
};

/// A place on the way from the cue to what is explained.
struct Stop {
  bool statement = false;  // else a concept
  std::uint32_t id = 0;
  std::string words;  // what it is
  std::string how;    // how it is reached from the stop before; empty for the first
};

/// A step of a proof: a statement, and what it does there.
struct ExplainedStep {
  std::uint32_t id = 0;
  std::string words;               // the statement
  std::vector<std::string> terms;  // the concepts that it activates
  std::string move;                // "fact", "rule", "inheritance", "similarity" or "association"
  std::uint32_t depth = 0;         // 0: it proves the question; 1: a premise of that step; ...
};

/// Why an item got its score.
struct Explanation {
  double score = 0;
  std::vector<Account> accounts;  // the first is of the score; the others of parts of those before
  std::string separation;         // how the scores were parted from one another, with the numbers; or nothing
  std::vector<Stop> path;         // the strongest way from the cue, if any; between two ends it goes on
  std::string note;               // where there is no sum: why
  std::vector<ExplainedStep> proof =
      {};  // the steps of the proof that gave the score, each before its premises
};

/// Explains the items of one recall. Refers to readings, cue and recall.
class Explainer {
 public:
  virtual ~Explainer() = default;
  /// Ranges  ids of what has a score above 0; of what has none, the explanation is empty but for a note
  virtual Explanation of_concept(ConceptId id) const = 0;
  /// The same of a statement.
  virtual Explanation of_statement(StatementId id) const = 0;
};

/// The explainer of a method whose recalls have a sum; of others one that says why there is none. Each
/// method's file says into what its scores are taken apart. Of those that rank concepts, a statement's score
/// is a cosine by concepts; of those that rank statements, a concept's is a sum over the statements that
/// mention it.
/// Errors   OptionError
AnyExplainer explain(const Method& method, const Options& options, const MemoryIndex& readings,
                     const Cue& cue, const Recall& recall);

/// Where there is no sum: why.
AnyExplainer unexplained(const Recall& recall, std::string why);

}  // namespace engram::core
