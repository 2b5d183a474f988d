// SPDX-License-Identifier: MIT
// How the weights of paths are learnt: from questions whose proofs are known, and from statements left out.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/numbers/optimiser.hpp"
#include "core/paths/path_attention.hpp"

namespace engram::core {

/// A question to learn from, and all of its proofs that are known; or, of a question with one end, the name
/// that answers it.
struct PathExample {
  const Readings* memory = nullptr;
  const RelationRules* rules = nullptr;
  PathQuestion question;
  std::vector<std::vector<StatementId>> proofs;  // each ascending
  std::vector<StatementId> without;              // ascending: what says the answer, and is not to be seen
  std::optional<ConceptId> answer = {};          // without `question.to`: where paths are to lead
};

/// The example that an inheritance or a relation of two names makes when it is left out: what it says is asked
/// of its first name (`from_second`: of its second), the other one is the answer, and no statement is seen that
/// leads from the one to the other in one step: it may say the same in other words, as <(*, b, a) --> son> does
/// of <(*, a, b) --> father>. Nothing of any other statement, and of one that is not believed.
/// Cost  O(passes of the name)
std::optional<PathExample> left_out(const Readings& memory, const RelationRules& rules, StatementId statement,
                                    bool from_second);

/// A log-likelihood and its gradient.
struct PathLikelihood {
  double log_p = 0;        // in (-infinity, 0]
  PathWeights gradient{};  // of it, by theta
};

/// How likely a known proof is, of several the likeliest. With Z of all paths and derivations, and Z(proof) of
/// those over its statements alone, which pruning does not lose,
///   log p = log Z(proof) - log Z,    d log p / d theta = (E[f | proof] - E[f]) / T
/// Nothing where no proof holds a path from the question's one end to the other, or to the answer.
/// Without proofs, how likely it is to come to the answer: with Z(to) of the paths that lead there, and
/// Z(elsewhere) of those that end at any other name,
///   log p = log Z(to) - log(Z(to) + Z(elsewhere))
///   d log p / d theta = (1 - p) (E[f | to] - E[f | elsewhere]) / T
/// Nothing where no path leads there. The path, too, is hidden then.
/// Cost     two recalls and one for each proof
/// Source   Lafferty, McCallum and Pereira 2001 (maximum likelihood of a conditional random field), with the
///          derivation as the hidden part; statements left out: Bordes et al. 2013, "Translating Embeddings
///          for Modeling Multi-relational Data"
std::optional<PathLikelihood> path_likelihood(const PathExample& example, const PathWeights& theta,
                                              const PathAttentionOptions& options);

/// How the weights of paths are learnt.
struct PathTrainingOptions {
  PathAttentionOptions attention;
  TrainingOptions descent;
  double prior = 0.01;              // lambda
  std::vector<PathFeature> frozen;  // whose weights stay as they are
  unsigned threads = 1;
};

/// Parameters, within +-largest_path_weight.  Shapes  parameters (path_features)
PathWeights path_weights_of(const Vector& parameters);

/// Weights that make less
///   - mean of log p over the examples  +  lambda / 2 |theta - start|^2
/// by Adam, with all examples in each step: those of the step after which the mean without the prior was least
/// on `held_out` (core/numbers/optimiser.hpp). Examples without a likelihood teach nothing, and are left
/// out. The prior keeps weights of what the examples do not have where they are. Weights beyond
/// +-largest_path_weight are taken for these.
/// Threads make no difference to the result.
/// Errors   std::invalid_argument unless both have an example that teaches; as train
Training train_paths(const PathWeights& start, std::span<const PathExample> examples,
                     std::span<const PathExample> held_out, const PathTrainingOptions& options);

/// What is learnt of guesses, best first, with these weights: of each kind (k + 1) / (n + 2), with n of them before
/// which no known proof of their question is whole, and k that complete one. Examples without proofs tell nothing;
/// of a kind that none has, it is 1/2.
/// Errors   WorkStopped
/// Cost     a recall for each example
/// Source   Laplace's rule of succession: the mean of a probability of which nothing was known before
GuessCertainty learnt_certainty(std::span<const PathExample> examples, const PathWeights& theta,
                                const PathAttentionOptions& options);

}  // namespace engram::core
