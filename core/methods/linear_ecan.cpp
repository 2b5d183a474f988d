// SPDX-License-Identifier: MIT
#include <optional>

#include "core/methods/declaration.hpp"
#include "core/methods/flow_explainer.hpp"
#include "core/methods/pushed_ranks.hpp"
#include "core/methods/walked_links.hpp"
#include "core/numbers/numeric.hpp"
#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

// `paid`: of wages of sum 1 those that are paid.
FlowExplainer::Flow linear_ecan_flow(const SparseRows& links, double rent, double spread, const Vector& paid,
                                     const Recall& recall) {
  const Vector kept = (1 - rent) * recall.concepts.whole(), wages = rent * paid;
  Vector keep(paid.size());  // who has no neighbours keeps all
  std::vector<double> shares;
  for (Index i = 0; i < keep.size(); ++i) {
    set_shares(links, i, shares);
    keep[i] = sum(shares) > 0 ? 1 - spread : 1.0;
  }
  return {links,
          spread * (kept + wages),
          {{"wages that stay here", keep.cwiseProduct(wages)},
           {"what it owned after rent and did not give away", keep.cwiseProduct(kept)}},
          spread * (1 - rent),
          rent,
          "importance owned where rent and wages balance"};
}

/// ECAN in proportion, at its fixed point (linear_ecan), along links as in PageRankRetriever (and its error).
struct LinearEcanRetriever {
  double rent = 0.25;  // chosen: importance travels some three links
  double spread = 0.4;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    SparseRows weighed;
    const LinearEcan fixed = linear_ecan(walked_links(memory, links, weighed), cue, rent, spread);
    Recall recall = from_concepts(memory, fixed.sti);
    recall.iterations = fixed.iterations;
    recall.converged = fixed.converged;
    return recall;
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    SparseRows weighed;
    return std::make_unique<FlowExplainer>(
        linear_ecan_flow(walked_links(memory, links, weighed), rent, spread, total_share(cue), recall),
        memory, cue, recall);
  }
};

/// The same from what importance reaches (core/walks/forward_push.hpp), as local_pagerank beside pagerank.
struct LocalLinearEcanRetriever {
  double rent = LinearEcanRetriever{}.rent;
  double spread = LinearEcanRetriever{}.spread;
  double threshold = usual_push_threshold;
  std::optional<LinkRule> links = LinkRule::hebb;
  static constexpr bool is_local = true;
  PushedEcan pushed(const MemoryIndex& memory, const Cue& cue) const {
    return push_linear_ecan(walked_rows(memory, links), walked_counts(memory, links),
                            cue.activation / sum(cue.activation), rent, spread, threshold);
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    return from_pushed(memory, pushed(memory, cue).rank);
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    SparseRows weighed;
    const PushedEcan found = pushed(memory, cue);
    FlowExplainer::Flow flow =
        linear_ecan_flow(walked_links(memory, links, weighed), rent, spread, found.paid, recall);
    flow.own.push_back({waiting_words, -rent * found.rank.waits.whole()});
    return std::make_unique<FlowExplainer>(std::move(flow), memory, cue, recall);
  }
};

}  // namespace

Method linear_ecan_method() {
  using R = LinearEcanRetriever;
  return Declaration<R>("linear_ecan", "hebbian walk",
                        "the same in proportion, solved: wages and rent at their balance, on a lazy walk")
      .support(Support::sparse)
      .number("rent", &R::rent, 1e-3, 1, "share paid a cycle")
      .number("spread", &R::spread, 0, 1, "share that goes to the neighbours a cycle")
      .choice("links", &R::links, walked_link_names(), walked_links_meaning);
}

Method local_linear_ecan_method() {
  using R = LocalLinearEcanRetriever;
  return Declaration<R>("local_linear_ecan", "hebbian walk",
                        "linear_ecan from what importance reaches: lower bounds, and what they lack")
      .only_by_name()
      .support(Support::sparse)
      .number("rent", &R::rent, 1e-3, 1, "share paid a cycle")
      .number("spread", &R::spread, 0, 1, "share that goes to the neighbours a cycle")
      .number("threshold", &R::threshold, least_push_threshold, 1, push_threshold_meaning)
      .choice("links", &R::links, walked_link_names(), walked_links_meaning);
}

}  // namespace engram::core
