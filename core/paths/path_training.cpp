// SPDX-License-Identifier: MIT
#include "core/paths/path_training.hpp"

#include <algorithm>
#include <set>

#include "core/numbers/numeric.hpp"
#include "core/numbers/parallel.hpp"

namespace engram::core {
namespace {

std::vector<StatementId> all_of(const std::vector<std::vector<StatementId>>& proofs) {
  std::set<StatementId> all;
  for (const auto& proof : proofs) all.insert(proof.begin(), proof.end());
  return {all.begin(), all.end()};
}

// The mean loss of examples, its terms added up in their order whichever thread worked them out.
class MeanLoss {
 public:
  MeanLoss(std::vector<const PathExample*> examples, const PathTrainingOptions& options)
      : examples_(std::move(examples)), options_(options) {}

  double operator()(const Vector& parameters, Vector* gradient) const {
    const PathWeights theta = path_weights_of(parameters);
    std::vector<PathLikelihood> each(examples_.size());
    for_each_task(examples_.size(), thread_count(options_.threads, examples_.size()),
                  [&](std::size_t i, unsigned) {
                    if (auto one = path_likelihood(*examples_[i], theta, options_.attention)) each[i] = *one;
                  });
    const auto count = static_cast<double>(examples_.size());
    double loss = 0;
    PathWeights slope{};
    for (const PathLikelihood& one : each) {
      loss -= one.log_p / count;
      for (std::size_t f = 0; f < path_features; ++f) slope[f] -= one.gradient[f] / count;
    }
    if (gradient != nullptr) *gradient = vector_of(slope);
    return loss;
  }

 private:
  std::vector<const PathExample*> examples_;
  const PathTrainingOptions& options_;
};

std::vector<const PathExample*> teaching(std::span<const PathExample> examples, const PathWeights& theta,
                                         const PathTrainingOptions& options) {
  std::vector<char> teaches(examples.size());
  for_each_task(examples.size(), thread_count(options.threads, examples.size()),
                [&](std::size_t i, unsigned) {
                  teaches[i] = path_likelihood(examples[i], theta, options.attention) ? 1 : 0;
                });
  std::vector<const PathExample*> found;
  for (std::size_t i = 0; i < examples.size(); ++i)
    if (teaches[i] != 0) found.push_back(&examples[i]);
  require(!found.empty(),
          "there must be an example one of whose proofs, or what is known, holds a path between its names");
  return found;
}

// The question with an end, where the answer gives it one.
PathQuestion to_answer(const PathExample& example) {
  PathQuestion question = example.question;
  if (!question.to) question.to = example.answer;
  return question;
}

// Of the two only their ratio is needed, so neither can be above 1 whatever pruning loses.
std::optional<PathLikelihood> answer_likelihood(const PathExample& example, const PathWeights& theta,
                                                const PathAttentionOptions& options) {
  const auto attend = [&](const PathQuestion& question) {
    return PathAttention(*example.memory, *example.rules, question, theta, options,
                         {{}, example.without, {}});
  };
  const PathAttention there = attend(to_answer(example));
  if (!(there.total() > 0)) return std::nullopt;
  PathQuestion other = example.question;
  other.not_to = example.answer;
  const PathAttention elsewhere = attend(other);
  const double odds = elsewhere.total() / there.total();  // against the answer
  PathLikelihood found;
  found.log_p = -log1p(odds);
  const double scale = odds / (1 + odds) / options.paths.temperature;
  for (std::size_t f = 0; f < path_features; ++f)
    found.gradient[f] = scale * (there.expected_features()[f] - elsewhere.expected_features()[f]);
  return found;
}

}  // namespace

std::optional<PathExample> left_out(const Readings& memory, const RelationRules& rules, StatementId statement,
                                    bool from_second) {
  const bool is_believed = memory.expectation[static_cast<Index>(statement)] > 0.5;
  if (!is_believed) return std::nullopt;
  for (const ConceptId from : memory.episodes.columns_of(static_cast<Index>(statement))) {
    const auto passes = memory.passes().from(from);
    const auto said = std::ranges::lower_bound(passes, statement, {}, &Pass::statement);
    if (said == passes.end() || said->statement != statement || said->back != from_second) continue;
    if (said->kind != StepKind::inheritance && said->kind != StepKind::relation) return std::nullopt;
    PathExample example{&memory, &rules, {from, {}, symbol_of(*said)}, {}, {}, said->to};
    for (const Pass& pass : passes)  // ascending by statement
      if (pass.to == said->to && (example.without.empty() || example.without.back() != pass.statement))
        example.without.push_back(pass.statement);
    return example;
  }
  return std::nullopt;
}

PathWeights path_weights_of(const Vector& parameters) {
  PathWeights theta = path_weights_in(parameters);
  for (double& x : theta) x = std::clamp(x, -largest_path_weight, largest_path_weight);
  return theta;
}

std::optional<PathLikelihood> path_likelihood(const PathExample& example, const PathWeights& theta,
                                              const PathAttentionOptions& options) {
  PathAttentionOptions wanted = options;
  wanted.features = true;
  if (example.proofs.empty() && example.answer && !example.question.to)
    return answer_likelihood(example, theta, wanted);
  const auto attend = [&](const PathQuestion& question, const PathStatements& statements) {
    return PathAttention(*example.memory, *example.rules, question, theta, wanted, statements);
  };
  std::optional<PathAttention> likeliest;
  for (const auto& proof : example.proofs) {
    PathAttention alone = attend(to_answer(example), {proof, example.without, {}});
    if (alone.total() > 0 && (!likeliest || alone.total() > likeliest->total())) likeliest = std::move(alone);
  }
  if (!likeliest) return std::nullopt;
  const PathAttention all = attend(example.question, {{}, example.without, all_of(example.proofs)});
  PathLikelihood found;
  found.log_p = std::min(0.0, log(likeliest->total()) - log(all.total()));
  for (std::size_t f = 0; f < path_features; ++f)
    found.gradient[f] =
        (likeliest->expected_features()[f] - all.expected_features()[f]) / options.paths.temperature;
  return found;
}

Training train_paths(const PathWeights& start, std::span<const PathExample> examples,
                     std::span<const PathExample> held_out, const PathTrainingOptions& options) {
  const MeanLoss training(teaching(examples, start, options), options);
  const MeanLoss validation(teaching(held_out, start, options), options);
  const Vector first = vector_of(start);
  const auto with_prior = [&](const Vector& parameters, Vector* gradient) {
    const double loss = training(parameters, gradient);
    const Vector away = parameters - first;
    if (gradient != nullptr) {
      *gradient += options.prior * away;
      for (const PathFeature f : options.frozen) (*gradient)[static_cast<Index>(f)] = 0;
    }
    return loss + options.prior / 2 * dot(as_span(away), as_span(away));
  };
  Training trained = train(first, with_prior, validation, options.descent);
  trained.parameters = vector_of(path_weights_of(trained.parameters));
  return trained;
}

}  // namespace engram::core
