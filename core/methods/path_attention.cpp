// SPDX-License-Identifier: MIT
#include "core/paths/path_attention.hpp"

#include <algorithm>

#include "core/methods/declaration.hpp"
#include "core/paths/path_questions.hpp"

namespace engram::core {
namespace {

/// Attention over the paths between the names of a question (core/paths/path_attention.hpp): of each statement
/// its budget there; of several pairs of names the largest. Where no path is found, the cosines with the cue.
struct PathAttentionRetriever {
  PathAttentionOptions options;
  PathWeights theta = shipped_path_weights;

  Recall recall(const Readings& memory, const Cue& cue) const {
    const RelationRules rules(memory);
    Vector statements = Vector::Zero(memory.statements());
    for (const PathQuestion& question : path_questions(memory, cue))
      for (const auto& [e, budget] : budgets(PathAttention(memory, rules, question, theta, options)))
        statements[static_cast<Index>(e)] = std::max(statements[static_cast<Index>(e)], budget);
    if (!(statements.array() > 0).any()) statements = memory.statement_scores(cue.activation);
    return from_statements(memory, std::move(statements));
  }
};

}  // namespace

Method path_attention_method() {
  using R = PathAttentionRetriever;
  const auto of = within(&R::options);
  const auto paths = [](auto member) {
    return [member](auto& r) -> auto& { return r.options.paths.*member; };
  };
  return Declaration<R>("path_attention", "attention",
                        "a learnt distribution over the paths between the question's names")
      .support(Support::sparse)
      .whole("steps", paths(&PathOptions::steps), 1, 12, "statements of a path, at most")
      .whole("width", paths(&PathOptions::width), 1, 1e6,
             "steps that are gone on from at each length, at most")
      .number("temperature", paths(&PathOptions::temperature), 1e-3, 1e3, "of the distribution over paths")
      .whole("ways", of(&PathAttentionOptions::ways), 0, 1e6,
             "the best paths, of which derivations are looked for");
}

}  // namespace engram::core
