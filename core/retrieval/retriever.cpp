// SPDX-License-Identifier: MIT
#include "core/retrieval/retriever.hpp"

#include "core/numbers/numeric.hpp"

namespace engram::core {

Recall from_statements(const Readings& memory, Vector statements) {
  Recall recall;
  const double total = sum(statements);
  recall.concepts = memory.concept_scores(total > 0 ? Vector(statements / total) : statements);
  recall.statements = std::move(statements);
  return recall;
}

Recall from_concepts(const Readings& memory, Vector concepts) {
  Recall recall;
  recall.statements = memory.statement_scores(concepts);
  recall.concepts = std::move(concepts);
  return recall;
}

}  // namespace engram::core
