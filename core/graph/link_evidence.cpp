// SPDX-License-Identifier: MIT
#include "core/graph/link_evidence.hpp"

#include <algorithm>

#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// W as the truth value gives it, which is what somebody told has: W itself may differ in the last bit.
double positive(narsese::TruthValue truth) {
  return narsese::to_evidence(truth, narsese::greatest_confidence).positive;
}

bool better(const LinkJudgement& a, const LinkJudgement& b) {
  const double x = positive(a.truth), y = positive(b.truth);
  if (x != y) return x > y;
  if (a.truth.confidence != b.truth.confidence) return a.truth.confidence > b.truth.confidence;
  if (const auto order = compare(a.source, b.source); order != 0) return order < 0;
  return compare(a.target, b.target) < 0;
}

LinkJudgement judgement_of(const ConceptGraph& graph, const HebbianLink& link, Time now) {
  LinkJudgement judgement{graph[link.source].term, graph[link.target].term, graph.weight(link, now),
                          graph.truth(link, now)};
  if (compare(judgement.target, judgement.source) < 0) std::swap(judgement.source, judgement.target);
  return judgement;
}

}  // namespace

std::vector<LinkJudgement> best_links(const Memory& memory, std::optional<ConceptId> of, std::size_t top) {
  const ConceptGraph& graph = memory.graph();
  std::vector<LinkJudgement> links;
  const auto add = [&](const HebbianLink& link) {
    charge(64);
    LinkJudgement judgement = judgement_of(graph, link, memory.now());
    if (judgement.truth.confidence > 0) links.push_back(judgement);
  };
  if (of) {
    for (const std::uint32_t number : graph.links_of(*of)) add(graph.link(number, *of));
  } else {
    for (const HebbianLink& link : graph.hebbian_links()) add(link);
  }
  const std::size_t kept = std::min(top, links.size());
  std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(kept), links.end(), better);
  links.resize(kept);
  return links;
}

std::string print(const LinkJudgement& link, std::string_view relation) {
  return narsese::print_link(link.source, link.target, link.truth, relation);
}

}  // namespace engram::core
