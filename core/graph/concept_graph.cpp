// SPDX-License-Identifier: MIT
#include "core/graph/concept_graph.hpp"

#include <bit>
#include <utility>

#include "core/graph/memory_image.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"

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

void HebbianLink::co_activate(double evidence) { together = added_evidence(together, evidence); }

void HebbianLink::deny(double evidence) {
  together = std::clamp(together - evidence, 0.0, most_evidence);
  apart = std::clamp(apart + evidence, 0.0, most_evidence);
}

void HebbianLink::tell(TruthValue truth) {
  const Evidence more = evidence_of(truth);
  const Evidence known = evidence_of(told);
  // Revision with nothing must change no bit, and w -> c -> w can.
  told = known.total > 0 ? truth_of({known.positive + more.positive, known.total + more.total}) : truth;
}

HebbianLink HebbianLinks::operator[](std::size_t number) const& {
  if (sources_.empty()) {
    charge(4 * size());
    Reservation(size() * sizeof(ConceptId)).keep();
    constexpr ConceptId unknown = 0xffffffffU;
    sources_.resize(size(), unknown);
    // A link's source is the first in whose list it stands.
    for (ConceptId id = 0; id < graph_->size(); ++id)
      for (const std::uint32_t link : graph_->links_of(id)) sources_[link] = std::min(sources_[link], id);
  }
  return graph_->link(static_cast<std::uint32_t>(number), sources_[number]);
}

ConceptGraph::ConceptGraph(double decay) : decay_(decay), powers_{}, kept_{} {
  require(decay >= 0 && decay < 1, "decay must be in [0, 1)", decay);
  powers_[0] = 1 - decay;
  for (std::size_t i = 1; i < powers_.size(); ++i) powers_[i] = powers_[i - 1] * powers_[i - 1];
  kept_[0] = 1;  // each is the product that kept() makes, of the powers from the least on
  for (std::size_t i = 1; i < kept_.size(); ++i) {
    const std::size_t highest = std::bit_floor(i);
    kept_[i] = kept_[i - highest] * powers_[static_cast<std::size_t>(std::countr_zero(highest))];
  }
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

ConceptGraph::Level ConceptGraph::level(ConceptId id) const {
  const std::uint32_t at = level_at_[id];
  if (at == none) return {};
  const HeldLevel& held = levels_[at];
  if (held.rare == none) return {held.activity, 0, held.updated};
  const RareLevel& rare = rare_levels_[held.rare];
  return {held.activity, rare.told, rare.updated};
}

std::uint32_t ConceptGraph::level_made(ConceptId id) {
  const auto level = static_cast<std::uint32_t>(levels_.size());
  level_at_[id] = level;
  levels_.push_back({});
  links_of_.resize(levels_.size());
  return level;
}

void ConceptGraph::set_level(ConceptId id, const Level& level) {
  constexpr Time most_of_time = 0xffffffffU;
  HeldLevel& held = levels_[made_active(id).level];
  held.activity = level.activity;
  held.updated = static_cast<std::uint32_t>(std::min(level.updated, most_of_time));
  const bool is_rare = level.told != 0 || level.updated > most_of_time;
  if (held.rare == none && !is_rare) return;
  const RareLevel rare{level.told, level.updated};
  if (held.rare == none) {
    held.rare = static_cast<std::uint32_t>(rare_levels_.size());
    rare_levels_.push_back(rare);
  } else {
    rare_levels_[held.rare] = rare;
  }
}

ConceptGraph::Level ConceptGraph::level_brought_to(ConceptId id, Time now) const {
  Level node = level(id);
  const double share = kept(now - node.updated);
  node.activity *= share;
  node.told *= share;
  node.updated = now;
  return node;
}

void ConceptGraph::co_activate(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    const Active nearer = made_active(active[i]);
    add_to_concept(nearer, evidence, now);
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j)
      add_to_link(link_between(nearer, made_active(active[j]), now), active[i], evidence, now);
  }
}

// Of most concepts, and most links, nothing is kept beside them: then this is what follows, in fewer steps.
void ConceptGraph::add_to_concept(Active it, double evidence, Time now) {
  HeldLevel& held = levels_[it.level];
  if (held.rare == none && now < first_rare) {
    held.activity = added_evidence(held.activity * kept(now - held.updated), evidence);
    held.updated = static_cast<std::uint32_t>(now);
    return;
  }
  Level level = level_brought_to(it.id, now);
  level.activity = added_evidence(level.activity, evidence);
  set_level(it.id, level);
}

void ConceptGraph::add_to_link(std::uint32_t number, ConceptId end, double evidence, Time now) {
  HeldLink& held = links_[number];
  if (held.updated < first_rare && now < first_rare) {
    held.together = added_evidence(held.together * kept(now - held.updated), evidence);
    held.updated = static_cast<std::uint32_t>(now);
    return;
  }
  HebbianLink link = link_brought_to(number, end, now);
  link.co_activate(evidence);
  set_link(number, link);
}

void ConceptGraph::co_activate(std::span<const Episode> episodes) {
  while (!episodes.empty()) {
    std::size_t count = 0, concepts = 0, pairs = 0;
    for (; count < episodes.size(); ++count) {
      concepts += episodes[count].active.size();
      pairs += pairs_joined(episodes[count].active.size());
      if (concepts > most_concepts_ahead || pairs > most_pairs_ahead) break;
    }
    prefetch(episodes.first(count));
    count = std::max<std::size_t>(count, 1);  // one may have more than can be looked for
    for (const Episode& one : episodes.first(count)) co_activate(one.active, one.evidence, one.time);
    episodes = episodes.subspan(count);
  }
}

void ConceptGraph::deny(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j) {
      const std::uint32_t number = link_between(made_active(active[i]), made_active(active[j]), now);
      HebbianLink link = link_brought_to(number, active[i], now);
      link.deny(evidence);
      set_link(number, link);
    }
}

std::size_t ConceptGraph::bytes() const {
  return terms_.bytes() + level_at_.bytes() + levels_.bytes() + rare_levels_.bytes() + links_.bytes() +
         rare_links_.bytes() + links_of_.bytes() + concept_index_.bytes() + link_index_.bytes();
}

void ConceptGraph::add_growth(Growth& growth, std::size_t concepts, std::size_t links,
                              std::size_t longer_lists,
                              const GrowingRows<std::uint32_t>::Growth& ends) const {
  growth.add(terms_.bytes_with(concepts));
  growth.add(level_at_.bytes_with(concepts));
  growth.add(levels_.bytes_with(concepts));
  growth.add(rare_levels_.bytes_with(concepts + 2 * links));
  growth.add(links_.bytes_with(links));
  growth.add(rare_links_.bytes_with(links));
  growth.add(links_of_.bytes_with(concepts, ends));
  growth.add(concept_index_, concepts);
  // Each list that comes to many brings its links into the index, but none twice.
  growth.add(link_index_, std::min(links + longer_lists * most_looked_through,
                                   links_.size() + links - link_index_.size()));
}

void ConceptGraph::add_growth(Growth& growth, std::size_t concepts, std::size_t links) const {
  // As if each end were in the longest list, and made it double.
  GrowingRows<std::uint32_t>::Growth ends;
  ends.add(longest_list_, 2 * max_partners);
  ends.bytes *= 2 * links;
  ends.pieces *= 2 * links;
  add_growth(growth, concepts, links, 2 * links, ends);
}

void ConceptGraph::add_growth(Growth& growth, narsese::Term term, std::span<const ConceptId> known,
                              std::size_t links) const {
  GrowingRows<std::uint32_t>::Growth ends;
  const std::size_t more = std::min(links, 2 * max_partners);
  std::size_t longer_lists = 0;
  const auto add_list = [&](std::size_t size) {
    ends.add(size, more);
    longer_lists +=
        static_cast<std::size_t>(size <= most_looked_through && size + more > most_looked_through);
  };
  for (const ConceptId id : known) add_list(links_of(id).size());
  const std::uint64_t fresh = term.complexity();
  for (std::size_t i = 0; i < std::min<std::uint64_t>(fresh, 2 * links); ++i) add_list(0);
  add_growth(growth, fresh, links, longer_lists, ends);
}

std::uint32_t ConceptGraph::tell(ConceptId a, ConceptId b, TruthValue truth, Time now) {
  require(a < b && b < size(), "a link joins two concepts, the lower first");
  require(truth.frequency >= 0 && truth.frequency <= 1, "a frequency must be in [0, 1]", truth.frequency);
  require(truth.confidence > 0 && truth.confidence < 1, "a confidence told must be in (0, 1)",
          truth.confidence);
  const std::uint32_t number = link_between(made_active(a), made_active(b), now);
  HebbianLink link = link_brought_to(number, a, now);
  link.tell(truth);
  set_link(number, link);
  const Evidence more = evidence_of(truth);
  for (const ConceptId end : {a, b}) {
    Level node = level_brought_to(end, now);
    node.told = added_evidence(node.told, more.positive + (more.total - more.positive) / 2);
    set_level(end, node);
  }
  return number;
}

std::uint32_t ConceptGraph::number_of_link(Active a, Active b) const {
  const auto joins = [&](std::uint32_t number) { return links_[number].ends == (a.id ^ b.id); };
  const auto links = links_of_[shorter_list(a, b)];
  if (links.size() > most_looked_through) return link_index_.find(link_hash(a.id, b.id), joins);
  const auto found = std::ranges::find_if(links, joins);
  return found == links.end() ? narsese::HashIndex::none : *found;
}

std::optional<HebbianLink> ConceptGraph::find_link(ConceptId a, ConceptId b) const {
  if (a > b) std::swap(a, b);
  if (!was_active(a) || !was_active(b)) return {};
  const std::uint32_t number = number_of_link({a, level_at_[a]}, {b, level_at_[b]});
  return number == narsese::HashIndex::none ? std::nullopt : std::optional(link(number, a));
}

HebbianLink ConceptGraph::link(std::uint32_t number, ConceptId end) const {
  const HeldLink& held = links_[number];
  const ConceptId other = held.ends ^ end;
  HebbianLink link{.source = std::min(end, other),
                   .target = std::max(end, other),
                   .together = held.together,
                   .updated = held.updated};
  if (held.updated < first_rare) return link;
  const RareLink& rare = rare_links_[held.updated - first_rare];
  link.told = rare.told;
  link.apart = rare.apart;
  link.updated = rare.updated;
  return link;
}

void ConceptGraph::set_link(std::uint32_t number, const HebbianLink& link) {
  HeldLink& held = links_[number];
  held.together = link.together;
  const RareLink rare{link.told, link.apart, link.updated};
  if (held.updated >= first_rare) {
    rare_links_[held.updated - first_rare] = rare;
  } else if (link.told != TruthValue{0.5, 0} || link.apart != 0 || link.updated >= first_rare) {
    held.updated = first_rare + static_cast<std::uint32_t>(rare_links_.size());
    rare_links_.push_back(rare);
  } else {
    held.updated = static_cast<std::uint32_t>(link.updated);
  }
}

// The link of two concepts, made where there is none.
std::uint32_t ConceptGraph::link_between(Active a, Active b, Time now) {
  const std::uint32_t number = number_of_link(a, b);
  return number != narsese::HashIndex::none ? number : link_made(a, b, now);
}

std::uint32_t ConceptGraph::link_made(Active a, Active b, Time now) {
  const auto number = static_cast<std::uint32_t>(links_.size());
  links_.push_back({.ends = a.id ^ b.id});
  if (now < first_rare)
    links_.back().updated = static_cast<std::uint32_t>(now);
  else
    set_link(number, {.source = a.id, .target = b.id, .updated = now});
  for (const Active end : {a, b}) {
    links_of_.push(end.level, number);
    longest_list_ = std::max(longest_list_, links_of_.size_of(end.level));
  }
  // A list that has just come to many, too, brings its others; the index has them once, as both lists never
  // have another link in common.
  if (has_many_links(a) && has_many_links(b)) link_index_.insert(link_hash(a.id, b.id), number);
  for (const Active end : {a, b})
    if (links_of_.size_of(end.level) == most_looked_through + 1)
      add_to_index(end, std::as_const(links_of_)[end.level].first(most_looked_through));
  return number;
}

// Those of a concept's links whose other ends have many, too.
void ConceptGraph::add_to_index(Active end, std::span<const std::uint32_t> links) {
  for (const std::uint32_t number : links) {
    const ConceptId other = std::as_const(links_)[number].ends ^ end.id;
    if (has_many_links(made_active(other)))
      link_index_.insert(link_hash(std::min(end.id, other), std::max(end.id, other)), number);
  }
}

HebbianLink ConceptGraph::link_brought_to(std::uint32_t number, ConceptId end, Time now) const {
  HebbianLink brought = link(number, end);
  brought.told = told(brought, now);
  const double share = kept(now - brought.updated);
  brought.together *= share;
  brought.apart *= share;
  brought.updated = now;
  return brought;
}

double ConceptGraph::kept(Time cycles) const {
  // By squares, with products alone: std::pow differs between machines in the last bit.
  if (powers_[0] == 1) return 1;
  double result = kept_[cycles % kept_.size()];
  for (cycles -= cycles % kept_.size(); cycles > 0; cycles &= cycles - 1)
    result *= powers_[static_cast<std::size_t>(std::countr_zero(cycles))];
  return result;
}

double ConceptGraph::activity(ConceptId id, Time now) const {
  const Level node = level(id);
  return (node.activity + node.told) * kept(now - node.updated);
}

TruthValue ConceptGraph::told(const HebbianLink& link, Time now) const {
  if (link.told.confidence == 0) return link.told;
  const double share = kept(now - link.updated);
  if (share == 1) return link.told;  // w -> c -> w can change the last bit
  const double total = evidence_of(link.told).total * share;
  return {link.told.frequency, truth_of({0, total}).confidence};
}

double ConceptGraph::told_evidence(std::uint32_t number, Time now) const {
  const std::uint32_t updated = links_[number].updated;
  if (updated < first_rare) return 0;
  const RareLink& rare = rare_links_[updated - first_rare];
  return evidence_of(told({.told = rare.told, .updated = rare.updated}, now)).total;
}

Evidence ConceptGraph::experience(const HebbianLink& link, Time now) const {
  const auto episodes = [&](ConceptId id) {
    const Level node = level(id);
    return node.activity * kept(now - node.updated);
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
