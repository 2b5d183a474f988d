// SPDX-License-Identifier: MIT
#include "core/hopfield/modern_hopfield.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/declaration.hpp"
#include "core/methods/hops_explainer.hpp"

namespace engram::core {
namespace {

/// Modern Hopfield recall over the statements as patterns, from the cue and without it afterwards. With a
/// beta too small for the number of statements the only fixed point is their mean (at 8 with some 170, at 16
/// with some thousands); with a large one all but the nearest statement are forgotten in the first step. So it
/// comes from the memory: separating_beta of its number of statements and of how far they are apart
/// (core/hopfield/modern_hopfield.hpp).
struct ModernHopfieldRetriever {
  double beta = 0;  // 0: from the memory
  int max_steps = 100;
  Regulariser map = SimplexMap::softmax;
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    if (memory.statements() == 0) return no_recall(memory);
    const ModernRecall trace = this->trace(memory, cue, {});
    Recall recall = from_statements(memory, trace.weights);
    recall.energies = trace.energies;
    recall.iterations = trace.iterations;
    recall.converged = trace.converged;
    recall.certificate = trace.certificate;
    return recall;
  }
  /// Its steps, one after another, over the statements (one at least).
  ModernRecall trace(const MemoryIndex& memory, const Vector& cue, const StepObserver& observer) const {
    const ModernHopfieldOptions options{beta_for(memory), map.at_most(memory.statements()), max_steps, 1e-12};
    return recall_modern(memory.keys(), memory.query(cue), options, {}, observer);
  }
  double beta_for(const MemoryIndex& memory) const {
    return beta > 0 ? beta : separating_beta(map, memory.statements(), memory.separation());
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    return std::make_unique<HopsExplainer>(*this, beta_for(memory), false, memory, cue, recall);
  }
};

}  // namespace

Method modern_hopfield_method() {
  using R = ModernHopfieldRetriever;
  return Declaration<R>("modern_hopfield", "hopfield",
                        "modern Hopfield over the statements, iterated until it stands still")
      .has_energy()
      .number("beta", &R::beta, 0, 1e6,
              "inverse temperature: how sharply the best are preferred; 0: from how many statements there "
              "are and how far apart")
      .whole("max_steps", &R::max_steps, 1, 10000, "iterations at most")
      .map(&R::map);
}

}  // namespace engram::core
