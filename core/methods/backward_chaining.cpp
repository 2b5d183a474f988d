// SPDX-License-Identifier: MIT
#include "core/retrieval/backward_chaining.hpp"

#include "core/methods/cue_names.hpp"
#include "core/methods/declaration.hpp"

namespace engram::core {
namespace {

/// What a reasoner by rules and inheritance comes upon (core/retrieval/backward_chaining.hpp): the statements
/// of the r-th smallest proof have 1 + 1 / (1 + r), r from 0 on; others that it touched 1 / (1 + depth).
/// Where it touches nothing, or no statement is asked, those that mention a name of the cue have 1. It draws
/// the conclusions that a reasoner is for: a reference for allocators, and none itself.
struct BackwardChainingRetriever {
  BackwardOptions options;
  static constexpr const char* no_sum =
      "by the rank of the proof that it is in, or the depth of the goal that touched it: no sum";
  Recall recall(const Readings& memory, const Cue& cue) const {
    const BackwardChaining chained = chain_backward(memory, cue, options);
    Vector scores = Vector::Zero(memory.statements());
    for (const Touched& one : chained.touched) scores[one.statement] = 1.0 / (1 + one.depth);
    for (std::size_t r = chained.proofs.size(); r-- > 0;)
      for (const StatementId e : chained.proofs[r]) scores[e] = 1 + 1 / (1 + static_cast<double>(r));
    if (chained.touched.empty())
      for (const ConceptId id : names_of_cue(cue.activation))
        for (const StatementId e : memory.mentions.columns_of(id)) scores[e] = 1;
    return from_statements(memory, std::move(scores));
  }
};

}  // namespace

Method backward_chaining_method() {
  using R = BackwardChainingRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("backward_chaining", "search",
                        "proofs by rules and inheritance, the smallest first: a reference, no allocator")
      .support(Support::sparse)
      .whole("depth", of(&BackwardOptions::depth), 0, 64, "steps from the question to a goal, at most")
      .whole("proofs", of(&BackwardOptions::proofs), 1, 1e6, "how many, at most: the smallest")
      .whole("visits", of(&BackwardOptions::visits), 1, 1e9, "statements compared with a goal, at most");
}

}  // namespace engram::core
