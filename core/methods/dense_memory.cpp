// SPDX-License-Identifier: MIT
#include "core/hopfield/dense_episodes.hpp"
#include "core/methods/declaration.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

/// Dense associative memory with the statements as patterns, weighed by their evidence
/// (core/hopfield/dense_episodes.hpp, which says why it counts overlaps from silence and takes no polynomial
/// that is not rectified). An active concept's activation is what the energy would rise without it, over the
/// largest such cost; others have none.
struct DenseMemoryRetriever {
  DenseEpisodesOptions options;
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    if (!(sum(memory.evidence()) > 0)) return no_recall(memory);  // links may have been told all the same
    const DenseEpisodesRecall trace =
        recall_dense_episodes(memory.episodes(), memory.evidence(), cue, options);
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
  static constexpr const char* no_sum =
      "an energy of all units together decides, by a power of every overlap: it is no sum over concepts "
      "(modern_hopfield, whose energy is of the same kind, has sums for each step)";
};

}  // namespace

Method dense_memory_method() {
  using R = DenseMemoryRetriever;
  const auto of = within(&R::options);
  return Declaration<R>("dense_memory", "hopfield",
                        "dense associative memory over the statements, by steepest descent")
      .support(Support::sparse)
      .has_energy()
      .choice("separation", of(&DenseEpisodesOptions::separation), episode_separations,
              "of overlaps: a power of those above 0, or e to beta times them")
      .whole("n", of(&DenseEpisodesOptions::n), 1, 30, "of rectified: the power")
      .number("beta", of(&DenseEpisodesOptions::beta), 1e-3, 100, "of exponential");
}

}  // namespace engram::core
