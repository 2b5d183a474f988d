// SPDX-License-Identifier: MIT
#include "core/methods/declaration.hpp"
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
  ShortestPathOptions options;
  static constexpr const char* no_sum =
      "one over the rank of the path that goes through it, or over the hops from an end where no path joins "
      "two: no sum";
  Recall recall(const Readings& memory, const Cue& cue) const {
    std::vector<ConceptId> ends;
    for (const QuestionEnd& end : question_ends(memory, cue)) ends.push_back(end.id);
    Vector scores = Vector::Zero(memory.statements());
    double rank = 0;
    for (const StatementPath& path : shortest_paths(memory, ends, options)) {
      for (const StatementId e : path) scores[e] = 1 / (1 + rank);
      ++rank;
    }
    if (rank == 0)
      for (const Neighbour& near : neighbourhood(memory, ends, {})) scores[near.statement] = 1.0 / near.hop;
    return from_statements(memory, std::move(scores));
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
