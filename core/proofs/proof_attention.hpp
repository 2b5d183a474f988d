// SPDX-License-Identifier: MIT
// Attention over the proofs of a question: a probability for each proof, and a budget for each statement that proofs use.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/proofs/proof_graph.hpp"
#include "core/proofs/proof_search.hpp"

namespace engram::core {

/// Options of the search and of the distribution.
struct ProofAttentionOptions {
  ProofSearchOptions search;
  std::size_t proofs = 64;                // the number of best proofs that become guesses, at most
  double temperature = 1;                 // T, above 0
  Regulariser map = SimplexMap::softmax;  // maps the log-weights of proofs to their shares
};

/// One proof with its probability.
struct ProofGuess {
  std::vector<StatementId> statements;  // ascending, each once
  double cost = 0;                      // the sum of cost_of_use over all uses of statements
  double share = 0;                     // p(proof)
};

/// The proofs of a question that a search found (core/proofs/proof_search.hpp), and their distribution
///   p(proof) = exp(-2 cost(proof) / T) / Z
/// where Z sums over all proofs. With another map than softmax, the map of the log-weights of the best proofs gives the
/// shares, and a proof with share 0 is left out.
class ProofAttention {
 public:
  /// Errors  std::invalid_argument unless the temperature is above 0; WorkStopped
  /// Cost    the search, and O(edges of the graph of proofs + proofs log proofs)
  ProofAttention(const Readings& memory, narsese::Term question, const ProofAttentionOptions& options);

  /// The proofs with the largest shares, in descending order; of equal ones that with fewer statements comes first. No two use
  /// the same statements. Empty if no proof was found.
  const std::vector<ProofGuess>& guesses() const { return guesses_; }
  /// For each statement that a proof uses, ascending: the mean number of times that a proof uses it.
  const std::vector<std::pair<StatementId, double>>& marginals() const { return marginals_; }
  /// The work of the search, and whether it looked at everything.
  std::uint64_t work() const { return work_; }
  bool is_complete() const { return is_complete_; }

 private:
  void share_by(const Regulariser& map);

  std::vector<ProofGuess> guesses_;
  std::vector<std::pair<StatementId, double>> marginals_;
  std::uint64_t work_ = 0;
  bool is_complete_ = false;
};

/// The budget of each statement that a proof uses, ascending by statement. Suppose that each guess is a sufficient proof with
/// probability `certainty`, if none of the guesses before it is. Then the budget of a statement is the probability that all
/// guesses before the first one that uses it fail:
///   budget(e) = (1 - certainty)^(number of guesses before)
/// The statements with a budget above x are therefore the fewest that hold a whole proof with probability 1 - x. A statement
/// that only other proofs use gets the probability that all guesses fail, times its marginal.
/// Ranges   certainty in [0, 1); budgets in (0, 1]
std::vector<std::pair<StatementId, double>> budgets(const ProofAttention& attention, double certainty);

}  // namespace engram::core
