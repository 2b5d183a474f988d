// SPDX-License-Identifier: MIT
// How the weights of paths are learnt from questions whose proofs are known.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/numbers/optimiser.hpp"
#include "core/paths/path_attention.hpp"

namespace engram::core {

/// A question to learn from, and all of its proofs that are known.
struct PathExample {
  const Readings* memory = nullptr;
  const RelationRules* rules = nullptr;
  PathQuestion question;
  std::vector<std::vector<StatementId>> proofs;  // each ascending
  std::vector<StatementId> without;              // ascending: what says the answer, and is not to be seen
};

struct PathLikelihood {
  double log_p = 0;        // in (-infinity, 0]
  PathWeights gradient{};  // of it, by theta
};

/// How likely a known proof is, of several the likeliest. With Z of all paths and derivations, and Z(proof) of
/// those over its statements alone, which pruning does not lose,
///   log p = log Z(proof) - log Z,    d log p / d theta = (E[f | proof] - E[f]) / T
/// Nothing where no proof holds a path from the question's one end to the other.
/// Cost     two recalls and one for each proof
/// Source   Lafferty, McCallum and Pereira 2001 (maximum likelihood of a conditional random field), with the
///          derivation as the hidden part
std::optional<PathLikelihood> path_likelihood(const PathExample& example, const PathWeights& theta,
                                              const PathAttentionOptions& options);

struct PathTrainingOptions {
  PathAttentionOptions attention;
  TrainingOptions descent;
  double prior = 0.01;              // lambda
  std::vector<PathFeature> frozen;  // whose weights stay as they are
  unsigned threads = 1;
};

/// Weights that make less
///   - mean of log p over the examples  +  lambda / 2 |theta - start|^2
/// by Adam, with all examples in each step: those of the step after which the mean without the prior was least
/// on `held_out` (core/numbers/optimiser.hpp). Examples of which no proof holds a path teach nothing, and are
/// left out. The prior keeps weights of what the examples do not have where they are. Weights beyond
/// +-largest_path_weight are taken for these.
/// Threads make no difference to the result.
/// Errors   std::invalid_argument unless both have an example that teaches; as train
Training train_paths(const PathWeights& start, std::span<const PathExample> examples,
                     std::span<const PathExample> held_out, const PathTrainingOptions& options);

}  // namespace engram::core
