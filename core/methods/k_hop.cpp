// SPDX-License-Identifier: MIT
#include <string>

#include "core/methods/declaration.hpp"
#include "core/methods/rank_explainer.hpp"
#include "core/walks/neighbourhood.hpp"

namespace engram::core {
namespace {

/// The exact neighbourhood of the cue's names (core/walks/neighbourhood.hpp): 1 / hop, 0 beyond `hops` and
/// beyond `most` statements.
struct KHopRetriever {
  static constexpr bool is_local = true;
  NeighbourhoodOptions options;
  template <class Visit>
  void each(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const {
    for (const Neighbour& found : neighbourhood(memory, cue.names(), options))
      visit(found.statement, 1.0 / found.hop,
            [&] { return "one over its hop, " + std::to_string(found.hop); });
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const { return ranked_recall(*this, memory, cue); }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return ranked_explainer(*this, memory, cue, recall);
  }
};

}  // namespace

Method k_hop_method() {
  using R = KHopRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("k_hop", "search", "the nearest statements to the cue's names, by hops")
      .support(Support::sparse)
      .whole("hops", of(&NeighbourhoodOptions::hops), 1, 20, "statements on a way from a name, at most")
      .whole("most", of(&NeighbourhoodOptions::most), 1, 1e6, "statements, the nearest");
}

}  // namespace engram::core
