// SPDX-License-Identifier: MIT
// Methods that put statements in an order: a score stands for a place in it, and each place has its reason.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/methods/explanation_parts.hpp"

namespace engram::core {

/// Statements by the reason of their place; concepts by who mentions them.
class RankExplainer : public StatementsExplainer {
 public:
  using Reasons = std::map<StatementId, std::string>;

  RankExplainer(const MemoryIndex& readings, const Cue& cue, const Recall& recall, Reasons reasons)
      : StatementsExplainer(readings, cue, recall), reasons_(std::move(reasons)) {}

  Explanation of_statement(StatementId id) const override {
    Explanation why{recall_.statements[id], {}, {}, {}, {}};
    const auto reason = reasons_.find(id);
    if (reason == reasons_.end())
      why.note = "nothing led to it";
    else
      why.accounts.push_back(account("score", why.score, {{reason->second, why.score}}));
    return why;
  }

 private:
  Reasons reasons_;
};

/// Of retrievers that have each(memory, cue, visit), which calls visit(statement, score, words) with what
/// tells the reason, words(); of a statement that is visited again the last holds.
template <class R>
Recall ranked_recall(const R& retriever, const MemoryIndex& memory, const Cue& cue) {
  std::map<StatementId, double> scores;
  retriever.each(memory, cue, [&](StatementId e, double score, const auto& /*words*/) { scores[e] = score; });
  return from_statements(memory, {memory.statements(), {scores.begin(), scores.end()}});
}
template <class R>
AnyExplainer ranked_explainer(const R& retriever, const MemoryIndex& memory, const Cue& cue,
                              const Recall& recall) {
  RankExplainer::Reasons reasons;
  retriever.each(memory, cue, [&](StatementId e, double, const auto& words) { reasons[e] = words(); });
  return std::make_unique<RankExplainer>(memory, cue, recall, std::move(reasons));
}

}  // namespace engram::core
