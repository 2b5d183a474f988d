// SPDX-License-Identifier: MIT
#include <optional>

#include "core/methods/declaration.hpp"
#include "core/methods/flow_explainer.hpp"
#include "core/methods/walked_links.hpp"
#include "core/walks/spreading_activation.hpp"

namespace engram::core {
namespace {

FlowExplainer::Flow spreading_flow(const SparseRows& links, const SpreadingOptions& options,
                                   const Vector& cue) {
  const Spread spread = spread_activation(links, cue, options);
  const Vector v = total_share(cue), given = options.passed_on * spread.fired_sum.whole();
  return {links,
          given,
          {{"from the cue itself", v},
           {"back to the cue from concepts without links", without_way(links, given) * v},
           {"passed on, " + digits(options.passed_on) + " of the pulses that reached the threshold " +
                digits(options.threshold),
            -given}},
          options.passed_on,
          1 - options.passed_on,
          "activation: all pulses that came, less what was passed on"};
}

/// Spreading activation in waves from the cue, along links as in PageRankRetriever (and its error). It looks
/// at no more of the graph than is reached by pulses above the threshold.
struct SpreadingActivationRetriever {
  double passed_on = 0.85;
  double threshold = 1e-4;
  int max_steps = 100;
  std::optional<LinkRule> links = LinkRule::hebb;
  static constexpr bool is_local = true;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    const Spread spread =
        spread_activation(walked_rows(memory, links), cue, {passed_on, threshold, max_steps});
    Recall recall = from_concepts(memory, spread.activation);
    recall.iterations = spread.steps;
    recall.converged = spread.converged;
    return recall;
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    SparseRows weighed;
    return std::make_unique<FlowExplainer>(
        spreading_flow(walked_links(memory, links, weighed), {passed_on, threshold, max_steps}, cue), memory,
        cue, recall);
  }
};

}  // namespace

Method spreading_activation_method() {
  using R = SpreadingActivationRetriever;
  return Declaration<R>("spreading_activation", "hebbian walk",
                        "waves of activation from the cue along the Hebbian links, until they are faint")
      .support(Support::sparse)
      .number("passed_on", &R::passed_on, 0, 0.999, "share of a pulse that goes on to the neighbours")
      .number("threshold", &R::threshold, 0, 1, "pulses below it stop")
      .whole("max_steps", &R::max_steps, 1, 10000, "of a wave")
      .choice("links", &R::links, walked_link_names(), walked_links_meaning);
}

}  // namespace engram::core
