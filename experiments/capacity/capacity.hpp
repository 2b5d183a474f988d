// SPDX-License-Identifier: MIT
// Experiment `capacity`: how many patterns can each memory store? It reproduces figures of the literature, asks the
// same question of concept graphs of real files, and records the energies of single recalls.
#pragma once

#include "experiments/capacity/figure.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::capacity {

struct CapacityOptions {
  std::size_t cues = 50;             // cues of a trial
  std::vector<std::string> figures;  // names of the figures of the literature to reproduce
  double effort = 1;                 // share of the repetitions of each figure; lower it for quick runs

  /// Whether the run contains a figure, measured or computed from the rows of another figure.
  bool wants(const Figure& figure) const;
};

Conclusion conclude_capacity(const Spec& spec, const CapacityOptions& options, const std::vector<Json>& rows);

// The trials besides the figures of the literature: the capacity of a concept graph, and single recalls with their
// energies.

/// Stores `stored` statements of a file and removes a concept from `cues` of them. Measures how often each method, and
/// networks of spins over the concepts of the file, recall exactly the removed concept.
/// A row has    file, stored, method, recalled (share), possible (the largest share that the cues allow)
TrialResult episode_trial(const Spec& spec, std::size_t cues, const Corpus& corpus, std::uint64_t seed,
                          std::size_t stored);

/// The numbers of statements to store, up to all statements of the file.
std::vector<std::size_t> episode_loads(const Corpus& corpus);

/// Runs recalls by several memories and records every step.
/// A row has    recall (its label), group, x (steps or sweeps), energy, overlap with the pattern
TrialResult energy_trial(std::uint64_t seed);

/// Add the plots and tables of these rows, and a sentence on the graph, to a conclusion.
void conclude_episodes(const std::vector<Json>& rows, Conclusion& conclusion);
void conclude_energies(const std::vector<Json>& rows, Conclusion& conclusion);

}  // namespace engram::experiments::capacity
