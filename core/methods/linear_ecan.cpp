// SPDX-License-Identifier: MIT
#include <optional>

#include "core/methods/declaration.hpp"
#include "core/methods/flow_explainer.hpp"
#include "core/methods/walked_links.hpp"
#include "core/numbers/numeric.hpp"
#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

FlowExplainer::Flow linear_ecan_flow(const SparseRows& links, double rent, double spread, const Vector& cue,
                                     const Recall& recall) {
  const Vector v = total_share(cue), kept = (1 - rent) * recall.concepts.whole(), wages = rent * v;
  Vector keep(cue.size());  // who has no neighbours keeps all
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
  Recall recall(const Readings& memory, const Vector& cue) const {
    SparseRows weighed;
    const LinearEcan fixed = linear_ecan(walked_links(memory, links, weighed), cue, rent, spread);
    Recall recall = from_concepts(memory, fixed.sti);
    recall.iterations = fixed.iterations;
    recall.converged = fixed.converged;
    return recall;
  }
  AnyExplainer explain(const Readings& memory, const Cue& cue, const Recall& recall) const {
    SparseRows weighed;
    return std::make_unique<FlowExplainer>(
        linear_ecan_flow(walked_links(memory, links, weighed), rent, spread, cue, recall), memory, cue,
        recall);
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

}  // namespace engram::core
