// SPDX-License-Identifier: MIT
#include "core/methods/frequency.hpp"

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

// Whatever the cue: counts.
class CountExplainer : public Explainer {
 public:
  CountExplainer(bool uniform, const Readings& readings, const Recall& recall)
      : uniform_(uniform), readings_(readings), recall_(recall) {}

  Explanation of_concept(ConceptId id) const override {
    return explanation(recall_.concepts[id], readings_.activity[id]);
  }
  Explanation of_statement(StatementId id) const override {
    return explanation(recall_.statements[id], readings_.evidence[id]);
  }

 private:
  Explanation explanation(double score, double evidence) const {
    const std::string words = uniform_ ? "the same for all, whatever the cue"
                                       : "evidence " + digits(evidence) + " of " + digits(readings_.total) +
                                             " in all, whatever the cue";
    return {score, {account("share", score, {{words, score}})}, {}, {}, {}};
  }

  bool uniform_;
  const Readings& readings_;
  const Recall& recall_;
};

}  // namespace

Recall FrequencyRetriever::recall(const Readings& memory, const Vector&) const {
  Recall recall;
  recall.concepts = memory.activity / memory.total;
  recall.statements = memory.evidence / memory.total;
  return recall;
}

Recall UniformRetriever::recall(const Readings& memory, const Vector&) const {
  Recall recall;
  const auto holders = static_cast<double>((memory.activity.array() > 0).count());
  recall.concepts = (memory.activity.array() > 0).cast<double>() / holders;
  recall.statements = Vector::Constant(memory.statements(), 1.0 / static_cast<double>(memory.statements()));
  return recall;
}

std::unique_ptr<const Explainer> FrequencyRetriever::explain(const Readings& memory, const Cue&,
                                                             const Recall& recall) const {
  return std::make_unique<CountExplainer>(false, memory, recall);
}

std::unique_ptr<const Explainer> UniformRetriever::explain(const Readings& memory, const Cue&,
                                                           const Recall& recall) const {
  return std::make_unique<CountExplainer>(true, memory, recall);
}

Method frequency_method() {
  return Declaration<FrequencyRetriever>("frequency", "baseline",
                                         "how much was experienced, whatever the cue");
}

Method uniform_method() {
  return Declaration<UniformRetriever>("uniform", "baseline", "the same for all: the floor");
}

}  // namespace engram::core
