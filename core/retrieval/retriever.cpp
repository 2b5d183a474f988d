// SPDX-License-Identifier: MIT
#include "core/retrieval/retriever.hpp"

#include "core/numbers/numeric.hpp"

namespace engram::core {

bool asks_for_any(const Cue& cue) {
  bool any = false;
  cue.activation.each([&](std::uint32_t, double) { any = true; });
  return any;
}

Recall from_statements(const Readings& memory, SparseVector statements) {
  Recall recall;
  const double total = sum(statements);
  recall.concepts = memory.concept_scores(total > 0 ? statements / total : statements);
  recall.statements = std::move(statements);
  return recall;
}

Recall from_concepts(const Readings& memory, SparseVector concepts) {
  Recall recall;
  recall.statements = memory.statement_scores(concepts);
  recall.concepts = std::move(concepts);
  return recall;
}

}  // namespace engram::core
