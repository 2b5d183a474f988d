// SPDX-License-Identifier: MIT
#include "core/methods/flow_explainer.hpp"

#include <algorithm>
#include <queue>

#include "core/numbers/numeric.hpp"
#include "core/walks/page_rank.hpp"

namespace engram::core {
namespace {

constexpr std::uint32_t nobody = 0xffffffff;

}  // namespace

FlowExplainer::FlowExplainer(Flow flow, const MemoryIndex& readings, const Cue& cue, const Recall& recall)
    : ConceptsExplainer(readings, cue, recall), flow_(std::move(flow)), incoming_(flow_.links) {
  std::vector<double> shares;
  for (Index i = 0; i < incoming_.rows(); ++i) {
    set_shares(flow_.links, i, shares);
    std::ranges::copy(shares, incoming_.values_of(i).begin());
  }
  find_ways();
  incoming_ = incoming_.transposed();
}

Explanation FlowExplainer::of_concept(ConceptId id) const {
  Explanation why{recall_.concepts[id], {}, {}, {}, {}};
  std::vector<Account::Part> parts;
  for (const Own& own : flow_.own) parts.push_back({own.words, own.amount[id]});
  const auto columns = incoming_.columns_of(id);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const ConceptId j = columns[k];
    const double share = incoming_.values_of(id)[k];
    parts.push_back({"from " + name(j) + ", which gives " + digits(flow_.given[j]) + " times " +
                         digits(share) + " along this link",
                     flow_.given[j] * share});
  }
  why.accounts.push_back(account(flow_.score, why.score, parts));
  why.path = way_to(id);
  return why;
}

// Of each node the strongest single way from the cue, as a product of factors below 1 (Dijkstra).
void FlowExplainer::find_ways() {
  const auto n = static_cast<std::size_t>(incoming_.rows());
  strength_.assign(n, 0);
  before_.assign(n, nobody);
  using Reached = std::pair<double, std::uint32_t>;
  const auto weaker = [](const Reached& a, const Reached& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  };
  std::priority_queue<Reached, std::vector<Reached>, decltype(weaker)> open(weaker);
  const double total = sum(cue_);
  for (Index i = 0; i < cue_.size(); ++i)
    if (cue_[i] > 0) {
      strength_[static_cast<std::size_t>(i)] = flow_.start * (cue_[i] / total);
      open.emplace(strength_[static_cast<std::size_t>(i)], static_cast<std::uint32_t>(i));
    }
  while (!open.empty()) {
    const auto [strength, i] = open.top();
    open.pop();
    if (strength < strength_[i]) continue;
    const auto columns = incoming_.columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double next = strength * flow_.passed_on * incoming_.values_of(i)[k];
      if (!(next > strength_[columns[k]])) continue;
      strength_[columns[k]] = next;
      before_[columns[k]] = i;
      open.emplace(next, columns[k]);
    }
  }
}

std::vector<Stop> FlowExplainer::way_to(ConceptId id) const {
  if (!(strength_[id] > 0)) return {};
  std::vector<Stop> way;
  for (std::uint32_t i = id; i != nobody; i = before_[i])
    way.push_back(stop(i, before_[i] == nobody ? "" : "of this way alone " + digits(strength_[i])));
  std::ranges::reverse(way);
  return way;
}

Vector total_share(const Vector& cue) { return cue / sum(cue); }

// What nodes without links give: it goes back to the cue.
double without_way(const SparseRows& links, const Vector& given) {
  std::vector<double> shares, stuck;
  for (Index i = 0; i < links.rows(); ++i) {
    set_shares(links, i, shares);
    if (!(sum(shares) > 0)) stuck.push_back(given[i]);
  }
  return sum(stuck);
}

}  // namespace engram::core
