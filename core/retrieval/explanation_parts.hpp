// SPDX-License-Identifier: MIT
// What the explanations of all methods share. For the .cpp files of this folder alone.
#pragma once

#include <string>
#include <utility>

#include "core/retrieval/explanation.hpp"

namespace engram::core {

/// Six significant digits.
std::string digits(double number);

/// An account of these parts: those of 0 left out, the largest first, beyond eight the others together.
Account account(std::string words, double total, std::vector<Account::Part> parts);

/// A recall with what it was made from, and explanations of what follows from the others (of the statements
/// where concepts are ranked, of the concepts where statements are).
class RecallExplainer : public Explainer {
 public:
  RecallExplainer(const Readings& readings, const Cue& cue, const Recall& recall)
      : readings_(readings), cue_(cue), recall_(recall) {}

 protected:
  std::string name(ConceptId id) const;
  std::string sentence(StatementId id) const;
  Stop stop(ConceptId id, std::string how) const { return {false, id, name(id), std::move(how)}; }
  Stop statement_stop(StatementId id, std::string how) const {
    return {true, id, sentence(id), std::move(how)};
  }

  /// Of a statement: its cosine with the recalled activation. Then the largest part's own explanation.
  Explanation by_concepts(StatementId id) const;
  /// Of a concept: the statements that mention it. Then the largest part's own explanation.
  Explanation by_statements(ConceptId id) const;

  const Readings& readings_;
  const Cue& cue_;
  const Recall& recall_;
};

/// Makers of explainers, a family each; nothing for methods of other families. `o` is complete.
std::unique_ptr<const Explainer> explain_attention(const std::string& method, const Options& o,
                                                   const Readings& readings, const Cue& cue,
                                                   const Recall& recall);
std::unique_ptr<const Explainer> explain_walk(const std::string& method, const Options& o,
                                              const Readings& readings, const Cue& cue, const Recall& recall);
std::unique_ptr<const Explainer> explain_statements(const std::string& method, const Options& o,
                                                    const Readings& readings, const Cue& cue,
                                                    const Recall& recall);

double number_of(const Options& o, const char* name);
const std::string& word_of(const Options& o, const char* name);

}  // namespace engram::core
