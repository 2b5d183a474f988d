// SPDX-License-Identifier: MIT
// Attention over the proofs of a question: which of them are likely the one that is meant, and how often each
// statement is used.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/proofs/proof_graph.hpp"
#include "core/proofs/proof_search.hpp"

namespace engram::core {

/// How proofs are searched, and what is made of them.
struct ProofAttentionOptions {
  ProofSearchOptions search;
  std::size_t proofs = 64;                // the best are told apart, at most so many
  double temperature = 1;                 // T, above 0
  Regulariser map = SimplexMap::softmax;  // from the proofs' log-weights to their shares
};

/// A proof that may be the one that is meant.
struct ProofGuess {
  std::vector<StatementId> statements;  // ascending, each once
  double cost = 0;                      // of all uses of statements
  double share = 0;                     // p(proof)
};

/// The proofs of a question that a search found (core/proofs/proof_search.hpp), and their distribution
///   p(proof) = exp(-2 cost(proof) / T) / Z
/// over all of them, as often as their parts can be put together. With another map than softmax the best proofs alone
/// have shares, by that map of their log p; what has none is no guess.
class ProofAttention {
 public:
  /// Errors  std::invalid_argument unless the temperature is above 0; WorkStopped
  /// Cost    that of the search, and of its proofs
  ProofAttention(const Readings& memory, narsese::Term question, const ProofAttentionOptions& options);

  /// The largest share first; of those alike the one with fewer statements, then the one found first. No two use the
  /// same statements. None where there is no proof, or none was found.
  const std::vector<ProofGuess>& guesses() const { return guesses_; }
  /// Of each statement, ascending: the mean number of times that a proof uses it.
  const std::vector<std::pair<StatementId, double>>& marginals() const { return marginals_; }
  /// What the search spent, and whether it looked at all that there was.
  std::uint64_t work() const { return work_; }
  bool is_complete() const { return is_complete_; }

 private:
  void share_by(const Regulariser& map);

  std::vector<ProofGuess> guesses_;
  std::vector<std::pair<StatementId, double>> marginals_;
  std::uint64_t work_ = 0;
  bool is_complete_ = false;
};

/// Of each statement that a proof uses, ascending: how likely it is that none of the guesses before the first that uses
/// it is the proof that is meant, where each is it with this certainty if those before it are not,
///   budget(e) = (1 - certainty)^(guesses before)
/// So those of a budget above x are as few as hold a whole proof with probability 1 - x. What no guess uses gets the part
/// of the rest that is its marginal.
/// Ranges   certainty in [0, 1); budgets in (0, 1]
std::vector<std::pair<StatementId, double>> budgets(const ProofAttention& attention, double certainty);

}  // namespace engram::core
