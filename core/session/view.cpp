// SPDX-License-Identifier: MIT
#include "core/session/view.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "core/numbers/work_budget.hpp"
#include "narsese/truth.hpp"

namespace engram::core {
namespace {

struct Candidate {
  double priority = 0, use = 0;
  ConceptId id = 0;
};

bool better(const Candidate& a, const Candidate& b) {
  return std::tie(b.priority, b.use, a.id) < std::tie(a.priority, a.use, b.id);
}

// Keeps the best candidates: a heap with the worst on top.
class BestCandidates {
 public:
  explicit BestCandidates(std::size_t capacity) : capacity_(capacity) {}

  bool is_full() const { return held_.size() == capacity_; }
  void offer(const Candidate& candidate) {
    if (is_full()) {
      if (capacity_ == 0 || !better(candidate, held_.front())) return;
      std::ranges::pop_heap(held_, better);
      held_.pop_back();
    }
    held_.push_back(candidate);
    std::ranges::push_heap(held_, better);
  }
  std::vector<Candidate> in_order() && {
    std::ranges::sort_heap(held_, better);
    return std::move(held_);
  }

 private:
  std::size_t capacity_;
  std::vector<Candidate> held_;
};

double use_of(const Concept& one, const ConceptGraph& graph, Time now) {
  const Time age = now - one.updated;
  const double evidence = (one.activity + one.judged) * graph.retention(age);
  return evidence / (evidence + static_cast<double>(age) + 1);
}

std::vector<Candidate> best_concepts(const Session& session, std::size_t count) {
  const Memory& memory = session.memory();
  const ConceptGraph& graph = memory.graph();
  const SparseVector& shares = session.budget(AllocationOf::concepts);
  const double largest = shares.held() > 0 ? shares.max() : 0;
  BestCandidates best(count);
  if (largest > 0)
    shares.each([&](std::uint32_t id, double share) {
      best.offer({share / largest, use_of(graph[id], graph, memory.now()), id});
    });
  if (best.is_full()) return std::move(best).in_order();
  // The newest concepts first, because they are most likely selected; most others then need only one comparison.
  for (auto id = static_cast<ConceptId>(graph.size()); id-- > 0;) {
    charge(4);
    if (!graph.was_active(id)) continue;
    const double use = use_of(graph[id], graph, memory.now());
    if (!(largest > 0))
      best.offer({use, use, id});
    else if (static_cast<Index>(id) >= shares.size() || shares[static_cast<Index>(id)] == 0)
      best.offer({0, use, id});
  }
  return std::move(best).in_order();
}

double quality_of(const ConceptGraph& graph, ConceptId id, Time now) {
  const auto links = graph.links_of(id);
  double total = 0, weighted = 0;
  for (const std::uint32_t number : links.last(std::min(links.size(), max_links_read))) {
    const HebbianLink link = graph.link(number, id);
    const double weight = graph.weight(link, now);
    total += weight;
    weighted += weight * graph.truth(link, now).confidence;
  }
  return total > 0 ? weighted / total : 0;
}

ViewedConcept seen(const ConceptGraph& graph, const Candidate& candidate, Time now) {
  const double evidence = graph.activity(candidate.id, now);
  return {candidate.id,
          {candidate.priority, narsese::confidence_of(evidence), quality_of(graph, candidate.id, now)},
          evidence,
          graph[candidate.id].updated};
}

// Visits each link between two of the concepts once: by the link list of one end, or by lookups if these are fewer.
template <class Visit>
void each_link_between(const ConceptGraph& graph, std::vector<ConceptId> ids, Visit visit) {
  std::ranges::sort(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto behind = std::span(ids).subspan(i + 1);
    const auto links = graph.links_of(ids[i]);
    charge(32 * std::min(links.size(), behind.size()));
    if (links.size() <= behind.size()) {
      for (const std::uint32_t number : links) {
        const HebbianLink link = graph.link(number, ids[i]);
        if (link.source == ids[i] && std::ranges::binary_search(behind, link.target)) visit(link);
      }
    } else {
      for (const ConceptId other : behind)
        if (const auto link = graph.find_link(ids[i], other)) visit(*link);
    }
  }
}

}  // namespace

View view_of(const Session& session, const ViewOptions& options) {
  const ConceptGraph& graph = session.memory().graph();
  const Time now = session.memory().now();
  const SparseVector& shares = session.budget(AllocationOf::concepts);
  View view{.priorities = shares.any_above_zero() ? PrioritySource::allocation : PrioritySource::use};
  std::vector<ConceptId> ids;
  for (const Candidate& candidate : best_concepts(session, options.concepts)) {
    view.concepts.push_back(seen(graph, candidate, now));
    ids.push_back(candidate.id);
  }
  each_link_between(graph, std::move(ids), [&](const HebbianLink& link) {
    const ViewedLink one{link.source, link.target, graph.weight(link, now), graph.truth(link, now)};
    if (one.truth.confidence > 0) view.links.push_back(one);
  });
  const auto best =
      view.links.begin() + static_cast<std::ptrdiff_t>(std::min(options.links, view.links.size()));
  std::partial_sort(view.links.begin(), best, view.links.end(), [](const ViewedLink& a, const ViewedLink& b) {
    return std::tie(b.weight, b.truth.confidence, a.source, a.target) <
           std::tie(a.weight, a.truth.confidence, b.source, b.target);
  });
  view.links.erase(best, view.links.end());
  return view;
}

}  // namespace engram::core
