// SPDX-License-Identifier: MIT
// Training of the feature weights of proof_attention: from a set of examples, or online from one question at a time.
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

/// A training example: a question with all its known proofs. If `proofs` is empty, training uses the known answer
/// instead.
struct ProofExample {
  const MemoryIndex* memory = nullptr;
  ProofQuery query;  // its question.without has statements that give the answer away
  std::vector<std::vector<StatementId>> proofs;  // each ascending
};

/// Turns a statement about two names into a training example: the statement is hidden, and the question asks for its
/// second name or, with `from_second`, for its first one. No proof may use a statement that leads from one name to the
/// other in one step. Such a statement may say the same in other words, such as <(*, b, a) --> son> and <(*, a, b) -->
/// father>. Returns nothing if the statement is not about two names, or is not believed (expectation at most 1/2).
/// Cost  O(hops of the name): the number of steps that statements allow from the name to other names
std::optional<ProofExample> left_out_example(const MemoryIndex& memory, StatementId statement,
                                             bool from_second);

/// A log-likelihood, and its gradient with respect to the feature weights.
struct ProofLikelihood {
  double log_p = 0;         // in (-infinity, 0]
  ProofWeights gradient{};  // derivative for each feature weight
};

/// The proofs of a training example, found by one search. Training evaluates its likelihood for many weights without
/// another search.
class ExampleProofs {
 public:
  /// Searches with twice the slack of `options`, because training also needs unlikely proofs. The example must outlive
  /// this object.
  /// `theta`  the weights of the search
  /// Errors   WorkStopped; std::invalid_argument for a temperature out of range
  ExampleProofs(const ProofExample& example, const ProofWeights& theta, const ProofAttentionOptions& options);

  /// Returns the log-probability of the most likely known proof:
  ///   log p = log Z(proof) - log Z,    d log p / d theta = (E[f | proof] - E[f]) / T
  /// Here Z is the sum of the weights of all found proofs, and E[f] is their mean feature vector. Z(proof) and E[f |
  /// proof] count only proofs from the statements of the known proof. T is the temperature. Without known proofs, the
  /// result is the log-probability of the known answer, and Z(proof) counts all proofs of this answer. Returns nothing
  /// if the search found no known proof, or not the known answer.
  /// Source  Lafferty, McCallum and Pereira 2001 (maximum likelihood of a conditional random field), with the
  ///         derivation as the hidden part; statements left out: Bordes et al. 2013, "Translating Embeddings for
  ///         Modeling Multi-relational Data"
  std::optional<ProofLikelihood> likelihood(const ProofWeights& theta) const;

  /// Returns the log-probability that a reasoner fails to answer the question from the statements `given` (ascending).
  /// Use it to learn from questions that got no answer:
  ///   log p = log(1 - r q),    d log p / d theta = -r q / (1 - r q) (E[f | given] - E[f]) / T
  /// Here q = Z(given) / Z is the probability that the right proof uses only these statements, with Z the sum of the
  /// weights of all found proofs and Z(given) the part from `given`. r = `reliability` is the probability that the
  /// reasoner then finds this proof. E[f] and E[f | given] are the mean feature vectors over the same two sets of
  /// proofs, and T is the temperature. Returns nothing if no proof uses only these statements.
  /// Ranges  reliability in [0, 1)
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
  double prior = 0;           // strength lambda of the pull towards the start
  std::vector<Index> frozen;  // indices of parameters that do not change
  unsigned threads = 1;       // the result is the same for any number
};

/// Trains the parameters of any model with a likelihood. It minimises
///   - mean of log p over the examples  +  lambda / 2 |parameters - start|^2
/// with lambda = options.prior, by Adam on all examples at once (core/numbers/optimiser.hpp). Returns the parameters of
/// the step after which the mean of -log p on `held_out` was smallest. Skips examples without a likelihood at the
/// start.
/// `likelihood`  function of an example and parameters that returns an optional {log_p, gradient}
/// Errors   std::invalid_argument unless both sets have an example with a likelihood; errors of train()
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
  double prior = 0.01;               // strength lambda of the pull towards the start
  std::vector<ProofFeature> frozen;  // features whose weights do not change
  unsigned threads = 1;
};

/// Learns the feature weights of proof_attention from examples by train_likelihood(). The proofs of each example are
/// searched once, with the weights `start`. The prior keeps the weights of features that no example has. The number of
/// threads does not change the result.
/// Errors   those of train_likelihood()
Training train_proofs(const ProofWeights& start, std::span<const ProofExample> examples,
                      std::span<const ProofExample> held_out, const ProofTrainingOptions& options);

/// Estimates how often a single proof, or a single guess, suffices with these weights: (k + 1) / (n + 2). For each
/// question, the proofs are tried in their order until the statements of the proofs so far contain a known proof. n
/// counts the tried proofs of all questions, and k the questions with such a proof. Proofs and guesses are counted
/// separately. Examples without known proofs, and questions with several answers, are left out.
/// Errors   WorkStopped
/// Cost     a search for each example
/// Source   Laplace's rule of succession
ProofConfidence learnt_confidence(std::span<const ProofExample> examples, const ProofWeights& theta,
                                  const ProofAttentionOptions& options);

/// The state of a ProofLearner, for storage. Learners with equal states that get equal questions learn equal weights.
struct ProofLearnerState {
  ProofWeights start{}, weights{};  // weights at the start, and current weights
  /// The posterior covariance of the weights: the lower triangle of the matrix, row by row, with 78 numbers.
  std::vector<double> covariance;
  std::uint64_t answered = 0, failed = 0;  // numbers of questions that changed the weights

  friend bool operator==(const ProofLearnerState&, const ProofLearnerState&) = default;
};

/// Options of ProofLearner.
struct ProofLearnerOptions {
  /// Prior precision of each weight around its start: 1 / variance. Chosen, together with `reliability`, on streams of
  /// questions that no figure uses (experiments/training/README.md). With a lower precision, the first few questions
  /// spoil good weights.
  double precision = 3;
  /// Assumed probability that a reasoner finds the right proof if it has all its statements (`reliability` of
  /// ExampleProofs::failure_likelihood). With a larger value, questions without any answer mislead the learner.
  double reliability = 0.5;
  std::vector<ProofFeature> frozen = {};  // features whose weights do not change
};

/// Online learner of the feature weights, one question at a time. Use it if questions and their results arrive while
/// the program runs. The weights theta have a normal prior around the start with the given precision, and C is their
/// covariance. With g the gradient of log p of the question at the current weights, each question makes the step
///   C <- (C^-1 + g g')^-1 = C - C g g' C / (1 + g' C g),    theta <- theta + C g    (with the new C)
/// This is one Newton step towards the maximum of the posterior, with the empirical Fisher information in place of the
/// Hessian. The more questions have determined a weight, the less the next question changes it. Weights are clamped to
/// +-largest_proof_weight.
/// Source   Hazan, Agarwal and Kale 2007, "Logarithmic regret algorithms for online convex optimization" (online
///          Newton step); Ollivier 2018, "Online natural gradient as a Kalman filter"
/// Cost     of a step: the likelihood, and O(proof_features^2)
class ProofLearner {
 public:
  explicit ProofLearner(const ProofWeights& start, const ProofLearnerOptions& options = {});
  /// Continues from a saved state. The precision in `options` has no effect. A weight that was once frozen stays
  /// frozen.
  /// Errors  std::invalid_argument for an invalid state: a wrong number of covariances, a covariance that is not in
  ///         [-1e6, 1e6], a negative variance, a weight beyond +-largest_proof_weight
  explicit ProofLearner(ProofLearnerState state, const ProofLearnerOptions& options = {});

  /// Learns from an answered question, whose answer used the proof in `example.proofs`. Returns whether the weights
  /// changed.
  bool answered(const ProofExample& example, const ProofAttentionOptions& options);
  /// Learns from a question that a reasoner could not answer from the statements `given` (ascending). Returns whether
  /// the weights changed.
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
