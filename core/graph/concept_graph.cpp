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

// NARS caps the confidence of one sentence at 0.99. Links gather more evidence, so they have a higher cap.
Evidence evidence_of(TruthValue truth) { return narsese::to_evidence(truth, narsese::greatest_confidence); }
TruthValue truth_of(Evidence evidence) {
  TruthValue truth = narsese::to_truth(evidence);
  truth.confidence = std::min(truth.confidence, narsese::greatest_confidence);
  return truth;
}

// Most hashes prefetched at a time. Chosen so that prefetched data is still cached when it is used.
constexpr std::size_t max_prefetched_hashes = 1024;

// Appends the hashes of a term and its components until the array is full.
void add_hashes(narsese::Term term, std::array<std::uint32_t, max_prefetched_hashes>& hashes,
                std::size_t& count) {
  if (!term || count == hashes.size()) return;
  hashes[count++] = term.hash();
  for (const narsese::Term component : term.components()) add_hashes(component, hashes, count);
}

}  // namespace

void HebbianLink::co_activate(double evidence) { together = add_capped(together, evidence); }

void HebbianLink::deny(double evidence) {
  together = std::clamp(together - evidence, 0.0, max_evidence);
  denied = std::clamp(denied + evidence, 0.0, max_evidence);
}

void HebbianLink::revise(TruthValue truth) {
  const Evidence more = evidence_of(truth);
  const Evidence known = evidence_of(judged);
  // Without earlier judgements the truth is copied, because converting c to evidence and back can change its last bit.
  judged = known.total > 0 ? truth_of({known.positive + more.positive, known.total + more.total}) : truth;
}

HebbianLink HebbianLinks::operator[](std::size_t number) const& {
  if (sources_.empty()) {
    charge(4 * size());
    Reservation(size() * sizeof(ConceptId)).keep();
    constexpr ConceptId unknown = 0xffffffffU;
    sources_.resize(size(), unknown);
    // The source of a link has the lower id of its two ends.
    for (ConceptId id = 0; id < graph_->size(); ++id)
      for (const std::uint32_t link : graph_->links_of(id)) sources_[link] = std::min(sources_[link], id);
  }
  return graph_->link(static_cast<std::uint32_t>(number), sources_[number]);
}

ConceptGraph::ConceptGraph(double decay) : decay_(decay), powers_{}, retention_{} {
  require(decay >= 0 && decay < 1, "decay must be in [0, 1)", decay);
  powers_[0] = 1 - decay;
  for (std::size_t i = 1; i < powers_.size(); ++i) powers_[i] = powers_[i - 1] * powers_[i - 1];
  retention_[0] = 1;  // each entry is the same product, in the same order, as in retention()
  for (std::size_t i = 1; i < retention_.size(); ++i) {
    const std::size_t highest = std::bit_floor(i);
    retention_[i] = retention_[i - highest] * powers_[static_cast<std::size_t>(std::countr_zero(highest))];
  }
}

ConceptId ConceptGraph::intern(narsese::Term term) {
  require(term && term.kind() != narsese::TermKind::variable, "a variable names no concept");
  if (const auto known = find(term)) return *known;
  for (const narsese::Term component : term.components())
    if (component.kind() != narsese::TermKind::variable) intern(component);
  const auto id = static_cast<ConceptId>(size());
  terms_.push_back(term);
  level_of_.push_back(none);
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
  const std::uint32_t at = level_of_[id];
  if (at == none) return {};
  const PackedLevel& held = levels_[at];
  if (held.rare == none) return {held.activity, 0, held.updated};
  const RareLevel& rare = rare_levels_[held.rare];
  return {held.activity, rare.judged, rare.updated};
}

std::uint32_t ConceptGraph::add_level(ConceptId id) {
  const auto level = static_cast<std::uint32_t>(levels_.size());
  level_of_[id] = level;
  levels_.push_back({});
  links_of_.resize(levels_.size());
  return level;
}

void ConceptGraph::set_level(ConceptId id, const Level& level) {
  constexpr Time max_packed_time = 0xffffffffU;
  PackedLevel& held = levels_[ensure_active(id).level];
  held.activity = level.activity;
  held.updated = static_cast<std::uint32_t>(std::min(level.updated, max_packed_time));
  const bool is_rare = level.judged != 0 || level.updated > max_packed_time;
  if (held.rare == none && !is_rare) return;
  const RareLevel rare{level.judged, level.updated};
  if (held.rare == none) {
    held.rare = static_cast<std::uint32_t>(rare_levels_.size());
    rare_levels_.push_back(rare);
  } else {
    rare_levels_[held.rare] = rare;
  }
}

ConceptGraph::Level ConceptGraph::level_at(ConceptId id, Time now) const {
  Level node = level(id);
  const double share = retention(now - node.updated);
  node.activity *= share;
  node.judged *= share;
  node.updated = now;
  return node;
}

void ConceptGraph::co_activate(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    const Active nearer = ensure_active(active[i]);
    add_to_concept(nearer, evidence, now);
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j)
      add_to_link(find_or_add_link(nearer, ensure_active(active[j]), now), active[i], evidence, now);
  }
}

// The fast path for levels without a RareLevel computes the same numbers, as does the one in add_to_link() for links.
void ConceptGraph::add_to_concept(Active it, double evidence, Time now) {
  PackedLevel& held = levels_[it.level];
  if (held.rare == none && now < first_rare) {
    held.activity = add_capped(held.activity * retention(now - held.updated), evidence);
    held.updated = static_cast<std::uint32_t>(now);
    return;
  }
  Level level = level_at(it.id, now);
  level.activity = add_capped(level.activity, evidence);
  set_level(it.id, level);
}

void ConceptGraph::add_to_link(std::uint32_t number, ConceptId end, double evidence, Time now) {
  PackedLink& held = links_[number];
  if (held.updated < first_rare && now < first_rare) {
    held.together = add_capped(held.together * retention(now - held.updated), evidence);
    held.updated = static_cast<std::uint32_t>(now);
    return;
  }
  HebbianLink link = link_at(number, end, now);
  link.co_activate(evidence);
  set_link(number, link);
}

void ConceptGraph::co_activate(std::span<const Episode> episodes) {
  while (!episodes.empty()) {
    std::size_t count = 0, concepts = 0, pairs = 0;
    for (; count < episodes.size(); ++count) {
      concepts += episodes[count].active.size();
      pairs += pairs_joined(episodes[count].active.size());
      if (concepts > max_prefetched_concepts || pairs > max_prefetched_pairs) break;
    }
    prefetch(episodes.first(count));
    count = std::max<std::size_t>(count, 1);  // a single episode can exceed both limits
    for (const Episode& one : episodes.first(count)) co_activate(one.active, one.evidence, one.time);
    episodes = episodes.subspan(count);
  }
}

void ConceptGraph::deny(std::span<const ConceptId> active, double evidence, Time now) {
  for (std::size_t i = 0; i < active.size(); ++i)
    for (std::size_t j = i + 1; j < std::min(active.size(), i + 1 + max_partners); ++j) {
      const std::uint32_t number = find_or_add_link(ensure_active(active[i]), ensure_active(active[j]), now);
      HebbianLink link = link_at(number, active[i], now);
      link.deny(evidence);
      set_link(number, link);
    }
}

std::size_t ConceptGraph::bytes() const {
  return terms_.bytes() + level_of_.bytes() + levels_.bytes() + rare_levels_.bytes() + links_.bytes() +
         rare_links_.bytes() + links_of_.bytes() + concept_index_.bytes() + link_index_.bytes();
}

void ConceptGraph::add_growth(GrowthBound& growth, narsese::Term term, std::span<const ConceptId> known,
                              std::size_t links) const {
  GrowingRows<std::uint32_t>::PlannedPushes ends;
  const std::size_t more = std::min(links, 2 * max_partners);
  std::size_t longer_lists = 0;  // lists that will exceed max_scan
  const auto add_list = [&](std::size_t size) {
    ends.add(size, more);
    longer_lists += static_cast<std::size_t>(size <= max_scan && size + more > max_scan);
  };
  for (const ConceptId id : known) add_list(links_of(id).size());
  const std::uint64_t concepts = term.complexity();
  for (std::size_t i = 0; i < std::min<std::uint64_t>(concepts, 2 * links); ++i) add_list(0);
  growth.add(terms_.bytes_with(concepts));
  growth.add(level_of_.bytes_with(concepts));
  growth.add(levels_.bytes_with(concepts));
  growth.add(rare_levels_.bytes_with(concepts + 2 * links));
  growth.add(links_.bytes_with(links));
  growth.add(rare_links_.bytes_with(links));
  growth.add(links_of_.bytes_with(concepts, ends));
  growth.add(concept_index_, concepts);
  // A list that exceeds max_scan adds its links to the index, but no link twice.
  growth.add(link_index_,
             std::min(links + longer_lists * max_scan, links_.size() + links - link_index_.size()));
}

std::uint32_t ConceptGraph::revise(ConceptId a, ConceptId b, TruthValue truth, Time now) {
  require(a < b && b < size(), "a link must join two concepts, the lower id first");
  require(truth.frequency >= 0 && truth.frequency <= 1, "the frequency must be in [0, 1]", truth.frequency);
  require(truth.confidence > 0 && truth.confidence < 1,
          "the confidence of a link judgement must be in (0, 1)", truth.confidence);
  const std::uint32_t number = find_or_add_link(ensure_active(a), ensure_active(b), now);
  HebbianLink link = link_at(number, a, now);
  link.revise(truth);
  set_link(number, link);
  const Evidence more = evidence_of(truth);
  for (const ConceptId end : {a, b}) {
    Level node = level_at(end, now);
    node.judged = add_capped(node.judged, more.positive + (more.total - more.positive) / 2);
    set_level(end, node);
  }
  return number;
}

std::uint32_t ConceptGraph::link_number(Active a, Active b) const {
  const auto joins = [&](std::uint32_t number) { return links_[number].ends == (a.id ^ b.id); };
  const auto links = links_of_[shorter_list(a, b)];
  if (links.size() > max_scan) return link_index_.find(link_hash(a.id, b.id), joins);
  const auto found = std::ranges::find_if(links, joins);
  return found == links.end() ? narsese::HashIndex::none : *found;
}

std::optional<HebbianLink> ConceptGraph::find_link(ConceptId a, ConceptId b) const {
  if (a > b) std::swap(a, b);
  if (!was_active(a) || !was_active(b)) return {};
  const std::uint32_t number = link_number({a, level_of_[a]}, {b, level_of_[b]});
  return number == narsese::HashIndex::none ? std::nullopt : std::optional(link(number, a));
}

HebbianLink ConceptGraph::link(std::uint32_t number, ConceptId end) const {
  const PackedLink& held = links_[number];
  const ConceptId other = held.ends ^ end;
  HebbianLink link{.source = std::min(end, other),
                   .target = std::max(end, other),
                   .together = held.together,
                   .updated = held.updated};
  if (held.updated < first_rare) return link;
  const RareLink& rare = rare_links_[held.updated - first_rare];
  link.judged = rare.judged;
  link.denied = rare.denied;
  link.updated = rare.updated;
  return link;
}

void ConceptGraph::set_link(std::uint32_t number, const HebbianLink& link) {
  PackedLink& held = links_[number];
  held.together = link.together;
  const RareLink rare{link.judged, link.denied, link.updated};
  if (held.updated >= first_rare) {
    rare_links_[held.updated - first_rare] = rare;
  } else if (link.judged != TruthValue{0.5, 0} || link.denied != 0 || link.updated >= first_rare) {
    held.updated = first_rare + static_cast<std::uint32_t>(rare_links_.size());
    rare_links_.push_back(rare);
  } else {
    held.updated = static_cast<std::uint32_t>(link.updated);
  }
}

std::uint32_t ConceptGraph::find_or_add_link(Active a, Active b, Time now) {
  const std::uint32_t number = link_number(a, b);
  return number != narsese::HashIndex::none ? number : add_link(a, b, now);
}

std::uint32_t ConceptGraph::add_link(Active a, Active b, Time now) {
  const auto number = static_cast<std::uint32_t>(links_.size());
  links_.push_back({.ends = a.id ^ b.id});
  if (now < first_rare)
    links_.back().updated = static_cast<std::uint32_t>(now);
  else
    set_link(number, {.source = a.id, .target = b.id, .updated = now});
  for (const Active end : {a, b}) links_of_.push(end.level, number);
  // A list that has just exceeded max_scan adds its older links. No link is added twice, because the lists of a and b
  // share only this link.
  if (has_many_links(a) && has_many_links(b)) link_index_.insert(link_hash(a.id, b.id), number);
  for (const Active end : {a, b})
    if (links_of_.size_of(end.level) == max_scan + 1)
      add_to_index(end, std::as_const(links_of_)[end.level].first(max_scan));
  return number;
}

// Adds links of `end` to the index if the other end also has many links.
void ConceptGraph::add_to_index(Active end, std::span<const std::uint32_t> links) {
  for (const std::uint32_t number : links) {
    const ConceptId other = std::as_const(links_)[number].ends ^ end.id;
    if (has_many_links(ensure_active(other)))
      link_index_.insert(link_hash(std::min(end.id, other), std::max(end.id, other)), number);
  }
}

HebbianLink ConceptGraph::link_at(std::uint32_t number, ConceptId end, Time now) const {
  HebbianLink brought = link(number, end);
  brought.judged = judged_at(brought, now);
  const double share = retention(now - brought.updated);
  brought.together *= share;
  brought.denied *= share;
  brought.updated = now;
  return brought;
}

double ConceptGraph::retention(Time cycles) const {
  // Repeated squaring, because the last bit of std::pow differs between machines.
  if (powers_[0] == 1) return 1;
  double result = retention_[cycles % retention_.size()];
  for (cycles -= cycles % retention_.size(); cycles > 0; cycles &= cycles - 1)
    result *= powers_[static_cast<std::size_t>(std::countr_zero(cycles))];
  return result;
}

double ConceptGraph::activity(ConceptId id, Time now) const {
  const Level node = level(id);
  return (node.activity + node.judged) * retention(now - node.updated);
}

TruthValue ConceptGraph::judged_at(const HebbianLink& link, Time now) const {
  if (link.judged.confidence == 0) return link.judged;
  const double share = retention(now - link.updated);
  if (share == 1) return link.judged;  // converting c to evidence and back can change the last bit
  const double total = evidence_of(link.judged).total * share;
  return {link.judged.frequency, truth_of({0, total}).confidence};
}

double ConceptGraph::judged_evidence(std::uint32_t number, Time now) const {
  const std::uint32_t updated = links_[number].updated;
  if (updated < first_rare) return 0;
  const RareLink& rare = rare_links_[updated - first_rare];
  return evidence_of(judged_at({.judged = rare.judged, .updated = rare.updated}, now)).total;
}

std::vector<ConceptGraph::JudgedLink> ConceptGraph::judged_links(const std::vector<bool>& selected) const {
  std::vector<JudgedLink> found;
  if (rare_links_.empty()) return found;
  std::vector<std::pair<std::uint32_t, ConceptId>> judged;  // numbers with their sources
  for (ConceptId id = 0; id < size(); ++id)
    for (const std::uint32_t number : links_of(id))
      if (selected[number] && links_[number].updated >= first_rare)
        if (const HebbianLink one = link(number, id); one.source == id && one.judged.confidence > 0)
          judged.emplace_back(number, id);
  std::ranges::sort(judged);
  for (const auto& [number, source] : judged) {
    const HebbianLink one = link(number, source);
    found.push_back({term(one.source), term(one.target), one.judged, one.updated});
  }
  return found;
}

Evidence ConceptGraph::experience(const HebbianLink& link, Time now) const {
  const auto episodes = [&](ConceptId id) {
    const Level node = level(id);
    return node.activity * retention(now - node.updated);
  };
  const double share = retention(now - link.updated);
  const double together = link.together * share, both = together + link.denied * share;
  const double either = episodes(link.source) + episodes(link.target) - both;
  return {together, std::max(either, both)};  // keeps f <= 1 despite rounding
}

double ConceptGraph::weight(const HebbianLink& link, Time now) const {
  return link.together * retention(now - link.updated) + evidence_of(judged_at(link, now)).positive;
}

Evidence ConceptGraph::evidence(const HebbianLink& link, Time now) const {
  const Evidence own = experience(link, now), judged = evidence_of(judged_at(link, now));
  return {own.positive + judged.positive, own.total + judged.total};
}

TruthValue ConceptGraph::truth(const HebbianLink& link, Time now) const {
  if (!(experience(link, now).total > 0)) return judged_at(link, now);
  return truth_of(evidence(link, now));
}

void ConceptGraph::prefetch(std::span<const narsese::Term> terms) const {
  if (size() == 0) return;
  std::array<std::uint32_t, max_prefetched_hashes> hashes;
  std::size_t count = 0;
  for (const narsese::Term term : terms) add_hashes(term, hashes, count);
  const std::span all(hashes.data(), count);
  for (const std::uint32_t hash : all) concept_index_.prefetch(hash);
  std::size_t known = 0;
  for (const std::uint32_t hash : all)
    if (const std::uint32_t guess = concept_index_.guess(hash); guess != 0) {
      all[known++] = guess - 1;
      __builtin_prefetch(&terms_[guess - 1]);
    }
  prefetch_levels(all.first(known), all.first(known));  // overwrites the ids with levels
}

// Writes the level of each id and prefetches the level and its link list. `levels` may overwrite `ids`.
void ConceptGraph::prefetch_levels(std::span<const ConceptId> ids, std::span<std::uint32_t> levels) const {
  for (const ConceptId id : ids) __builtin_prefetch(&level_of_[id]);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::uint32_t level = levels[i] = level_of_[ids[i]];
    if (level == none) continue;
    __builtin_prefetch(&levels_[level]);
    links_of_.prefetch(level);
  }
  for (const std::uint32_t level : levels.first(ids.size())) {
    if (level == none) continue;
    if (const auto links = links_of_[level]; !links.empty()) __builtin_prefetch(&links.back());
  }
}

// The episodes must not exceed max_prefetched_concepts and max_prefetched_pairs.
void ConceptGraph::prefetch(std::span<const Episode> episodes) const {
  std::array<ConceptId, max_prefetched_concepts> ids;
  std::array<std::uint32_t, max_prefetched_concepts> levels;
  std::size_t count = 0;
  for (const Episode& one : episodes) {
    std::ranges::copy(one.active, ids.begin() + count);
    count += one.active.size();
  }
  prefetch_levels(std::span(ids).first(count), levels);
  const bool has_index = link_index_.size() > 0;
  std::array<std::uint64_t, max_prefetched_pairs> hashes;  // of links that may be in the index
  std::size_t hashed = 0, first = 0;
  for (const Episode& one : episodes) {
    const std::size_t size = one.active.size();
    for (std::size_t i = first; i < first + size; ++i)
      for (std::size_t j = i + 1; j < std::min(first + size, i + 1 + max_partners); ++j) {
        if (levels[i] == none || levels[j] == none) continue;
        const std::uint32_t shorter = shorter_list({ids[i], levels[i]}, {ids[j], levels[j]});
        if (links_of_.size_of(shorter) <= max_scan)
          for (const std::uint32_t number : links_of_[shorter]) __builtin_prefetch(&links_[number]);
        else if (has_index)
          link_index_.prefetch(hashes[hashed++] = link_hash(ids[i], ids[j]));
      }
    first += size;
  }
  for (const std::uint64_t hash : std::span(hashes).first(hashed))
    if (const std::uint32_t guess = link_index_.guess(hash); guess != 0)
      __builtin_prefetch(&links_[guess - 1]);
}

}  // namespace engram::core
