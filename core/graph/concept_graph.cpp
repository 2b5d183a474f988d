// SPDX-License-Identifier: MIT
#include "core/graph/concept_graph.hpp"

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
  for (const narsese::Term component : term.components())
    if (component.kind() != narsese::TermKind::variable) intern(component);
  const auto id = static_cast<ConceptId>(size());
  terms_.push_back(term);
  level_at_.push_back(none);
  concept_index_.insert(term.hash(), id);
  return id;
}

std::vector<TermLink> ConceptGraph::term_links() const {
  std::vector<TermLink> links;
  std::vector<ConceptId> components;
  for (ConceptId id = 0; id < size(); ++id) {
    components.clear();
    for (const narsese::Term component : term(id).components())
      if (component.kind() != narsese::TermKind::variable) components.push_back(*find(component));
    std::ranges::sort(components);
    components.erase(std::unique(components.begin(), components.end()), components.end());
    for (const ConceptId component : components) links.push_back({id, component});
  }
  return links;
}

std::optional<ConceptId> ConceptGraph::find(narsese::Term term) const {
  const auto id = concept_index_.find(term.hash(), [&](std::uint32_t i) { return terms_[i] == term; });
  if (id == narsese::HashIndex::none) return {};
  return id;
}

void ConceptGraph::rename(ConceptId first, std::span<const narsese::Term> terms) {
  for (const narsese::Term term : terms) terms_[first++] = term;
}

const ConceptGraph::Level& ConceptGraph::level(ConceptId id) const {
  static const Level never;
  const std::uint32_t at = level_at_[id];
  return at == none ? never : levels_[at];
}

ConceptGraph::Level& ConceptGraph::level_of(ConceptId id) {
  std::uint32_t& at = level_at_[id];
  if (at == none) {
    at = static_cast<std::uint32_t>(levels_.size());
    levels_.push_back({});
    links_of_.resize(levels_.size());
  }
  return levels_[at];
}

ConceptGraph::Level& ConceptGraph::level_brought_to(ConceptId id, Time now) {
  Level& node = level_of(id);
  const double share = kept(now - node.updated);
  node.activity *= share;
  node.told *= share;
  node.updated = now;
  return node;
}

void ConceptGraph::co_activate(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    double& activity = level_brought_to(active[i], now).activity;
    activity = added_evidence(activity, evidence);
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j) {
      const std::uint32_t index = link_between(active[i], active[j], now);
      HebbianLink link = link_brought_to(index, now);
      link.together = added_evidence(link.together, evidence);
      set_link(index, link);
    }
  }
}

void ConceptGraph::deny(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j) {
      const std::uint32_t index = link_between(active[i], active[j], now);
      HebbianLink link = link_brought_to(index, now);
      link.together = std::clamp(link.together - evidence, 0.0, most_evidence);
      link.apart = std::clamp(link.apart + evidence, 0.0, most_evidence);
      set_link(index, link);
    }
}

std::size_t ConceptGraph::bytes() const {
  return terms_.bytes() + level_at_.bytes() + levels_.bytes() + links_.bytes() + rare_.bytes() +
         links_of_.bytes() + concept_index_.bytes() + link_index_.bytes();
}

void ConceptGraph::add_growth(Growth& growth, std::size_t concepts, std::size_t links, std::size_t told,
                              const GrowingRows<std::uint32_t>::Growth& ends) const {
  growth.add(terms_.bytes_with(concepts));
  growth.add(level_at_.bytes_with(concepts));
  growth.add(levels_.bytes_with(concepts));
  growth.add(links_.bytes_with(links));
  growth.add(rare_.bytes_with(told));
  growth.add(links_of_.bytes_with(concepts, ends));
  growth.add(concept_index_, concepts);
  growth.add(link_index_, links);
}

void ConceptGraph::add_growth(Growth& growth, std::size_t concepts, std::size_t links) const {
  // As if each end were in the longest list, and made it double.
  GrowingRows<std::uint32_t>::Growth ends;
  ends.add(longest_list_, 2 * max_partners);
  ends.bytes *= 2 * links;
  ends.pieces *= 2 * links;
  add_growth(growth, concepts, links, links, ends);
}

void ConceptGraph::add_growth(Growth& growth, narsese::Term term, std::span<const ConceptId> known,
                              std::size_t links) const {
  GrowingRows<std::uint32_t>::Growth ends;
  for (const ConceptId id : known) ends.add(links_of(id).size(), std::min(links, 2 * max_partners));
  const std::uint64_t fresh = term.complexity();
  for (std::size_t i = 0; i < std::min<std::uint64_t>(fresh, 2 * links); ++i)
    ends.add(0, std::min(links, 2 * max_partners));
  add_growth(growth, fresh, links, links, ends);
}

std::uint32_t ConceptGraph::tell(ConceptId a, ConceptId b, TruthValue truth, Time now) {
  require(a < b && b < size(), "a link joins two concepts, the lower first");
  require(truth.frequency >= 0 && truth.frequency <= 1, "a frequency must be in [0, 1]", truth.frequency);
  require(truth.confidence > 0 && truth.confidence < 1, "a confidence told must be in (0, 1)",
          truth.confidence);
  const std::uint32_t index = link_between(a, b, now);
  HebbianLink link = link_brought_to(index, now);
  const Evidence more = evidence_of(truth);
  const Evidence known = evidence_of(link.told);
  // Revision with nothing must change no bit, and w -> c -> w can.
  link.told = known.total > 0 ? truth_of({known.positive + more.positive, known.total + more.total}) : truth;
  set_link(index, link);
  for (const ConceptId end : {a, b}) {
    double& heard = level_brought_to(end, now).told;
    heard = added_evidence(heard, more.positive + (more.total - more.positive) / 2);
  }
  return index;
}

std::uint32_t ConceptGraph::index_of_link(ConceptId a, ConceptId b) const {
  return link_index_.find(pair_hash(a, b),
                          [&](std::uint32_t i) { return links_[i].source == a && links_[i].target == b; });
}

std::optional<HebbianLink> ConceptGraph::find_link(ConceptId a, ConceptId b) const {
  const std::uint32_t index = index_of_link(std::min(a, b), std::max(a, b));
  return index == narsese::HashIndex::none ? std::nullopt : std::optional(link(index));
}

HebbianLink ConceptGraph::link(std::uint32_t index) const {
  const HeldLink& held = links_[index];
  HebbianLink link{
      .source = held.source, .target = held.target, .together = held.together, .updated = held.updated};
  if (held.rare == none) return link;
  const Rare& rare = rare_[held.rare];
  link.told = rare.told;
  link.apart = rare.apart;
  link.updated = rare.updated;
  return link;
}

void ConceptGraph::set_link(std::uint32_t index, const HebbianLink& link) {
  HeldLink& held = links_[index];
  held.together = link.together;
  constexpr Time most = 0xffffffffU;
  held.updated = static_cast<std::uint32_t>(std::min(link.updated, most));
  const bool is_rare = link.told != TruthValue{0.5, 0} || link.apart != 0 || link.updated > most;
  if (held.rare == none && !is_rare) return;
  const Rare rare{link.told, link.apart, link.updated};
  if (held.rare == none) {
    held.rare = static_cast<std::uint32_t>(rare_.size());
    rare_.push_back(rare);
  } else {
    rare_[held.rare] = rare;
  }
}

// The link of two concepts, made where there is none.
std::uint32_t ConceptGraph::link_between(ConceptId a, ConceptId b, Time now) {
  std::uint32_t index = index_of_link(a, b);
  if (index != narsese::HashIndex::none) return index;
  index = static_cast<std::uint32_t>(links_.size());
  links_.push_back({a, b});
  set_link(index, {.source = a, .target = b, .updated = now});
  link_index_.insert(pair_hash(a, b), index);
  for (const ConceptId end : {a, b}) {
    level_of(end);
    links_of_.push(level_at_[end], index);
    longest_list_ = std::max(longest_list_, links_of(end).size());
  }
  return index;
}

HebbianLink ConceptGraph::link_brought_to(std::uint32_t index, Time now) const {
  HebbianLink brought = link(index);
  brought.told = told(brought, now);
  const double share = kept(now - brought.updated);
  brought.together *= share;
  brought.apart *= share;
  brought.updated = now;
  return brought;
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
  const Level& node = level(id);
  return (node.activity + node.told) * kept(now - node.updated);
}

TruthValue ConceptGraph::told(const HebbianLink& link, Time now) const {
  const double share = kept(now - link.updated);
  if (share == 1 || link.told.confidence == 0) return link.told;  // w -> c -> w can change the last bit
  const double total = evidence_of(link.told).total * share;
  return {link.told.frequency, truth_of({0, total}).confidence};
}

double ConceptGraph::told_evidence(std::uint32_t index, Time now) const {
  return links_[index].rare == none ? 0.0 : evidence_of(told(link(index), now)).total;
}

Evidence ConceptGraph::experience(const HebbianLink& link, Time now) const {
  const auto episodes = [&](ConceptId id) { return level(id).activity * kept(now - level(id).updated); };
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
