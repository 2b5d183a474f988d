// SPDX-License-Identifier: MIT
// The same for all: the baseline.
#include <memory>

#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

class UniformExplainer : public Explainer {
 public:
  explicit UniformExplainer(const Recall& recall) : recall_(recall) {}
  Explanation of_concept(ConceptId id) const override { return explanation(recall_.concepts[id]); }
  Explanation of_statement(StatementId id) const override { return explanation(recall_.statements[id]); }

 private:
  static Explanation explanation(double score) {
    return {score, {account("share", score, {{"the same for all, whatever the cue", score}})}, {}, {}, {}};
  }

  const Recall& recall_;
};

/// The same for all that hold evidence, and for all statements.
struct UniformRetriever {
  Recall recall(const Readings& memory, const Vector&) const {
    Recall recall;
    const auto holders = static_cast<double>((memory.activity.array() > 0).count());
    recall.concepts = (memory.activity.array() > 0).cast<double>() / holders;
    recall.statements = Vector::Constant(memory.statements(), 1.0 / static_cast<double>(memory.statements()));
    return recall;
  }

  Explained explain(const Readings&, const Cue&, const Recall& recall) const {
    return std::make_unique<UniformExplainer>(recall);
  }
};

}  // namespace

Method uniform_method() {
  return Declaration<UniformRetriever>("uniform", "baseline", "the same for all: the baseline");
}

}  // namespace engram::core
