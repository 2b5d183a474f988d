// SPDX-License-Identifier: MIT
#include <string>

#include "core/methods/declaration.hpp"
#include "core/methods/rank_explainer.hpp"
#include "core/retrieval/premise_selection.hpp"

namespace engram::core {
namespace {

/// SInE from the cue's names (core/retrieval/premise_selection.hpp), which gives a set: ranked by depth, then
/// by how special the trigger is, as 1 / (depth + occ / (occ + 1)). What it does not select has 0.
struct SineRetriever {
  static constexpr bool is_local = true;
  SineOptions options;
  template <class Visit>
  void each(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const {
    for (const SineSelected& one : select_by_sine(memory, cue.names(), options)) {
      const auto occ = static_cast<double>(one.trigger);
      visit(one.statement, 1 / (one.depth + occ / (occ + 1)), [&] {
        return "triggered in round " + std::to_string(one.depth) + " by a name in " +
               std::to_string(one.trigger) + " statements";
      });
    }
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const { return ranked_recall(*this, memory, cue); }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return ranked_explainer(*this, memory, cue, recall);
  }
};

}  // namespace

Method sine_method() {
  using R = SineRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("sine", "premise filter", "SInE: statements whose rarest names are reached")
      .support(Support::sparse)
      .number("tolerance", of(&SineOptions::tolerance), 1, 1e6,
              "a name triggers statements of which no name is so much rarer")
      .number("generality", of(&SineOptions::generality), 0, 1e9,
              "names in no more statements than this trigger them all")
      .whole("depth", of(&SineOptions::depth), 1, 100, "rounds");
}

}  // namespace engram::core
