// SPDX-License-Identifier: MIT
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

class EvidenceExplainer : public Explainer {
 public:
  EvidenceExplainer(const MemoryIndex& readings, const Recall& recall)
      : readings_(readings), recall_(recall) {}
  Explanation of_concept(ConceptId id) const override {
    return explanation(recall_.concepts[id], readings_.activity(id));
  }
  Explanation of_statement(StatementId id) const override {
    return explanation(recall_.statements[id], readings_.evidence(id));
  }

 private:
  Explanation explanation(double score, double evidence) const {
    const std::string words =
        "evidence " + digits(evidence) + " of " + digits(readings_.total()) + " in all, whatever the cue";
    return {score, {account("share", score, {{words, score}})}, {}, {}, {}};
  }

  const MemoryIndex& readings_;
  const Recall& recall_;
};

/// How much each concept and statement was experienced, whatever the cue.
struct FrequencyRetriever {
  Recall recall(const MemoryIndex& memory, const Vector&) const {
    Recall recall;
    recall.concepts = memory.activity() / memory.total();
    recall.statements = memory.evidence() / memory.total();
    return recall;
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue&, const Recall& recall) const {
    return std::make_unique<EvidenceExplainer>(memory, recall);
  }
};

}  // namespace

Method frequency_method() {
  return Declaration<FrequencyRetriever>("frequency", "floor", "how much was experienced, whatever the cue");
}

}  // namespace engram::core
