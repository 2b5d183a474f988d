// SPDX-License-Identifier: MIT
// The three dynamics of core/hopfield/hopfield.hpp as templates over the representation of spins and couplings. A
// representation has these members:
//     visit(turn)  updates the given spins, one after another;  step()  updates all at once; both return the number of
//                  flips
//     field(i), is_up(i), flip(i), energy(), state(), and bits(), a comparable representation of the state
// Private header: only .cpp files include it.
#pragma once

#include <map>
#include <span>

#include "core/hopfield/hopfield.hpp"

namespace engram::core {

/// Asynchronous recall: updates one spin at a time until a sweep changes nothing. See recall_hopfield().
template <class Spins>
HopfieldRecall run_asynchronous(Spins& spins, Index n, const HopfieldOptions& options,
                                const StateObserver& observer) {
  require(options.observations_per_sweep >= 1, "observations_per_sweep must be at least 1",
          options.observations_per_sweep);
  const std::vector<std::uint32_t> order = sweep_order(options.order, n);
  HopfieldRecall recall;
  recall.energies.push_back(spins.energy());
  const auto pieces = static_cast<std::size_t>(options.observations_per_sweep);
  while (static_cast<int>(recall.flips.size()) < options.max_sweeps && !recall.converged) {
    int flips = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::size_t from = piece * order.size() / pieces, to = (piece + 1) * order.size() / pieces;
      flips += spins.visit(std::span(order).subspan(from, to - from));
      recall.energies.push_back(spins.energy());
      if (observer) observer(spins.state());
    }
    recall.flips.push_back(flips);
    recall.converged = flips == 0;
  }
  recall.state = spins.state();
  return recall;
}

/// Synchronous recall: updates all spins at once until a state repeats. See recall_synchronous().
template <class Spins>
HopfieldRecall run_synchronous(Spins& spins, const HopfieldOptions& options) {
  HopfieldRecall recall;
  recall.energies.push_back(spins.energy());
  std::map<std::decay_t<decltype(spins.bits())>, int> first_sweep{{spins.bits(), 0}};  // by state
  for (int sweep = 1; sweep <= options.max_sweeps && recall.period == 0; ++sweep) {
    recall.flips.push_back(spins.step());
    recall.energies.push_back(spins.energy());
    const auto [place, is_new] = first_sweep.emplace(spins.bits(), sweep);
    if (!is_new) recall.period = sweep - place->second;
  }
  recall.converged = recall.period == 1;
  recall.state = spins.state();
  return recall;
}

/// Glauber dynamics with the given draws. See recall_glauber().
template <class Spins>
GlauberRecall run_glauber(Spins& spins, Index n, const GlauberDraws& draws) {
  require_draws(draws, n);
  GlauberRecall recall;
  recall.p_plus.resize(draws.uniforms.size());
  recall.energies.push_back(spins.energy());
  for (std::size_t t = 0; t < draws.sites.size(); ++t) {
    const Index site = draws.sites[t], step = static_cast<Index>(t);
    recall.p_plus[step] = probability_of_plus(spins.field(site), draws.temperature);
    const bool flips = (draws.uniforms[step] < recall.p_plus[step]) != spins.is_up(site);
    if (flips) spins.flip(site);
    recall.flips.push_back(flips ? 1 : 0);
    recall.energies.push_back(flips ? spins.energy() : recall.energies.back());
  }
  recall.state = spins.state();
  return recall;
}

}  // namespace engram::core
