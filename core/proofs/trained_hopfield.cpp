// SPDX-License-Identifier: MIT
#include "core/proofs/trained_hopfield.hpp"

#include <algorithm>
#include <limits>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/proofs/proof_training.hpp"

namespace engram::core {
namespace {

constexpr std::size_t first_recalled = asked_roles * name_roles;
constexpr std::size_t first_feature = first_recalled + name_roles * name_roles;

constexpr std::size_t map_of_asked(std::size_t from, std::size_t to) { return from * name_roles + to; }
constexpr std::size_t map_of_recalled(std::size_t from, std::size_t to) {
  return first_recalled + from * name_roles + to;
}

struct FeatureFacts {
  const char *name, *meaning;
};
constexpr std::array<FeatureFacts, statement_features> feature_facts{{
    {"of_kind_asked", "of a statement of the same kind as the question"},
    {"rule", "of a rule"},
    {"denied", "of 1 - 2 x of an expectation x below 1/2"},
    {"doubted", "of 2 - 2 x of an expectation x above 1/2"},
}};

}  // namespace

std::string hopfield_map_name(std::size_t i) {
  if (i >= first_feature) return feature_facts[i - first_feature].name;
  const bool asked = i < first_recalled;
  const std::size_t at = asked ? i : i - first_recalled;
  return (asked ? "asked_" : "recalled_") + std::string(name_role_names[at / name_roles]) + "_" +
         std::string(name_role_names[at % name_roles]);
}

std::string hopfield_map_meaning(std::size_t i) {
  if (i >= first_feature) return std::string("weight ") + feature_facts[i - first_feature].meaning;
  const bool asked = i < first_recalled;
  const std::size_t at = asked ? i : i - first_recalled;
  return std::string("weight of the ") + (asked ? "question's" : "recalled") + " names in the role " +
         std::string(name_role_names[at / name_roles]) + " for names in the role " +
         std::string(name_role_names[at % name_roles]);
}

HopfieldMaps plain_hopfield_maps(double beta) {
  HopfieldMaps maps{};
  std::fill(maps.begin(), maps.begin() + first_feature, beta);
  return maps;
}

TrainedHopfield::TrainedHopfield(const MemoryIndex& memory, const NamePair& question,
                                 std::span<const StatementId> without)
    : memory_(memory), role_keys_(memory.role_keys()), question_(question) {
  names_ = {question.from, question.to, {}};
  if (question.back) std::swap(names_[0], names_[1]);  // the question states the relation in this order
  if (question.kind == StepKind::relation)
    names_[static_cast<std::size_t>(NameRole::relation)] = question.relation;
  const auto p = static_cast<std::size_t>(memory.statements());
  is_included_.resize(p);
  for (Vector& feature : features_) feature = Vector::Zero(memory.statements());
  for (std::size_t e = 0; e < p; ++e) {
    const auto at = static_cast<Index>(e);
    is_included_[e] = memory.evidence(at) > 0 ? 1 : 0;
    if (question.kind != StepKind::other && role_keys_.kinds[e] == question.kind) features_[0][at] = 1;
    const double doubt = 1 - 2 * memory.expectation(at);
    if (doubt > 0) features_[2][at] = doubt;
    if (doubt < 0) features_[3][at] = 1 + doubt;
  }
  for (const StatementId e : memory.rules()) features_[1][static_cast<Index>(e)] = 1;
  for (const StatementId e : without) is_included_[e] = 0;
}

void TrainedHopfield::add_features(const HopfieldMaps& maps, Vector& scores) const {
  for (std::size_t f = 0; f < statement_features; ++f) scores += maps[first_feature + f] * features_[f];
}

std::vector<TrainedHopfield::Step> TrainedHopfield::run(const HopfieldMaps& maps, int steps) const {
  require(steps >= 1 && steps <= 100, "a trained Hopfield network takes 1 to 100 steps", steps);
  const Index n = memory_.concepts(), p = memory_.statements();
  std::vector<Step> all(static_cast<std::size_t>(steps));
  for (std::size_t t = 0; t < all.size(); ++t) {
    Step& step = all[t];
    charge(4 * (role_keys_.keys.entries() + static_cast<std::size_t>(n + p)));
    Vector query = Vector::Zero(role_keys_.keys.columns());
    if (t > 0) {
      step.recalled = role_keys_.keys.multiply_transposed(all[t - 1].weights);
      for (std::size_t a = 0; a < name_roles; ++a)
        for (std::size_t b = 0; b < name_roles; ++b)
          query.segment(static_cast<Index>(b) * n, n) +=
              maps[map_of_recalled(a, b)] * step.recalled.segment(static_cast<Index>(a) * n, n);
    }
    for (std::size_t a = 0; a < asked_roles; ++a)
      for (std::size_t b = 0; names_[a] && b < name_roles; ++b)
        query[static_cast<Index>(b) * n + static_cast<Index>(*names_[a])] += maps[map_of_asked(a, b)];
    step.scores = role_keys_.keys.multiply(query);
    add_features(maps, step.scores);
    double most = -std::numeric_limits<double>::infinity();
    for (Index e = 0; e < p; ++e)
      if (is_included_[static_cast<std::size_t>(e)] != 0) most = std::max(most, step.scores[e]);
    step.weights = Vector::Zero(p);
    for (Index e = 0; e < p; ++e)
      if (is_included_[static_cast<std::size_t>(e)] != 0) step.weights[e] = exp(step.scores[e] - most);
    const double total = sum(step.weights);
    if (total > 0) step.weights /= total;
    step.log_total = most + log(total);
  }
  return all;
}

Vector TrainedHopfield::recall(const HopfieldMaps& maps, int steps) const {
  return run(maps, steps).back().weights;
}

std::optional<TrainedHopfield::Likelihood> TrainedHopfield::likelihood(
    std::span<const std::vector<StatementId>> proofs, const HopfieldMaps& maps, int steps) const {
  const auto all = run(maps, steps);
  const Step& last = all.back();
  const std::vector<StatementId>* likeliest = nullptr;
  Likelihood found;
  for (const auto& proof : proofs) {
    if (proof.empty() || std::ranges::any_of(proof, [&](StatementId e) { return is_included_[e] == 0; }))
      continue;
    double log_p = 0;
    for (const StatementId e : proof) log_p += last.scores[static_cast<Index>(e)] - last.log_total;
    log_p = std::min(0.0, log_p / static_cast<double>(proof.size()));
    if (likeliest != nullptr && log_p <= found.log_p) continue;
    likeliest = &proof;
    found.log_p = log_p;
  }
  if (likeliest == nullptr) return std::nullopt;

  const Index n = memory_.concepts();
  Vector of_scores = -last.weights;
  for (const StatementId e : *likeliest)
    of_scores[static_cast<Index>(e)] += 1 / static_cast<double>(likeliest->size());
  const auto part = [n](const Vector& split, std::size_t role) {
    return as_span(split).subspan(role * static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  };
  for (std::size_t t = all.size(); t-- > 0;) {
    charge(12 * (role_keys_.keys.entries() + static_cast<std::size_t>(n + of_scores.size())));
    const Vector of_query = role_keys_.keys.multiply_transposed(of_scores);
    for (std::size_t f = 0; f < statement_features; ++f)
      found.gradient[first_feature + f] += dot(of_scores, features_[f]);
    for (std::size_t a = 0; a < asked_roles; ++a)
      for (std::size_t b = 0; names_[a] && b < name_roles; ++b)
        found.gradient[map_of_asked(a, b)] +=
            of_query[static_cast<Index>(b) * n + static_cast<Index>(*names_[a])];
    if (t == 0) break;
    Vector of_recalled = Vector::Zero(role_keys_.keys.columns());
    for (std::size_t a = 0; a < name_roles; ++a)
      for (std::size_t b = 0; b < name_roles; ++b) {
        found.gradient[map_of_recalled(a, b)] += dot(part(all[t].recalled, a), part(of_query, b));
        of_recalled.segment(static_cast<Index>(a) * n, n) +=
            maps[map_of_recalled(a, b)] * of_query.segment(static_cast<Index>(b) * n, n);
      }
    of_scores = centred_product(all[t - 1].weights, role_keys_.keys.multiply(of_recalled));
  }
  return found;
}

HopfieldMaps hopfield_maps_of(const Vector& parameters) {
  HopfieldMaps maps;
  for (std::size_t i = 0; i < hopfield_maps; ++i)
    maps[i] = std::clamp(parameters[static_cast<Index>(i)], -largest_hopfield_map, largest_hopfield_map);
  return maps;
}

Training train_hopfield(const HopfieldMaps& start, std::span<const ProofExample> examples,
                        std::span<const ProofExample> held_out, const HopfieldTrainingOptions& options) {
  Vector first(static_cast<Index>(hopfield_maps));
  for (std::size_t i = 0; i < hopfield_maps; ++i) first[static_cast<Index>(i)] = start[i];
  const auto likelihood = [&](const ProofExample& example, const Vector& parameters) {
    if (example.query.pairs.size() != 1) return std::optional<TrainedHopfield::Likelihood>();
    return TrainedHopfield(*example.memory, example.query.pairs.front(), example.query.question.without)
        .likelihood(example.proofs, hopfield_maps_of(parameters), options.steps);
  };
  Training trained = train_likelihood(first, examples, held_out, likelihood,
                                      {options.descent, options.prior, {}, options.threads});
  for (double& x : trained.parameters) x = std::clamp(x, -largest_hopfield_map, largest_hopfield_map);
  return trained;
}

}  // namespace engram::core
