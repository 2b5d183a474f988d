// SPDX-License-Identifier: MIT
#include "core/proofs/proof_training.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

namespace engram::core {
namespace {

constexpr std::size_t covariances = proof_features * (proof_features + 1) / 2;
static_assert(covariances == 78 && largest_proof_weight == 30);  // the error messages contain these numbers

// The index of a covariance in the lower triangle.
std::size_t place(std::size_t i, std::size_t j) {
  return std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j);
}

// Training also needs proofs that are less likely than those that an answer uses.
ProofAttentionOptions with_wide_slack(ProofAttentionOptions options) {
  options.search.slack *= 2;
  return options;
}

}  // namespace

std::optional<ProofExample> left_out_example(const MemoryIndex& memory, StatementId statement,
                                             bool from_second) {
  if (!(memory.expectation(static_cast<Index>(statement)) > 0.5)) return std::nullopt;
  for (const ConceptId from : memory.episode(static_cast<Index>(statement))) {
    const auto hops = memory.hops().from(from);
    const auto said = std::ranges::lower_bound(hops, statement, {}, &Hop::statement);
    if (said == hops.end() || said->statement != statement || said->back != from_second) continue;
    if (said->kind != StepKind::inheritance && said->kind != StepKind::relation) return std::nullopt;
    NamePair pair{from, {}, said->kind, {}, said->back};
    if (said->kind == StepKind::relation) pair.relation = said->relation;
    const auto term = memory.statement_term(static_cast<Index>(statement));
    ProofExample example{&memory, {{term, memory.term(static_cast<Index>(said->to))}, {pair}, said->to}, {}};
    std::vector<StatementId>& without = example.query.question.without;
    for (const Hop& hop : hops)  // ascending by statement
      if (hop.to == said->to && (without.empty() || without.back() != hop.statement))
        without.push_back(hop.statement);
    return example;
  }
  return std::nullopt;
}

ExampleProofs::ExampleProofs(const ProofExample& example, const ProofWeights& theta,
                             const ProofAttentionOptions& options)
    : example_(example),
      temperature_(options.temperature),
      found_(*example.memory, example.query, theta, with_wide_slack(options), true) {}

std::optional<ProofLikelihood> ExampleProofs::likelihood(const ProofWeights& theta) const {
  const std::vector<double> weights = found_.log_weights(theta, temperature_);
  FoundProofs::Sums known;
  known.log_total = -std::numeric_limits<double>::infinity();
  if (example_.proofs.empty()) known = found_.sums(found_.log_weights_to_answer(weights));
  for (const auto& proof : example_.proofs)
    if (const auto sums = found_.sums(found_.log_weights_over(weights, proof));
        sums.log_total > known.log_total)
      known = sums;
  if (!std::isfinite(known.log_total)) return std::nullopt;
  const FoundProofs::Sums all = found_.sums(weights);
  ProofLikelihood likelihood;
  likelihood.log_p = std::min(0.0, known.log_total - all.log_total);
  for (std::size_t f = 0; f < proof_features; ++f)
    likelihood.gradient[f] = (known.expected[f] - all.expected[f]) / temperature_;
  return likelihood;
}

std::optional<ProofLikelihood> ExampleProofs::failure_likelihood(std::span<const StatementId> given,
                                                                 double reliability,
                                                                 const ProofWeights& theta) const {
  const std::vector<double> weights = found_.log_weights(theta, temperature_);
  const FoundProofs::Sums over_given = found_.sums(found_.log_weights_over(weights, given));
  if (!std::isfinite(over_given.log_total)) return std::nullopt;
  const FoundProofs::Sums all = found_.sums(weights);
  const double found = reliability * std::min(1.0, exp(over_given.log_total - all.log_total));
  ProofLikelihood failure;
  failure.log_p = log1p(-found);
  for (std::size_t f = 0; f < proof_features; ++f)
    failure.gradient[f] = -found / (1 - found) * (over_given.expected[f] - all.expected[f]) / temperature_;
  return failure;
}

Training train_proofs(const ProofWeights& start, std::span<const ProofExample> examples,
                      std::span<const ProofExample> held_out, const ProofTrainingOptions& options) {
  LikelihoodOptions of_all{options.descent, options.prior, {}, options.threads};
  for (const ProofFeature f : options.frozen) of_all.frozen.push_back(static_cast<Index>(f));
  const auto searched = [&](std::span<const ProofExample> of) {
    std::vector<std::unique_ptr<const ExampleProofs>> found(of.size());
    for_each_task(of.size(), thread_count(options.threads, of.size()), [&](std::size_t i, unsigned) {
      found[i] = std::make_unique<const ExampleProofs>(of[i], start, options.attention);
    });
    return found;
  };
  const auto likelihood = [](const std::unique_ptr<const ExampleProofs>& proofs, const Vector& parameters) {
    return proofs->likelihood(proof_weights_of(parameters));
  };
  const auto learnt = searched(examples), validation = searched(held_out);
  Training trained =
      train_likelihood(vector_of(start), std::span(learnt), std::span(validation), likelihood, of_all);
  trained.parameters = vector_of(proof_weights_of(trained.parameters));
  return trained;
}

ProofConfidence learnt_confidence(std::span<const ProofExample> examples, const ProofWeights& theta,
                                  const ProofAttentionOptions& options) {
  ProofConfidence seen, complete;  // counts
  for (const ProofExample& example : examples) {
    if (example.proofs.empty()) continue;
    const ProofAttention attention(*example.memory, example.query, theta, options);
    if (attention.answers() > 1) continue;  // which of the answers is the known one is not recorded
    const auto kind = attention.are_guesses() ? &ProofConfidence::guess : &ProofConfidence::proof;
    std::set<StatementId> given;
    const auto is_whole = [&](const auto& known) { return std::ranges::includes(given, known); };
    for (const WeightedProof& proof : attention.proofs()) {
      given.insert(proof.statements.begin(), proof.statements.end());
      seen.*kind += 1;
      if (std::ranges::none_of(example.proofs, is_whole)) continue;
      complete.*kind += 1;
      break;
    }
  }
  const auto learnt = [&](double ProofConfidence::*kind) { return (complete.*kind + 1) / (seen.*kind + 2); };
  return {learnt(&ProofConfidence::proof), learnt(&ProofConfidence::guess)};
}

ProofLearner::ProofLearner(const ProofWeights& start, const ProofLearnerOptions& options)
    : reliability_(options.reliability) {
  require(options.precision > 0, "the precision must be above 0", options.precision);
  state_.start = state_.weights = start;
  state_.covariance.assign(covariances, 0);
  for (std::size_t f = 0; f < proof_features; ++f) state_.covariance[place(f, f)] = 1 / options.precision;
  freeze(options.frozen);
}

ProofLearner::ProofLearner(ProofLearnerState state, const ProofLearnerOptions& options)
    : state_(std::move(state)), reliability_(options.reliability) {
  require(state_.covariance.size() == covariances, "there must be 78 covariances", state_.covariance.size());
  for (const double c : state_.covariance)
    require(std::abs(c) <= 1e6, "covariances must be in [-1e6, 1e6]", c);  // a NaN is not
  for (std::size_t f = 0; f < proof_features; ++f) {
    require(state_.covariance[place(f, f)] >= 0, "variances must be 0 or above",
            state_.covariance[place(f, f)]);
    for (const double w : {state_.start[f], state_.weights[f]})
      require(std::abs(w) <= largest_proof_weight, "weights must be in [-30, 30]", w);
  }
  freeze(options.frozen);
}

// A weight with variance 0 never changes.
void ProofLearner::freeze(const std::vector<ProofFeature>& frozen) {
  for (const ProofFeature one : frozen)
    for (std::size_t f = 0; f < proof_features; ++f)
      state_.covariance[place(static_cast<std::size_t>(one), f)] = 0;
}

bool ProofLearner::answered(const ProofExample& example, const ProofAttentionOptions& options) {
  const auto likelihood = ExampleProofs(example, state_.weights, options).likelihood(state_.weights);
  if (!likelihood) return false;
  step(likelihood->gradient);
  ++state_.answered;
  return true;
}

bool ProofLearner::failed(const ProofExample& example, const std::vector<StatementId>& given,
                          const ProofAttentionOptions& options) {
  const auto likelihood =
      ExampleProofs(example, state_.weights, options).failure_likelihood(given, reliability_, state_.weights);
  if (!likelihood) return false;
  step(likelihood->gradient);
  ++state_.failed;
  return true;
}

void ProofLearner::step(const ProofWeights& gradient) {
  ProofWeights moved{};  // C g
  double spread = 1;     // 1 + g' C g
  for (std::size_t i = 0; i < proof_features; ++i) {
    for (std::size_t j = 0; j < proof_features; ++j) moved[i] += state_.covariance[place(i, j)] * gradient[j];
    spread += moved[i] * gradient[i];
  }
  for (std::size_t i = 0; i < proof_features; ++i) {
    for (std::size_t j = 0; j <= i; ++j) state_.covariance[place(i, j)] -= moved[i] * moved[j] / spread;
    // Rounding must not make a variance negative.
    double& variance = state_.covariance[place(i, i)];
    variance = std::max(0.0, variance);
    state_.weights[i] =
        std::clamp(state_.weights[i] + moved[i] / spread, -largest_proof_weight, largest_proof_weight);
  }
}

}  // namespace engram::core
