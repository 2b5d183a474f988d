// SPDX-License-Identifier: MIT
#include "core/retrieval/backward_chaining.hpp"

#include <string>

#include "core/methods/declaration.hpp"
#include "core/methods/rank_explainer.hpp"

namespace engram::core {
namespace {

/// What a reasoner by rules and inheritance comes upon (core/retrieval/backward_chaining.hpp): the statements
/// of the r-th smallest proof have 1 + 1 / (1 + r), r from 0 on; others that it touched 1 / (1 + depth).
/// Where it touches nothing, or no statement is asked, those that mention a name of the cue have 1. It draws
/// the conclusions that a reasoner is for: a reference for allocators, and none itself.
struct BackwardChainingRetriever {
  static constexpr bool is_local = true;
  BackwardOptions options;
  template <class Visit>
  void each(const Readings& memory, const Cue& cue, const Visit& visit) const {
    const BackwardChaining chained = chain_backward(memory, cue, options);
    for (const Touched& one : chained.touched)
      visit(one.statement, 1.0 / (1 + one.depth),
            [&] { return "touched by a goal " + std::to_string(one.depth) + " steps from the question"; });
    for (std::size_t r = chained.proofs.size(); r-- > 0;)
      for (const StatementId e : chained.proofs[r])
        visit(e, 1 + 1 / (1 + static_cast<double>(r)), [&] {
          return "in proof " + std::to_string(r + 1) + ", of " + std::to_string(chained.proofs[r].size()) +
                 " statements";
        });
    if (!chained.touched.empty()) return;
    for (const ConceptId id : cue.names())
      for (const StatementId e : memory.mentions(id))
        visit(e, 1, [] { return std::string("no goal touches anything: it mentions a name of the cue"); });
  }
  Recall recall(const Readings& memory, const Cue& cue) const { return ranked_recall(*this, memory, cue); }
  AnyExplainer explain(const Readings& memory, const Cue& cue, const Recall& recall) const {
    return ranked_explainer(*this, memory, cue, recall);
  }
};

}  // namespace

Method backward_chaining_method() {
  using R = BackwardChainingRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("backward_chaining", "search",
                        "proofs by rules and inheritance, the smallest first: a reference, no allocator")
      .support(Support::sparse)
      .whole("depth", of(&BackwardOptions::depth), 0, 64,
             "rules and steps from the question to a goal, at most")
      .whole("proofs", of(&BackwardOptions::proofs), 1, 1e6, "how many, at most: the smallest")
      .whole("visits", of(&BackwardOptions::visits), 1, 1e9, "statements compared with a goal, at most");
}

}  // namespace engram::core
