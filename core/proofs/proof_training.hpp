// SPDX-License-Identifier: MIT
// Learning of the weights of proofs: from a set of examples, or online from one question at a time.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/optimiser.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/proofs/proof_attention.hpp"

namespace engram::core {

/// A training example: a question with all its known proofs, or with its known answer.
struct ProofExample {
  const MemoryIndex* memory = nullptr;
  ProofQuery query;                              // question.without: statements that state the answer
  std::vector<std::vector<StatementId>> proofs;  // each ascending
};

/// Makes an example of a statement about two names by leaving it out. The question asks for the second name or, with
/// `from_second`, for the first one. No proof may use a statement that leads from one name to the other in one step,
/// because it may state the same in other words, such as <(*, b, a) --> son> and <(*, a, b) --> father>. Empty for any
/// other statement, and for one that is not believed.
/// Cost  O(hops of the name)
std::optional<ProofExample> left_out_example(const MemoryIndex& memory, StatementId statement,
                                             bool from_second);

/// A log-likelihood and its gradient.
struct ProofLikelihood {
  double log_p = 0;         // in (-infinity, 0]
  ProofWeights gradient{};  // by theta
};

/// The proofs of an example that one search found. The likelihood of the example can be computed for other weights
/// without another search.
class ExampleProofs {
 public:
  /// Searches with twice the slack of `options`. The example must outlive this.
  /// `theta`  the weights of the search
  /// Errors   as FoundProofs
  ExampleProofs(const ProofExample& example, const ProofWeights& theta, const ProofAttentionOptions& options);

  /// The log-probability of the known proof that is most likely:
  ///   log p = log Z(proof) - log Z,    d log p / d theta = (E[f | proof] - E[f]) / T
  /// where Z(proof) sums over the derivations that use only its statements. Without known proofs, it is the
  /// log-probability of the known answer, by the sum over all its proofs. Empty if the search found none of these.
  /// Source  Lafferty, McCallum and Pereira 2001 (maximum likelihood of a conditional random field), with the
  ///         derivation as the hidden part; statements left out: Bordes et al. 2013, "Translating Embeddings for
  ///         Modeling Multi-relational Data"
  std::optional<ProofLikelihood> likelihood(const ProofWeights& theta) const;

  /// The log-probability that a reasoner fails to answer the question from the statements `given` (ascending). With
  /// q = Z(given) / Z, and a reasoner that finds a proof in its statements with probability r:
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

/// Options of train_likelihood().
struct LikelihoodOptions {
  const TrainingOptions& descent;
  double prior = 0;           // lambda
  std::vector<Index> frozen;  // parameters that do not change
  unsigned threads = 1;       // does not change the result
};

/// Minimises, for any model with a likelihood,
///   - mean of log p over the examples  +  lambda / 2 |parameters - start|^2
/// by Adam, with all examples in each step (core/numbers/optimiser.hpp). Returns the parameters of the step after which
/// the mean without the prior was smallest on `held_out`. Examples without a likelihood at the start are left out.
/// `likelihood`  called with an example and parameters; returns an optional {log_p, gradient}
/// Errors   std::invalid_argument unless both sets have an example with a likelihood; as train
template <class Example, class Likelihood>
Training train_likelihood(const Vector& start, std::span<const Example> examples,
                          std::type_identity_t<std::span<const Example>> held_out,
                          const Likelihood& likelihood, const LikelihoodOptions& options) {
  using Found = typename std::invoke_result_t<Likelihood, const Example&, const Vector&>::value_type;
  const auto on_threads = [&](std::size_t count, const auto& task) {
    for_each_task(count, thread_count(options.threads, count), [&](std::size_t i, unsigned) { task(i); });
  };
  // The mean of -log p over the examples with a likelihood. Terms are added in their order, whatever the threads.
  const auto loss_over = [&](std::span<const Example> all) {
    std::vector<char> is_used(all.size());
    on_threads(all.size(), [&](std::size_t i) { is_used[i] = likelihood(all[i], start) ? 1 : 0; });
    std::vector<const Example*> used;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_used[i] != 0) used.push_back(&all[i]);
    require(!used.empty(),
            "the search must find a known proof, or the known answer, of at least one example");
    return [&, used = std::move(used)](const Vector& parameters, Vector* gradient) {
      std::vector<Found> each(used.size());
      on_threads(used.size(), [&](std::size_t i) {
        if (auto found = likelihood(*used[i], parameters)) each[i] = *std::move(found);
      });
      const auto count = static_cast<double>(used.size());
      double loss = 0;
      if (gradient != nullptr) *gradient = Vector::Zero(parameters.size());
      for (const Found& one : each) {
        loss -= one.log_p / count;
        if (gradient == nullptr) continue;
        for (std::size_t f = 0; f < one.gradient.size(); ++f)
          (*gradient)[static_cast<Index>(f)] -= one.gradient[f] / count;
      }
      return loss;
    };
  };
  const auto training = loss_over(examples), validation = loss_over(held_out);
  const auto with_prior = [&](const Vector& parameters, Vector* gradient) {
    const double loss = training(parameters, gradient);
    const Vector away = parameters - start;
    if (gradient != nullptr) {
      *gradient += options.prior * away;
      for (const Index f : options.frozen) (*gradient)[f] = 0;
    }
    return loss + options.prior / 2 * dot(as_span(away), as_span(away));
  };
  return train(start, with_prior, validation, options.descent);
}

/// Options of train_proofs().
struct ProofTrainingOptions {
  ProofAttentionOptions attention;
  TrainingOptions descent;
  double prior = 0.01;               // lambda
  std::vector<ProofFeature> frozen;  // features whose weights do not change
  unsigned threads = 1;
};

/// Learns weights by train_likelihood(). Proofs are searched once for each example, with the weights at the start. The
/// prior keeps the weights of features that no example has. The number of threads does not change the result.
/// Errors   as train_likelihood
Training train_proofs(const ProofWeights& start, std::span<const ProofExample> examples,
                      std::span<const ProofExample> held_out, const ProofTrainingOptions& options);

/// Learns the confidence in each kind of proof with these weights: (k + 1) / (n + 2). For each question, n counts the
/// proofs of this kind up to the first one that completes a known proof, and k counts that one. Examples without known
/// proofs, and questions with several answers, are left out.
/// Errors   WorkStopped
/// Cost     a search for each example
/// Source   Laplace's rule of succession
ProofConfidence learnt_confidence(std::span<const ProofExample> examples, const ProofWeights& theta,
                                  const ProofAttentionOptions& options);

/// The complete state of a learner. The same state and the same questions give the same weights.
struct ProofLearnerState {
  ProofWeights start{}, weights{};  // the weights at the start; the current weights
  /// The posterior covariance of the weights: its lower triangle, row by row. It has 78 numbers.
  std::vector<double> covariance;
  std::uint64_t answered = 0, failed = 0;  // the numbers of questions that changed the weights

  friend bool operator==(const ProofLearnerState&, const ProofLearnerState&) = default;
};

/// Options of the learner.
struct ProofLearnerOptions {
  /// The prior precision of each weight around the start: 1 / variance. Chosen, together with `reliability`, on streams
  /// of questions that are in no figure (experiments/training/README.md). With less, the first few questions spoil good
  /// weights.
  double precision = 3;
  /// r of ExampleProofs::failure_likelihood. With more, questions that have no answer at all mislead the learner.
  double reliability = 0.5;
  std::vector<ProofFeature> frozen = {};  // features whose weights do not change
};

/// Online learning of the weights, one question at a time. The weights have a normal prior around the start, with the
/// given precision. With g the gradient of log p of a question at the current weights, each question makes the step
///   C <- (C^-1 + g g')^-1 = C - C g g' C / (1 + g' C g),    theta <- theta + C g    (with the new C)
/// This is one Newton step towards the maximum of the posterior, with the empirical Fisher information in place of the
/// Hessian. The more questions have determined a weight, the less the next one changes it. Weights are clamped to
/// +-largest_proof_weight.
/// Source   Hazan, Agarwal and Kale 2007, "Logarithmic regret algorithms for online convex optimization" (online
///          Newton step); Ollivier 2018, "Online natural gradient as a Kalman filter"
/// Cost     of a step: the likelihood, and O(proof_features^2)
class ProofLearner {
 public:
  explicit ProofLearner(const ProofWeights& start, const ProofLearnerOptions& options = {});
  /// Continues from a saved state. The precision in `options` has no effect. A weight that was frozen once stays
  /// frozen.
  /// Errors  std::invalid_argument for an invalid state: a wrong number of covariances, a covariance that is not in
  ///         [-1e6, 1e6], a negative variance, a weight beyond +-largest_proof_weight
  explicit ProofLearner(ProofLearnerState state, const ProofLearnerOptions& options = {});

  /// Learns from a question that was answered by `example.proofs`. Returns whether the weights changed.
  bool answered(const ProofExample& example, const ProofAttentionOptions& options);
  /// Learns from a question that a reasoner could not answer from the statements `given` (ascending).
  bool failed(const ProofExample& example, const std::vector<StatementId>& given,
              const ProofAttentionOptions& options);

  const ProofWeights& weights() const { return state_.weights; }
  const ProofLearnerState& state() const { return state_; }

 private:
  void freeze(const std::vector<ProofFeature>& frozen);
  void step(const ProofWeights& gradient);

  ProofLearnerState state_;
  double reliability_;
};

}  // namespace engram::core
