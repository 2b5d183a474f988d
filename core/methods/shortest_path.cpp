// SPDX-License-Identifier: MIT
#include <string>

#include "core/methods/declaration.hpp"
#include "core/methods/rank_explainer.hpp"
#include "core/walks/neighbourhood.hpp"
#include "core/walks/question_ends.hpp"
#include "core/walks/shortest_paths.hpp"

namespace engram::core {
namespace {

/// Shortest paths between the ends of the question (core/walks/question_ends.hpp), each without the
/// statements of those before it (core/walks/shortest_paths.hpp): 1 / (1 + rank of the path), all statements
/// of a path alike. Where one end alone is known, or no path joins any two, the statements nearest to the
/// ends take that place: 1 / hop (core/walks/neighbourhood.hpp, with its defaults).
struct ShortestPathRetriever {
  static constexpr bool is_local = true;
  ShortestPathOptions options;
  template <class Visit>
  void each(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const {
    std::vector<ConceptId> ends;
    for (const QuestionEnd& end : question_ends(memory, cue)) ends.push_back(end.id);
    const std::vector<StatementPath> paths = shortest_paths(memory, ends, options);
    for (std::size_t rank = 0; rank < paths.size(); ++rank)
      for (const StatementId e : paths[rank])
        visit(e, 1 / (1 + static_cast<double>(rank)), [&] {
          return "one over the number of its path, " + std::to_string(rank + 1) + ", of " +
                 std::to_string(paths[rank].size()) + " statements";
        });
    if (!paths.empty()) return;
    for (const Neighbour& near : neighbourhood(memory, ends, {}))
      visit(near.statement, 1.0 / near.hop,
            [&] { return "no path joins two ends: one over its hop, " + std::to_string(near.hop); });
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const { return ranked_recall(*this, memory, cue); }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return ranked_explainer(*this, memory, cue, recall);
  }
};

}  // namespace

Method shortest_path_method() {
  using R = ShortestPathRetriever;
  using Paths = ShortestPathOptions;
  const auto of = within(&R::options);
  return Declaration<R>("shortest_path", "search",
                        "the shortest path between the question's names, then the next, and so on")
      .support(Support::sparse)
      .choice("hubs", of(&Paths::hubs), hub_rules, "names in very many statements: what they cost")
      .whole("hub_size", of(&Paths::hub_size), 1, 1e9,
             "statements that a name which is not closed is in, at most")
      .choice("along", of(&Paths::along), path_steps, "what a step may be")
      .whole("paths", of(&Paths::paths), 1, 1000, "how many, at most; no statement is in two");
}

}  // namespace engram::core
