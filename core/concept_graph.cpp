// SPDX-License-Identifier: MIT
#include "core/concept_graph.hpp"

#include <algorithm>

#include "core/shapes.hpp"

namespace engram::core {
namespace {

std::uint64_t pair_hash(ConceptId a, ConceptId b) { return narsese::mix((std::uint64_t{a} << 32) | b); }

}  // namespace

ConceptGraph::ConceptGraph(double decay) : decay_(decay) {
  require(decay >= 0 && decay < 1, "decay must be in [0, 1)");
}

ConceptId ConceptGraph::intern(narsese::Term term) {
  require(term && term.kind() != narsese::TermKind::variable, "a variable names no concept");
  if (const auto known = find(term)) return *known;
  std::vector<ConceptId> components;
  for (const narsese::Term component : term.components())
    if (component.kind() != narsese::TermKind::variable) components.push_back(intern(component));
  std::sort(components.begin(), components.end());
  components.erase(std::unique(components.begin(), components.end()), components.end());

  const auto id = static_cast<ConceptId>(concepts_.size());
  concepts_.push_back({term, 0, 0});
  concept_index_.insert(term.hash(), id);
  incident_.emplace_back();
  for (const ConceptId component : components) {
    const auto index = static_cast<std::uint32_t>(term_links_.size());
    term_links_.push_back({id, component});
    incident_[id].push_back({index, false});
    incident_[component].push_back({index, false});
  }
  return id;
}

std::optional<ConceptId> ConceptGraph::find(narsese::Term term) const {
  const auto id =
      concept_index_.find(term.hash(), [&](std::uint32_t i) { return concepts_[i].term == term; });
  if (id == narsese::HashIndex::none) return {};
  return id;
}

void ConceptGraph::co_activate(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    Concept& node = concepts_[active[i]];
    node.activity = activity(active[i], now) + evidence;
    node.updated = now;
    for (std::size_t j = i + 1; j < active.size(); ++j) {
      HebbianLink& link = link_between(active[i], active[j], now);
      link.together = weight(link, now) + evidence;
      link.updated = now;
    }
  }
}

HebbianLink& ConceptGraph::link_between(ConceptId a, ConceptId b, Time now) {
  const auto hash = pair_hash(a, b);
  auto index = link_index_.find(
      hash, [&](std::uint32_t i) { return hebbian_links_[i].source == a && hebbian_links_[i].target == b; });
  if (index == narsese::HashIndex::none) {
    index = static_cast<std::uint32_t>(hebbian_links_.size());
    hebbian_links_.push_back({a, b, 0, now});
    link_index_.insert(hash, index);
    incident_[a].push_back({index, true});
    incident_[b].push_back({index, true});
  }
  return hebbian_links_[index];
}

double ConceptGraph::kept(Time cycles) const {
  // By squaring, with products alone: std::pow differs between machines in the last bit.
  double result = 1, factor = 1 - decay_;
  for (; cycles > 0 && factor < 1; cycles >>= 1) {
    if ((cycles & 1) != 0) result *= factor;
    factor *= factor;
  }
  return result;
}

double ConceptGraph::activity(ConceptId id, Time now) const {
  return concepts_[id].activity * kept(now - concepts_[id].updated);
}

double ConceptGraph::weight(const HebbianLink& link, Time now) const {
  return link.together * kept(now - link.updated);
}

narsese::Evidence ConceptGraph::evidence(const HebbianLink& link, Time now) const {
  const double together = weight(link, now);
  const double either = activity(link.source, now) + activity(link.target, now) - together;
  return {together, std::max(either, together)};  // rounding must not make f exceed 1
}

}  // namespace engram::core
