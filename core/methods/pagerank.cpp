// SPDX-License-Identifier: MIT
#include <optional>

#include "core/methods/declaration.hpp"
#include "core/methods/flow_explainer.hpp"
#include "core/methods/pushed_ranks.hpp"
#include "core/methods/walked_links.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

FlowExplainer::Flow page_rank_flow(const SparseRows& links, double d, const Vector& cue,
                                   const Recall& recall) {
  const Vector v = total_share(cue), given = d * recall.concepts.whole();
  return {links,
          given,
          {{"from the cue itself, " + digits(1 - d) + " times its share there", (1 - d) * v},
           {"back to the cue from concepts without links", without_way(links, given) * v}},
          d,
          1 - d,
          "rank: chance that a walk which restarts at the cue is here"};
}

/// Personalized PageRank on the Hebbian graph, restarting at the cue, along links weighed by a rule of
/// core/graph/link_rules.hpp or, where there is none, learnt by the memory's own
/// (core/graph/link_learning.hpp).
/// Errors   NoLearner where a memory without one is walked by what it learnt
struct PageRankRetriever {
  double damping = 0.85;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    SparseRows weighed;
    const PageRank trace = personalized_page_rank(walked_links(memory, links, weighed), cue, damping);
    Recall recall = from_concepts(memory, trace.rank);
    recall.iterations = trace.iterations;
    recall.converged = trace.converged;
    return recall;
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    SparseRows weighed;
    return std::make_unique<FlowExplainer>(
        page_rank_flow(walked_links(memory, links, weighed), damping, cue, recall), memory, cue, recall);
  }
};

/// The same from what the walk reaches (core/walks/forward_push.hpp): each rank is at most that of pagerank, and
/// Recall::left_out tells what all of them lack.
struct LocalPageRankRetriever {
  double damping = PageRankRetriever{}.damping;
  double threshold = usual_push_threshold;
  std::optional<LinkRule> links = LinkRule::hebb;
  static constexpr bool is_local = true;
  PushedRank pushed(const MemoryIndex& memory, const Cue& cue) const {
    return push_rank(walked_rows(memory, links), walked_counts(memory, links),
                     cue.activation / sum(cue.activation), damping, threshold);
  }
  Recall recall(const MemoryIndex& memory, const Cue& cue) const {
    return from_pushed(memory, pushed(memory, cue));
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    SparseRows weighed;
    FlowExplainer::Flow flow = page_rank_flow(walked_links(memory, links, weighed), damping, cue, recall);
    flow.own.push_back({waiting_words, -(1 - damping) * pushed(memory, cue).waits.whole()});
    return std::make_unique<FlowExplainer>(std::move(flow), memory, cue, recall);
  }
};

}  // namespace

Method pagerank_method() {
  using R = PageRankRetriever;
  return Declaration<R>("pagerank", "hebbian walk", "Personalized PageRank on the Hebbian graph")
      .support(Support::sparse)
      .number("damping", &R::damping, 0, 0.999, "chance to follow a link rather than restart")
      .choice("links", &R::links, walked_link_names(), walked_links_meaning);
}

Method local_pagerank_method() {
  using R = LocalPageRankRetriever;
  return Declaration<R>("local_pagerank", "hebbian walk",
                        "pagerank from what the walk reaches: lower bounds, and what they lack")
      .only_by_name()
      .support(Support::sparse)
      .number("damping", &R::damping, 0, 0.999, "chance to follow a link rather than restart")
      .number("threshold", &R::threshold, least_push_threshold, 1, push_threshold_meaning)
      .choice("links", &R::links, walked_link_names(), walked_links_meaning);
}

}  // namespace engram::core
