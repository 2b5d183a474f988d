// SPDX-License-Identifier: MIT
#include "core/methods/declaration.hpp"
#include "core/methods/explanation_parts.hpp"

namespace engram::core {
namespace {

/// The same for all that hold evidence, and for all statements.
struct UniformRetriever {
  Recall recall(const MemoryIndex& memory, const Vector&) const {
    Recall recall;
    const auto holders = static_cast<double>((memory.activity().array() > 0).count());
    recall.concepts = Vector((memory.activity().array() > 0).cast<double>() / holders);
    recall.statements = Vector::Constant(memory.statements(), 1.0 / static_cast<double>(memory.statements()));
    return recall;
  }
  AnyExplainer explain(const MemoryIndex&, const Cue&, const Recall& recall) const {
    return explained_by_score(recall, [](double score) {
      const Account share = account("share", score, {{"the same for all, whatever the cue", score}});
      return Explanation{score, {share}, {}, {}, {}};
    });
  }
};

}  // namespace

Method uniform_method() {
  return Declaration<UniformRetriever>("uniform", "floor", "the same for all: chance");
}

}  // namespace engram::core
