// SPDX-License-Identifier: MIT
#include "core/hopfield_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/numeric.hpp"

namespace engram::core {
namespace {

void require_network(const Matrix& weights, const Vector& cue, const Vector& field) {
  require_size("rows of weights", weights.rows(), cue.size());
  require_size("columns of weights", weights.cols(), cue.size());
  if (field.size() > 0) require_size("field", field.size(), cue.size());
  require(weights.allFinite() && field.allFinite(), "weights and field must be finite");
  require_spins(cue);
}

double local_field(const Matrix& weights, const Vector& state, const Vector& external, Index i) {
  const double learnt = dot(row_span(weights, i), as_span(state));
  return external.size() > 0 ? learnt + external[i] : learnt;
}

double sign_of(double field, double spin, ZeroField at_zero) {
  if (std::abs(field) > zero_field) return field > 0 ? 1.0 : -1.0;
  return at_zero == ZeroField::keep ? spin : at_zero == ZeroField::plus ? 1.0 : -1.0;
}

std::vector<bool> bits(const Vector& state) {
  std::vector<bool> packed(static_cast<std::size_t>(state.size()));
  for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = state[static_cast<Index>(i)] > 0;
  return packed;
}

}  // namespace

void require_spins(const Vector& state) {
  for (const double s : state) require(std::abs(s) == 1, "a spin must be +1 or -1");
}

std::vector<std::uint32_t> sweep_order(const std::vector<std::uint32_t>& given, Index n) {
  std::vector<std::uint32_t> order = given;
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0U);
    return order;
  }
  std::vector<bool> named(static_cast<std::size_t>(n), false);
  bool permutation = order.size() == named.size();
  for (std::size_t k = 0; permutation && k < order.size(); ++k) {
    permutation = order[k] < named.size() && !named[order[k]];
    if (permutation) named[order[k]] = true;
  }
  require(permutation, "order must name every spin once");
  return order;
}

Vector overlaps(const Matrix& patterns, const Vector& state) {
  require_size("state", state.size(), patterns.cols());
  return multiply(patterns, state) / static_cast<double>(state.size());
}

HopfieldRecall recall_hopfield(const Matrix& weights, const Vector& cue, const HopfieldOptions& options,
                               const StateObserver& observer) {
  require_network(weights, cue, options.field);
  require(options.observations_per_sweep >= 1, "observations_per_sweep must be at least 1");
  const std::vector<std::uint32_t> order = sweep_order(options.order, cue.size());

  HopfieldRecall recall;
  recall.state = cue;
  recall.energies.push_back(hopfield_energy(weights, cue, options.field));
  const auto pieces = static_cast<std::size_t>(options.observations_per_sweep);
  while (static_cast<int>(recall.flips.size()) < options.max_sweeps && !recall.converged) {
    int flips = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      for (std::size_t k = piece * order.size() / pieces; k < (piece + 1) * order.size() / pieces; ++k) {
        double& spin = recall.state[order[k]];
        const double next =
            sign_of(local_field(weights, recall.state, options.field, order[k]), spin, options.at_zero);
        flips += next != spin;
        spin = next;
      }
      recall.energies.push_back(hopfield_energy(weights, recall.state, options.field));
      if (observer) observer(recall.state);
    }
    recall.flips.push_back(flips);
    recall.converged = flips == 0;
  }
  return recall;
}

HopfieldRecall recall_synchronous(const Matrix& weights, const Vector& cue, const HopfieldOptions& options) {
  require_network(weights, cue, options.field);
  HopfieldRecall recall;
  recall.state = cue;
  recall.energies.push_back(hopfield_energy(weights, cue, options.field));
  std::map<std::vector<bool>, int> met{{bits(cue), 0}};  // state -> the sweep after which it was first there
  for (int sweep = 1; sweep <= options.max_sweeps && recall.period == 0; ++sweep) {
    Vector next(cue.size());
    for (Index i = 0; i < next.size(); ++i)
      next[i] =
          sign_of(local_field(weights, recall.state, options.field, i), recall.state[i], options.at_zero);
    recall.flips.push_back(static_cast<int>((next.array() != recall.state.array()).count()));
    recall.state = std::move(next);
    recall.energies.push_back(hopfield_energy(weights, recall.state, options.field));
    const auto [place, is_new] = met.emplace(bits(recall.state), sweep);
    if (!is_new) recall.period = sweep - place->second;
  }
  recall.converged = recall.period == 1;
  return recall;
}

std::size_t require_draws(const GlauberDraws& draws, Index spins) {
  require(draws.temperature > 0 && std::isfinite(draws.temperature), "temperature must be above 0");
  require_size("uniforms", draws.uniforms.size(), static_cast<Index>(draws.sites.size()));
  for (const std::uint32_t site : draws.sites) require(site < spins, "a site must be one of the spins");
  for (const double u : draws.uniforms) require(u >= 0 && u < 1, "a uniform number must be in [0, 1)");
  return draws.sites.size();
}

double probability_of_plus(double field, double temperature) {
  // A ratio beyond the range of double is infinite, and its exponential the 0 or infinity it stands for.
  const double certain = std::abs(field) <= zero_field ? 0.0 : 2.0 * (field / temperature);
  return 1.0 / (1.0 + exp(-certain));
}

GlauberRecall recall_glauber(const Matrix& weights, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field) {
  require_network(weights, cue, field);
  const auto steps = static_cast<Index>(require_draws(draws, cue.size()));
  GlauberRecall recall;
  recall.state = cue;
  recall.p_plus.resize(steps);
  recall.energies.push_back(hopfield_energy(weights, cue, field));
  for (Index t = 0; t < steps; ++t) {
    const Index site = draws.sites[static_cast<std::size_t>(t)];
    recall.p_plus[t] =
        probability_of_plus(local_field(weights, recall.state, field, site), draws.temperature);
    const double next = draws.uniforms[t] < recall.p_plus[t] ? 1.0 : -1.0;
    const bool flips = next != recall.state[site];
    recall.state[site] = next;
    recall.flips.push_back(flips ? 1 : 0);
    recall.energies.push_back(flips ? hopfield_energy(weights, recall.state, field) : recall.energies.back());
  }
  return recall;
}

}  // namespace engram::core
