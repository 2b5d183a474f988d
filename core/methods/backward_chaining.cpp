// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/methods/declaration.hpp"
#include "core/methods/rank_explainer.hpp"
#include "core/proofs/proof_attention.hpp"

namespace engram::core {
namespace {

/// Plain backward chaining, as a baseline for attention over proofs: the same search without tables and without learnt
/// weights, where each use of a statement costs 1. The statements of the r-th smallest proof get 1 + 1 / (1 + r), r from 0 on.
/// Other statements that proved a goal get 1 / (1 + size), where size is the number of uses in the first proof of that goal. If
/// no goal was proved, the statements that mention a name of the cue get 1.
struct BackwardChainingRetriever {
  static constexpr bool is_local = true;
  ProofAttentionOptions options{.search = {.work = 100'000, .slack = 2, .is_tabled = false}, .proofs = 8};

  template <class Visit>
  void each(const MemoryIndex& memory, const Cue& cue, const Visit& visit) const {
    constexpr ProofWeights each_use{-1, -1, -1, -1, -1};
    AskedProofs asked;
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
  Recall recall(const MemoryIndex& memory, const Cue& cue) const { return ranked_recall(*this, memory, cue); }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return ranked_explainer(*this, memory, cue, recall);
  }
};

}  // namespace

Method backward_chaining_method() {
  using R = BackwardChainingRetriever;
  const auto of = within(&R::options);
  const auto search = within(of(&ProofAttentionOptions::search));
  return Declaration<R>("backward_chaining", "search",
                        "proofs by plain resolution, the smallest first: a reference, no allocator")
      .support(Support::sparse)
      .whole("proofs", of(&ProofAttentionOptions::proofs), 1, 1000, "the most proofs, the smallest")
      .whole("work", search(&ProofSearchOptions::work), 1, 1e9,
             "the most statements and partial proofs that the search looks at")
      .number("slack", search(&ProofSearchOptions::slack), 0, 100,
              "the search ends after proofs that use this many statements more than the smallest");
}

}  // namespace engram::core
