// SPDX-License-Identifier: MIT
// Searches from the names of the question: shortest paths, neighbourhoods and plain backward chaining.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/methods/explanation.hpp"
#include "core/proofs/proof_attention.hpp"
#include "core/walks/path_search.hpp"

namespace engram::core {
namespace {

/// Shortest paths between the ends of the question, which share no statements (core/walks/path_search.hpp). The
/// statements of the path of rank r get 1 / (1 + r). If no path joins two ends, the statements within h hops of an end
/// get 1 / h (with the default options of neighbourhood()).
struct ShortestPathRetriever : RankRetriever {
  ShortestPathOptions options;
  void visit_ranked(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const override {
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
};

constexpr auto shortest_path_options =
    option_table(choice_option<hub_rules, &ShortestPathRetriever::options, &ShortestPathOptions::hubs>(
                     "hubs", "cost of passing through names in very many statements"),
                 whole_option<&ShortestPathRetriever::options, &ShortestPathOptions::hub_size>(
                     "hub_size", 1, 1e9, "a name in more statements than this is a hub"),
                 choice_option<path_steps, &ShortestPathRetriever::options, &ShortestPathOptions::along>(
                     "along", "kinds of steps that a path may use"),
                 whole_option<&ShortestPathRetriever::options, &ShortestPathOptions::paths>(
                     "paths", 1, 1000, "most paths; no statement is in two of them"));

/// The neighbourhood of the cue's names (core/walks/path_search.hpp). A statement at hop h gets 1 / h; statements
/// beyond `hops` hops, and all after the `most` nearest, get 0.
struct KHopRetriever : RankRetriever {
  NeighbourhoodOptions options;
  void visit_ranked(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const override {
    for (const Neighbour& found : neighbourhood(memory, cue.names(), options))
      visit(found.statement, 1.0 / found.hop,
            [&] { return "one over its hop, " + std::to_string(found.hop); });
  }
};

constexpr auto k_hop_options =
    option_table(whole_option<&KHopRetriever::options, &NeighbourhoodOptions::hops>(
                     "hops", 1, 20, "most statements on a path from a name"),
                 whole_option<&KHopRetriever::options, &NeighbourhoodOptions::most>(
                     "most", 1, 1e6, "most statements in the result, the nearest first"));

/// Plain backward chaining, as a baseline for attention over proofs: the same search without tables and without learnt
/// weights, where each use of a statement costs 1. The statements of the r-th smallest proof get 1 + 1 / (1 + r), r
/// from 0 on. Other statements that proved a goal get 1 / (1 + size), where size is the number of uses in the first
/// proof of that goal. If no goal was proved, the statements that mention a name of the cue get 1.
struct BackwardChainingRetriever : RankRetriever {
  ProofAttentionOptions options{.search = {.work = 100'000, .slack = 2, .is_tabled = false}, .proofs = 8};

  void visit_ranked(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const override {
    constexpr ProofWeights each_use{-1, -1, -1, -1, -1};
    ProofQuery asked;
    asked.question.term = cue.term;  // without pairs of names: no guesses
    const FoundProofs found(memory, asked, each_use, options, false);
    for (const auto& [e, size] : found.smallest_uses())
      visit(e, 1 / (1 + size), [size = size] {
        return "proved a goal, in a proof of " + std::to_string(static_cast<int>(size)) + " uses";
      });
    const auto proofs = found.graph().nodes() == 0 ? std::vector<ProofGraph::Proof>()
                                                   : found.graph().best(found.question(), options.proofs,
                                                                        found.log_weights(each_use, 1));
    std::vector<std::pair<int, std::vector<StatementId>>> ranked;  // size, and statements
    for (const ProofGraph::Proof& proof : proofs)
      ranked.emplace_back(static_cast<int>(std::lround(-proof.log_weight)), proof.statements(found.graph()));
    std::ranges::stable_sort(ranked, [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : precedes(memory, a.second, b.second);
    });
    for (std::size_t r = ranked.size(); r-- > 0;)
      for (const StatementId e : ranked[r].second)
        visit(e, 1 + 1 / (1 + static_cast<double>(r)), [&] {
          return "in proof " + std::to_string(r + 1) + ", of " + std::to_string(ranked[r].first) + " uses";
        });
    if (!found.smallest_uses().empty()) return;
    for (const ConceptId id : cue.names())
      for (const StatementId e : memory.mentions(static_cast<Index>(id)))
        visit(e, 1, [] { return std::string("no goal is proved: it mentions a name of the cue"); });
  }
};

constexpr auto backward_chaining_options =
    option_table(whole_option<&BackwardChainingRetriever::options, &ProofAttentionOptions::proofs>(
                     "proofs", 1, 1000, "most proofs, the smallest first"),
                 whole_option<&BackwardChainingRetriever::options, &ProofAttentionOptions::search,
                              &ProofSearchOptions::work>(
                     "work", 1, 1e9, "the most statements and partial proofs that the search looks at"),
                 number_option<&BackwardChainingRetriever::options, &ProofAttentionOptions::search,
                               &ProofSearchOptions::slack>(
                     "slack", 0, 100,
                     "the search ends after proofs that use this many statements more than the smallest"));

}  // namespace

Method shortest_path_method() {
  return make_method<ShortestPathRetriever>(
      "shortest_path", "search", "shortest paths between the question's names, by length",
      shortest_path_options, {.support = Support::sparse, .is_local = true});
}

Method k_hop_method() {
  return make_method<KHopRetriever>("k_hop", "search",
                                    "statements within k hops of the cue's names, the nearest first",
                                    k_hop_options, {.support = Support::sparse, .is_local = true});
}

Method backward_chaining_method() {
  return make_method<BackwardChainingRetriever>(
      "backward_chaining", "search",
      "proofs by plain resolution, the smallest first: a reference, not an allocator",
      backward_chaining_options, {.support = Support::sparse, .is_local = true});
}

}  // namespace engram::core
