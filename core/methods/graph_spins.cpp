// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/graph/link_rules.hpp"
#include "core/hopfield/graph_spins.hpp"
#include "core/methods/declaration.hpp"

namespace engram::core {
namespace {

/// A classical network of +1/-1 spins on the graph (core/hopfield/graph_spins.hpp), its links weighed by a
/// rule of core/graph/link_rules.hpp: a concept becomes active with a share of its neighbourhood. An active
/// concept's activation is that share, and what the cue gives it, 1 at most (by glauber: how likely it is
/// active); others have none.
struct GraphSpinsRetriever {
  GraphSpinsOptions options;
  LinkRule links = LinkRule::correlation;
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    const Vector held = (memory.activity().array() > 0).select(cue, 0.0);  // who holds none gets none
    const SparseRows weighed = link_weights(links, memory.links(), memory.activity(), memory.total());
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
  static constexpr const char* no_sum =
      "a spin follows the share of its neighbourhood that is active, cut off at a threshold, step by "
      "step: which neighbour turned it first depends on the order (hopfield has a sum)";
};

}  // namespace

Method graph_spins_method() {
  using R = GraphSpinsRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("graph_spins", "hopfield",
                        "classical Hopfield on the Hebbian graph: spins that follow a share of their links")
      .support(Support::sparse)
      .has_energy()
      .choice("dynamics", of(&GraphSpinsOptions::dynamics), spin_dynamics,
              "spins one by one, all at once, or at a temperature")
      .number("threshold", of(&GraphSpinsOptions::threshold), 0, 1,
              "share of its neighbourhood with which a concept becomes active")
      .number("cue_strength", of(&GraphSpinsOptions::cue_strength), 0, 1e6,
              "what the cue counts for, in neighbourhoods; it is held from the threshold on")
      .whole("max_sweeps", of(&GraphSpinsOptions::max_sweeps), 1, 10000, "over all spins; of glauber so many")
      .number("temperature", of(&GraphSpinsOptions::temperature), 1e-6, 1e6,
              "of glauber, in mean neighbourhoods; with a threshold above 1/2")
      .whole("seed", of(&GraphSpinsOptions::seed), 0, 9007199254740991.0, "of glauber")
      .choice("links", &R::links, link_rules, "how they are weighed; all but hebb hold hubs back");
}

}  // namespace engram::core
