// SPDX-License-Identifier: MIT
#include "core/filters/nearest_questions.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// The k-th largest similarity above 0, or 0 if at most k are above 0.
double kth_largest(const Neighbours& all, std::size_t k) {
  std::vector<double> near;
  all.statements.each([&](StatementId, double x) {
    if (x > 0) near.push_back(x);
  });
  for (const double x : all.solved)
    if (x > 0) near.push_back(x);
  charge(4 * near.size());
  if (near.size() <= k) return 0;
  const auto kth = near.begin() + static_cast<std::ptrdiff_t>(k) - 1;
  std::nth_element(near.begin(), kth, near.end(), std::greater<>());
  return *kth;
}

}  // namespace

double weight_of_name(const MemoryIndex& memory, ConceptId name, const NearestOptions& options) {
  if (options.power == 0) return 1;
  return exp(options.power * log(memory.idf(static_cast<Index>(name))));
}

Neighbours nearest_to(const MemoryIndex& memory, const Cue& cue, const NearestOptions& options) {
  std::map<StatementId, double> near;
  for (const ConceptId name : cue.names()) {
    const auto mentions = memory.mentions(name);
    const double weight = weight_of_name(memory, name, options);
    charge(16 * mentions.size());
    for (const StatementId e : mentions) near[e] += weight;
  }
  Neighbours all{{memory.statements(), {near.begin(), near.end()}}, std::vector<double>(cue.solved.size())};
  for (std::size_t x = 0; x < cue.solved.size(); ++x) {
    charge(8 * cue.solved[x].names.size());
    for (const ConceptId name : cue.solved[x].names)
      if (cue.activation[name] > 0) all.solved[x] += weight_of_name(memory, name, options);
  }

  const double least = kth_largest(all, options.neighbours);
  std::erase_if(near, [&](const auto& one) { return one.second < least; });
  all.statements = {memory.statements(), {near.begin(), near.end()}};
  for (double& x : all.solved) x = x >= least ? x : 0;
  return all;
}

SparseVector relevance(const Cue& cue, const Neighbours& neighbours, const NearestOptions& options) {
  std::map<StatementId, double> sum;
  neighbours.statements.each([&](StatementId e, double x) { sum[e] = x; });
  for (std::size_t x = 0; x < cue.solved.size(); ++x) {
    const auto& proof = cue.solved[x].proof;
    charge(proof.size());
    for (const StatementId e : proof)
      sum[e] += options.proof_weight * neighbours.solved[x] / static_cast<double>(proof.size());
  }
  return {neighbours.statements.size(), {sum.begin(), sum.end()}};
}

}  // namespace engram::core
