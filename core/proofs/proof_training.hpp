// SPDX-License-Identifier: MIT
// Learning of the weights of proofs: from questions with known proofs, and from statements that are left out.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/numbers/optimiser.hpp"
#include "core/proofs/proof_attention.hpp"

namespace engram::core {

/// A question to learn from, with all its known proofs, or with its known answer.
struct ProofExample {
  const MemoryIndex* memory = nullptr;
  AskedProofs asked;                             // question.without: statements that state the answer
  std::vector<std::vector<StatementId>> proofs;  // each ascending
};

/// The example that a statement about two names makes when it is left out. The question asks for its second name
/// (`from_second`: for its first). No statement may be used that leads from the one name to the other in one step, because it
/// may state the same in other words: <(*, b, a) --> son> and <(*, a, b) --> father>. Empty for any other statement, and for
/// one that is not believed.
/// Cost  O(hops of the name)
std::optional<ProofExample> left_out(const MemoryIndex& memory, StatementId statement, bool from_second);

/// A log-likelihood and its gradient.
struct ProofLikelihood {
  double log_p = 0;         // in (-infinity, 0]
  ProofWeights gradient{};  // by theta
};

/// The proofs of an example as one search found them. The likelihood of the example is computed for other weights without
/// another search.
class LearntProofs {
 public:
  /// Searches with twice the slack of `options`. The example must outlive this.
  /// `theta`  the weights of the search
  /// Errors   as FoundProofs
  LearntProofs(const ProofExample& example, const ProofWeights& theta, const ProofAttentionOptions& options);

  /// The log-probability of the known proof that is most likely:
  ///   log p = log Z(proof) - log Z,    d log p / d theta = (E[f | proof] - E[f]) / T
  /// where Z(proof) sums over the derivations that use only its statements. Without known proofs, the log-probability of the
  /// known answer, from the sum over all its proofs. Empty if the search found none of these.
  /// Source  Lafferty, McCallum and Pereira 2001 (maximum likelihood of a conditional random field), with the derivation
  ///         as the hidden part; statements left out: Bordes et al. 2013, "Translating Embeddings for Modeling
  ///         Multi-relational Data"
  std::optional<ProofLikelihood> likelihood(const ProofWeights& theta) const;

  /// A question that a reasoner could not answer from the statements `given` (ascending). With q = Z(given) / Z, and a reasoner
  /// that finds a proof among what it has with probability r:
  ///   log p = log(1 - r q),    d log p / d theta = -r q / (1 - r q) (E[f | given] - E[f]) / T
  /// Empty if no proof uses only these statements.
  /// Ranges  r in [0, 1)
  std::optional<ProofLikelihood> failure_likelihood(std::span<const StatementId> given, double reliability,
                                                    const ProofWeights& theta) const;

 private:
  const ProofExample& example_;
  double temperature_;
  FoundProofs found_;
};

/// How the weights are learnt.
struct ProofTrainingOptions {
  ProofAttentionOptions attention;
  TrainingOptions descent;
  double prior = 0.01;               // lambda
  std::vector<ProofFeature> frozen;  // weights that stay as they are
  unsigned threads = 1;
};

/// Weights that minimise
///   - mean of log p over the examples  +  lambda / 2 |theta - start|^2
/// by Adam, with all examples in each step: the weights of the step after which the mean without the prior was least on
/// `held_out` (core/numbers/optimiser.hpp). Proofs are searched once for each example, with the weights at the start. Examples without a likelihood are left out. The prior keeps weights of features that no example has. The number
/// of threads does not change the result.
/// Errors   std::invalid_argument unless both have an example with a likelihood; as train
Training train_proofs(const ProofWeights& start, std::span<const ProofExample> examples,
                      std::span<const ProofExample> held_out, const ProofTrainingOptions& options);

/// The confidence in each kind of proof with these weights: (k + 1) / (n + 2), n the number of proofs of this kind before
/// which no known proof of their question is whole, k the number of those that complete one. Examples without known proofs, and
/// questions with several answers, are left out.
/// Errors   WorkStopped
/// Cost     a search for each example
/// Source   Laplace's rule of succession
ProofConfidence learnt_confidence(std::span<const ProofExample> examples, const ProofWeights& theta,
                                  const ProofAttentionOptions& options);

}  // namespace engram::core
