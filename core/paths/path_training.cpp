// SPDX-License-Identifier: MIT
#include "core/paths/path_training.hpp"

#include <algorithm>
#include <set>

#include "core/numbers/numeric.hpp"
#include "core/paths/likelihood_training.hpp"

namespace engram::core {
namespace {

std::vector<StatementId> all_of(const std::vector<std::vector<StatementId>>& proofs) {
  std::set<StatementId> all;
  for (const auto& proof : proofs) all.insert(proof.begin(), proof.end());
  return {all.begin(), all.end()};
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
  const bool is_believed = memory.expectation(static_cast<Index>(statement)) > 0.5;
  if (!is_believed) return std::nullopt;
  for (const ConceptId from : memory.episode(static_cast<Index>(statement))) {
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
  LikelihoodOptions of_all{options.descent, options.prior, {}, options.threads};
  for (const PathFeature f : options.frozen) of_all.frozen.push_back(static_cast<Index>(f));
  const auto likelihood = [&](const PathExample& example, const Vector& parameters) {
    return path_likelihood(example, path_weights_of(parameters), options.attention);
  };
  Training trained = train_likelihood(vector_of(start), examples, held_out, likelihood, of_all);
  trained.parameters = vector_of(path_weights_of(trained.parameters));
  return trained;
}

GuessCertainty learnt_certainty(std::span<const PathExample> examples, const PathWeights& theta,
                                const PathAttentionOptions& options) {
  GuessCertainty seen, complete;  // counts
  for (const PathExample& example : examples) {
    if (example.proofs.empty()) continue;
    const PathAttention attention(*example.memory, *example.rules, example.question, theta, options,
                                  {{}, example.without, {}});
    std::set<StatementId> given;
    const auto is_whole = [&](const auto& proof) { return std::ranges::includes(given, proof); };
    for (const PathGuess& guess : attention.guesses()) {
      for (const StatementId e : guess.statements()) given.insert(e);
      const auto kind = GuessCertainty::of(guess.is_derived, example.question.to.has_value());
      seen.*kind += 1;
      if (std::ranges::none_of(example.proofs, is_whole)) continue;
      complete.*kind += 1;
      break;
    }
  }
  const auto learnt = [&](double GuessCertainty::*kind) { return (complete.*kind + 1) / (seen.*kind + 2); };
  return {learnt(&GuessCertainty::derived), learnt(&GuessCertainty::open), learnt(&GuessCertainty::alone)};
}

}  // namespace engram::core
