// SPDX-License-Identifier: MIT
#include "core/retrieval/nearest_questions.hpp"

#include <algorithm>
#include <functional>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

// The k-th largest of those above 0; 0 where there are no more than k.
double kth_largest(const Neighbours& all, std::size_t k) {
  std::vector<double> near;
  for (const double x : all.statements)
    if (x > 0) near.push_back(x);
  for (const double x : all.solved)
    if (x > 0) near.push_back(x);
  spend(4 * near.size());
  if (near.size() <= k) return 0;
  const auto kth = near.begin() + static_cast<std::ptrdiff_t>(k) - 1;
  std::nth_element(near.begin(), kth, near.end(), std::greater<>());
  return *kth;
}

}  // namespace

double weight_of_name(const Readings& memory, ConceptId name, const NearestOptions& options) {
  if (options.power == 0) return 1;
  return exp(options.power * log(memory.rarity[static_cast<Index>(name)]));
}

Neighbours nearest_to(const Readings& memory, const Cue& cue, const NearestOptions& options) {
  Neighbours all{Vector::Zero(memory.statements()), std::vector<double>(cue.solved.size())};
  spend(static_cast<std::uint64_t>(memory.concepts() + 2 * memory.statements()));
  for (Index name = 0; name < memory.concepts(); ++name) {
    if (!(cue.activation[name] > 0)) continue;
    const auto mentions = memory.mentions.columns_of(name);
    const double weight = weight_of_name(memory, static_cast<ConceptId>(name), options);
    spend(mentions.size());
    for (const StatementId e : mentions) all.statements[e] += weight;
  }
  for (std::size_t x = 0; x < cue.solved.size(); ++x) {
    spend(8 * cue.solved[x].names.size());
    for (const ConceptId name : cue.solved[x].names)
      if (cue.activation[name] > 0) all.solved[x] += weight_of_name(memory, name, options);
  }

  const double least = kth_largest(all, options.neighbours);
  for (double& x : all.statements) x = x >= least ? x : 0;
  for (double& x : all.solved) x = x >= least ? x : 0;
  return all;
}

Vector relevance(const Cue& cue, const Neighbours& neighbours, const NearestOptions& options) {
  Vector sum = neighbours.statements;
  for (std::size_t x = 0; x < cue.solved.size(); ++x) {
    const auto& proof = cue.solved[x].proof;
    spend(proof.size());
    for (const StatementId e : proof)
      sum[e] += options.proof_weight * neighbours.solved[x] / static_cast<double>(proof.size());
  }
  return sum;
}

}  // namespace engram::core
