// SPDX-License-Identifier: MIT
#include "core/hopfield/graph_spins.hpp"

#include <cmath>

#include "core/hopfield/sparse_hopfield.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// W over the mean of D_i above 0.
SparseRows to_mean_degree(SparseRows links) {
  std::vector<double> degrees;
  for (Index i = 0; i < links.rows(); ++i)
    if (const double degree = sum(links.values_of(i)); degree > 0) degrees.push_back(degree);
  if (degrees.empty()) return links;
  const double mean = sum(degrees) / static_cast<double>(degrees.size());
  for (Index i = 0; i < links.rows(); ++i)
    for (double& w : links.values_of(i)) w /= mean;
  return links;
}

// D_i as the network has it, its weights rounded: the field of a unit where all are +1.
Vector degrees_of(const SparseNetwork& network) {
  const Vector none;
  const SparseSpins all_up(network, Vector::Ones(network.size()), none);
  Vector degrees(network.size());
  for (Index i = 0; i < degrees.size(); ++i) degrees[i] = all_up.field(i);
  return degrees;
}

Vector shares_of(const SparseNetwork& network, const Vector& state, const Vector& degrees) {
  const Vector none;
  const SparseSpins spins(network, state, none);
  Vector shares = Vector::Zero(state.size());
  for (Index i = 0; i < shares.size(); ++i)
    if (degrees[i] > 0) shares[i] = (spins.field(i) / degrees[i] + 1) / 2;
  return shares;
}

void require_graph_spins(const SparseRows& links, const Vector& cue, const GraphSpinsOptions& options) {
  require_size("columns of links", links.columns(), links.rows());
  require_size("cue", cue.size(), links.rows());
  for (Index i = 0; i < links.rows(); ++i)
    for (std::size_t k = 0; k < links.columns_of(i).size(); ++k)
      require(links.values_of(i)[k] >= 0 && links.columns_of(i)[k] != i,
              "links between spins must not be negative, nor lead from a unit to itself");
  for (const double x : cue) require(x >= 0 && x <= 1, "a cue must be in [0, 1]", x);
  require(options.threshold >= 0 && options.threshold <= 1, "the threshold must be in [0, 1]",
          options.threshold);
  require(options.cue_strength >= 0 && std::isfinite(options.cue_strength),
          "the cue's strength must not be negative", options.cue_strength);
  require(options.max_sweeps >= 1, "max_sweeps must be at least 1", options.max_sweeps);
  require_positive("the temperature", options.temperature);
}

GraphSpinsRecall sample(const SparseNetwork& network, const Vector& cue, const Vector& field,
                        const Vector& degrees, const GraphSpinsOptions& options, Vector& state) {
  Rng rng(options.seed, "graph spins");
  SparseSpins spins(network, state, field);
  GraphSpinsRecall recall;
  recall.energies.push_back(spins.energy());
  recall.active = (cue.array() > 0).cast<double>();
  const int first_counted = options.max_sweeps / 2;
  Vector counted = Vector::Zero(cue.size());
  for (; recall.sweeps < options.max_sweeps; ++recall.sweeps) {
    for (const Index i : rng.permutation(static_cast<std::uint32_t>(cue.size()))) {
      if (!(degrees[i] > 0)) continue;
      charge(32);
      const double p = probability_of_plus(spins.field(i), options.temperature);
      if ((rng.uniform() < p) != spins.is_up(i)) spins.flip(i);
      if (recall.sweeps >= first_counted) counted[i] += p;
    }
    recall.energies.push_back(spins.energy());
  }
  for (Index i = 0; i < cue.size(); ++i)
    if (degrees[i] > 0)
      recall.active[i] = counted[i] / static_cast<double>(options.max_sweeps - first_counted);
  recall.converged = true;
  state = spins.state();
  return recall;
}

}  // namespace

GraphSpinsRecall recall_graph_spins(const SparseRows& links, const Vector& cue,
                                    const GraphSpinsOptions& options) {
  require_graph_spins(links, cue, options);
  const SparseNetwork network(to_mean_degree(links));
  const Vector degrees = degrees_of(network);
  Vector field(cue.size()), state(cue.size());
  for (Index i = 0; i < cue.size(); ++i) {
    field[i] = degrees[i] * (1 - 2 * options.threshold + 2 * options.cue_strength * cue[i]);
    state[i] = cue[i] > 0 ? 1 : -1;
  }
  GraphSpinsRecall recall;
  if (options.dynamics == SpinDynamics::glauber) {
    recall = sample(network, cue, field, degrees, options, state);
  } else {
    HopfieldOptions rules;
    rules.max_sweeps = options.max_sweeps;
    rules.field = field;
    const bool all_at_once = options.dynamics == SpinDynamics::sync;
    const HopfieldRecall trace =
        all_at_once ? recall_synchronous(network, state, rules) : recall_hopfield(network, state, rules);
    state = trace.state;
    recall.active = (state.array() > 0).cast<double>();
    recall.energies = trace.energies;
    recall.sweeps = static_cast<int>(trace.flips.size());
    recall.converged = trace.converged;
    recall.period = trace.period;
  }
  recall.share = shares_of(network, state, degrees);
  return recall;
}

}  // namespace engram::core
