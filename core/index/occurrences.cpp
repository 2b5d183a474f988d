// SPDX-License-Identifier: MIT
#include "core/index/occurrences.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/numbers/work_budget.hpp"

namespace engram::core {

void Occurrences::catch_up(const Memory& memory, std::span<const StatementId> rules) {
  const ConceptGraph& graph = memory.graph();
  places_.resize(graph.size());
  for (auto id = static_cast<ConceptId>(is_operator_.size()); id < graph.size(); ++id)
    is_operator_.push_back(graph.term(id).kind() == narsese::TermKind::op);
  is_repeated_.resize(graph.size());
  std::vector<Leaf> found;
  for (auto e = static_cast<StatementId>(statement_start_.size() - 1); e < memory.statements().size(); ++e) {
    const narsese::Term term = memory.statements().term(e);
    const auto active = memory.statements().active(e);
    found.clear();
    if (!std::ranges::binary_search(rules, e)) add_leaves(term, found);
    charge(found.size() * (active.size() + 8));
    for (const Leaf& leaf : found) {
      const auto id = std::ranges::find(active, leaf.term, [&](ConceptId i) { return graph.term(i); });
      if (id != active.end()) add(e, *id, place_of(leaf.position));
    }
    statement_start_.push_back(static_cast<std::uint32_t>(occurrences_.size()));
  }
}

std::uint32_t Occurrences::place_of(Position position) {
  const auto next = static_cast<std::uint32_t>(positions_.size());
  const auto [at, is_new] = places_by_position_.try_emplace(position, next);
  if (is_new) positions_.push_back(position);
  return at->second;
}

void Occurrences::add(StatementId e, ConceptId id, std::uint32_t place) {
  constexpr std::size_t most_leaves = 0xffffffffU;
  if (occurrences_.size() >= most_leaves)
    throw std::length_error("the index of names is limited to 2^32 - 1 leaves of statements");
  const auto number = static_cast<std::uint32_t>(occurrences_.size());
  std::uint32_t first = number;
  for (std::uint32_t o = std::as_const(statement_start_).back(); o < number; ++o)
    if (const Occurrence& before = std::as_const(occurrences_)[o]; before.id == id) {
      is_repeated_[id] = true;
      if (before.place == place) first = std::min(first, o);
    }
  occurrences_.push_back({id, place, first});
  mentions_.push(mentions_of(id, place), {e, number});
}

std::uint32_t Occurrences::mentions_of(ConceptId id, std::uint32_t place) {
  const auto by_position = [&](const PlaceOfName& at) { return positions_[at.place]; };
  const auto known = places_of(id);
  const auto at = std::ranges::lower_bound(known, positions_[place], {}, by_position);
  if (at != known.end() && at->place == place) return at->mentions;
  const auto before = at - known.begin();
  const auto row = static_cast<std::uint32_t>(mentions_.size());
  mentions_.resize(mentions_.size() + 1);
  places_.push(id, {place, row});
  const auto all = places_[id];
  std::rotate(all.begin() + before, all.end() - 1, all.end());
  return row;
}

std::size_t Occurrences::count_of(ConceptId id) const {
  std::size_t count = 0;
  for (const PlaceOfName& at : places_of(id)) count += mentions(at).size();
  return count;
}

std::size_t Occurrences::bytes() const {
  constexpr std::size_t node = sizeof(Position) + 6 * sizeof(void*);  // bytes of a map node
  return bytes_of(positions_) + positions_.size() * node + statement_start_.bytes() + occurrences_.bytes() +
         places_.bytes() + mentions_.bytes() + is_repeated_.capacity() / 8 + is_operator_.capacity() / 8;
}

}  // namespace engram::core
