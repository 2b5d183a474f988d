// SPDX-License-Identifier: MIT
#include <string>

#include "core/methods/declaration.hpp"
#include "core/methods/rank_explainer.hpp"
#include "core/retrieval/premise_selection.hpp"

namespace engram::core {
namespace {

/// MePo from the cue's names (core/retrieval/premise_selection.hpp): by round, then by mark, as
/// 1 / (1 + round - mark). What it does not select has 0.
struct MepoRetriever {
  static constexpr bool is_local = true;
  MepoOptions options;
  template <class Visit>
  void each(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const {
    for (const MepoSelected& one : select_by_mepo(memory, cue.names(), options))
      visit(one.statement, 1 / (1 + one.round - one.mark), [&] {
        return "selected in round " + std::to_string(one.round) + " with the mark " + digits(one.mark);
      });
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const { return ranked_recall(*this, memory, cue); }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return ranked_explainer(*this, memory, cue, recall);
  }
};

}  // namespace

Method mepo_method() {
  using R = MepoRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("mepo", "premise filter", "MePo: statements most of whose names are relevant already")
      .support(Support::sparse)
      .number("pass_mark", of(&MepoOptions::pass_mark), 0, 0.999, "p: of the first round")
      .number("convergence", of(&MepoOptions::convergence), 1, 1000,
              "c: what p lacks to 1 is divided by it, round after round");
}

}  // namespace engram::core
