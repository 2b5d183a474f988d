// SPDX-License-Identifier: MIT
// Capacity: how many patterns does each memory hold? Figures of the literature, reproduced; the same question
// asked of the concept graph of real files; and single recalls with their energies.
#pragma once

#include "experiments/capacity/figure.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::capacity {

struct CapacityOptions {
  std::size_t cues = 50;             // a trial
  std::vector<std::string> figures;  // of the literature, by name
  double effort = 1;                 // share of a figure's repetitions

  /// Whether a figure is measured, or made from the rows of one that is.
  bool wants(const Figure& figure) const;
};

Conclusion conclude_capacity(const Spec& spec, const CapacityOptions& options, const std::vector<Json>& rows);

// The trials that are no figures of the literature: the same question asked of a concept graph, and single
// recalls whose energies are shown.

/// Stores `stored` statements of a file, cuts a concept from `cues` of them, and counts for every method, and
/// for networks of spins over the file's concepts, how often it comes back alone.
/// A row has    file, stored, method, recalled (share), possible (share that the cues leave open at best)
TrialResult episode_trial(const Spec& spec, std::size_t cues, const Corpus& corpus, std::uint64_t seed,
                          std::size_t stored);

/// How many statements to store, to the file's last.
std::vector<std::size_t> episode_loads(const Corpus& corpus);

/// Recalls by several memories, observed all the way.
/// A row has    recall (its label), group, x (steps or sweeps), energy, overlap with the pattern
TrialResult energy_trial(std::uint64_t seed);

/// The plots and tables made of these rows, and a sentence on the graph; added to what is there.
void conclude_episodes(const std::vector<Json>& rows, Conclusion& conclusion);
void conclude_energies(const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::capacity
