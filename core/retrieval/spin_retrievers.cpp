// SPDX-License-Identifier: MIT
#include "core/retrieval/spin_retrievers.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"

namespace engram::core {

static_assert(Retriever<GraphSpinsRetriever> && Retriever<DenseMemoryRetriever>);

Recall GraphSpinsRetriever::recall(const Readings& memory, const Vector& cue) const {
  const Vector held = (memory.activity.array() > 0).select(cue, 0.0);  // who holds none gets none
  const SparseRows weighed = link_weights(links, memory.links, memory.activity, memory.total);
  const GraphSpinsRecall trace = recall_graph_spins(weighed, held, options);
  Vector activation = trace.active;
  if (options.dynamics != SpinDynamics::glauber)
    for (Index i = 0; i < activation.size(); ++i)
      activation[i] *= std::min(trace.share[i] + options.cue_strength * held[i], 1.0);
  Recall recall = from_concepts(memory, std::move(activation));
  recall.energies = trace.energies;
  recall.iterations = trace.sweeps;
  recall.converged = trace.converged;
  if (options.dynamics == SpinDynamics::sync) recall.period = trace.period;
  return recall;
}

Recall DenseMemoryRetriever::recall(const Readings& memory, const Vector& cue) const {
  if (!(sum(memory.evidence) > 0)) return no_recall(memory);  // links may have been told all the same
  DenseEpisodesOptions options;
  options.separation = separation;
  options.n = static_cast<unsigned>(n);
  options.beta = beta;
  const DenseEpisodesRecall trace = recall_dense_episodes(memory.episodes, memory.evidence, cue, options);
  const double largest = trace.costs.size() > 0 ? max(trace.costs) : 0.0;
  Vector activation = Vector::Zero(memory.concepts());
  for (std::size_t j = 0; j < trace.active.size(); ++j)
    activation[trace.active[j]] = largest > 0 ? trace.costs[static_cast<Index>(j)] / largest : 1.0;
  const Vector depths = largest > 0 ? activation : Vector(Vector::Zero(memory.concepts()));
  Recall recall = from_concepts(memory, std::move(activation));
  recall.depths = depths;
  recall.energies = trace.energies;
  recall.iterations = trace.changes;
  recall.converged = trace.converged;
  return recall;
}

}  // namespace engram::core
