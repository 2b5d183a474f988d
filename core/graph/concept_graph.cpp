// SPDX-License-Identifier: MIT
#include "core/graph/concept_graph.hpp"

#include <map>

#include "core/graph/memory_image.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {
namespace {

using narsese::Evidence;
using narsese::TruthValue;

// Links gather more evidence than NARS takes from one sentence, whose confidence it caps at 0.99.
Evidence evidence_of(TruthValue truth) { return narsese::to_evidence(truth, narsese::greatest_confidence); }
TruthValue truth_of(Evidence evidence) {
  TruthValue truth = narsese::to_truth(evidence);
  truth.confidence = std::min(truth.confidence, narsese::greatest_confidence);
  return truth;
}

}  // namespace

ConceptGraph::ConceptGraph(double decay) : decay_(decay) {
  require(decay >= 0 && decay < 1, "decay must be in [0, 1)", decay);
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
  concepts_.push_back({.term = term});
  concept_index_.insert(term.hash(), id);
  incident_.emplace_back();
  for (const ConceptId component : components) {
    const auto index = static_cast<std::uint32_t>(term_links_.size());
    term_links_.push_back({id, component});
    append(incident_[id], Incidence{index, false}, list_bytes_);
    append(incident_[component], Incidence{index, false}, list_bytes_);
  }
  return id;
}

std::optional<ConceptId> ConceptGraph::find(narsese::Term term) const {
  const auto id =
      concept_index_.find(term.hash(), [&](std::uint32_t i) { return concepts_[i].term == term; });
  if (id == narsese::HashIndex::none) return {};
  return id;
}

void ConceptGraph::rename(ConceptId first, std::span<const narsese::Term> terms) {
  for (const narsese::Term term : terms) concepts_[first++].term = term;
}

Concept& ConceptGraph::brought_to(ConceptId id, Time now) {
  Concept& node = concepts_[id];
  const double share = kept(now - node.updated);
  node.activity *= share;
  node.told *= share;
  node.updated = now;
  return node;
}

void ConceptGraph::co_activate(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    double& activity = brought_to(active[i], now).activity;
    activity = added_evidence(activity, evidence);
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j) {
      HebbianLink& link = link_between(active[i], active[j], now);
      link.together = added_evidence(link.together, evidence);
    }
  }
}

void ConceptGraph::deny(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j) {
      HebbianLink& link = link_between(active[i], active[j], now);
      link.together = std::clamp(link.together - evidence, 0.0, most_evidence);
      link.apart = std::clamp(link.apart + evidence, 0.0, most_evidence);
    }
}

std::size_t ConceptGraph::bytes() const {
  return bytes_of(concepts_) + bytes_of(term_links_) + bytes_of(hebbian_links_) + bytes_of(incident_) +
         list_bytes_ + concept_index_.bytes() + link_index_.bytes();
}

void ConceptGraph::add_growth_without_lists(Growth& growth, std::size_t concepts, std::size_t links) const {
  growth.add(concepts_, concepts);
  growth.add(incident_, concepts);
  growth.add(concept_index_, concepts);
  growth.add(term_links_, concepts);  // each stands for one in the term, but the outermost
  growth.add(hebbian_links_, links);
  growth.add(link_index_, links);
  // Lists of new concepts: two ends a link, of a list that holds one at least and has doubled.
  growth.add((2 * sizeof(Incidence) + allocation_bytes) * 2 * (concepts + links));
}

void ConceptGraph::add_growth(Growth& growth, std::size_t concepts, std::size_t links) const {
  add_growth_without_lists(growth, concepts, links);
  growth.add(list_bytes_, 2 * list_bytes_);
}

void ConceptGraph::add_growth(Growth& growth, narsese::Term term, std::span<const ConceptId> known,
                              std::size_t links) const {
  add_growth_without_lists(growth, term.complexity(), links);
  std::map<ConceptId, std::size_t> more;  // ends of links
  const auto visit = [&](const auto& self, narsese::Term part) -> void {
    for (const narsese::Term component : part.components()) self(self, component);
    if (part.kind() == narsese::TermKind::variable) return;
    if (const auto id = find(part)) ++more[*id];
  };
  visit(visit, term);
  for (const ConceptId id : known) more[id] += std::min(links, 2 * max_partners);
  std::size_t listed = list_bytes_;
  for (const auto& [id, ends] : more) {
    const std::size_t now = bytes_of_list(incident_[id]);
    growth.add(now, grown_capacity(incident_[id], ends) * sizeof(Incidence) + allocation_bytes);
    listed -= now;
  }
  growth.add(listed);
}

std::uint32_t ConceptGraph::tell(ConceptId a, ConceptId b, TruthValue truth, Time now) {
  require(a < b && b < size(), "a link joins two concepts, the lower first");
  require(truth.frequency >= 0 && truth.frequency <= 1, "a frequency must be in [0, 1]", truth.frequency);
  require(truth.confidence > 0 && truth.confidence < 1, "a confidence told must be in (0, 1)",
          truth.confidence);
  HebbianLink& link = link_between(a, b, now);
  const Evidence more = evidence_of(truth);
  const Evidence known = evidence_of(link.told);
  // Revision with nothing must change no bit, and w -> c -> w can.
  link.told = known.total > 0 ? truth_of({known.positive + more.positive, known.total + more.total}) : truth;
  for (const ConceptId end : {a, b}) {
    double& heard = brought_to(end, now).told;
    heard = added_evidence(heard, more.positive + (more.total - more.positive) / 2);
  }
  return static_cast<std::uint32_t>(&link - hebbian_links_.data());
}

std::uint32_t ConceptGraph::index_of_link(ConceptId a, ConceptId b) const {
  return link_index_.find(pair_hash(a, b), [&](std::uint32_t i) {
    return hebbian_links_[i].source == a && hebbian_links_[i].target == b;
  });
}

const HebbianLink* ConceptGraph::find_link(ConceptId a, ConceptId b) const {
  const std::uint32_t index = index_of_link(std::min(a, b), std::max(a, b));
  return index == narsese::HashIndex::none ? nullptr : &hebbian_links_[index];
}

HebbianLink& ConceptGraph::link_between(ConceptId a, ConceptId b, Time now) {
  auto index = index_of_link(a, b);
  if (index == narsese::HashIndex::none) {
    index = static_cast<std::uint32_t>(hebbian_links_.size());
    hebbian_links_.push_back({.source = a, .target = b, .updated = now});
    link_index_.insert(pair_hash(a, b), index);
    append(incident_[a], Incidence{index, true}, list_bytes_);
    append(incident_[b], Incidence{index, true}, list_bytes_);
  }
  HebbianLink& link = hebbian_links_[index];
  link.told = told(link, now);
  const double share = kept(now - link.updated);
  link.together *= share;
  link.apart *= share;
  link.updated = now;
  return link;
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
  return (concepts_[id].activity + concepts_[id].told) * kept(now - concepts_[id].updated);
}

TruthValue ConceptGraph::told(const HebbianLink& link, Time now) const {
  const double share = kept(now - link.updated);
  if (share == 1 || link.told.confidence == 0) return link.told;  // w -> c -> w can change the last bit
  const double total = evidence_of(link.told).total * share;
  return {link.told.frequency, truth_of({0, total}).confidence};
}

Evidence ConceptGraph::experience(const HebbianLink& link, Time now) const {
  const auto episodes = [&](ConceptId id) {
    return concepts_[id].activity * kept(now - concepts_[id].updated);
  };
  const double share = kept(now - link.updated);
  const double together = link.together * share, both = together + link.apart * share;
  const double either = episodes(link.source) + episodes(link.target) - both;
  return {together, std::max(either, both)};  // rounding must not make f exceed 1
}

double ConceptGraph::weight(const HebbianLink& link, Time now) const {
  return link.together * kept(now - link.updated) + evidence_of(told(link, now)).positive;
}

Evidence ConceptGraph::evidence(const HebbianLink& link, Time now) const {
  const Evidence lived = experience(link, now), heard = evidence_of(told(link, now));
  return {lived.positive + heard.positive, lived.total + heard.total};
}

TruthValue ConceptGraph::truth(const HebbianLink& link, Time now) const {
  if (!(experience(link, now).total > 0)) return told(link, now);
  return truth_of(evidence(link, now));
}

}  // namespace engram::core
