// SPDX-License-Identifier: MIT
#include "core/retrieval/occurrences.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "core/numbers/growth.hpp"
#include "core/numbers/work.hpp"

namespace engram::core {
namespace {

constexpr std::size_t most_leaves = 0xffffffffU;

// What it takes while it is made: leaves from both sides, positions, and where statements and names begin.
std::size_t bytes_while_made(std::size_t leaves, std::size_t statements, std::size_t names) {
  constexpr std::size_t of_position = sizeof(Position) + 6 * sizeof(void*);  // it, and a node of a map
  return leaves * (sizeof(Occurrence) + sizeof(Mention) + sizeof(MentionsAt) + of_position) +
         (statements + 4 * names + 8) * sizeof(std::uint32_t);
}

// Positions, numbered as they are met. There are few kinds of statement: most were seen a moment ago.
class Positions {
 public:
  std::uint32_t number_of(Position position) {
    Recent& recent = recent_[position % recent_.size()];
    if (recent.number == none || recent.position != position) {
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      recent = {position, numbers_.try_emplace(position, next).first->second};
    }
    return recent.number;
  }
  const std::map<Position, std::uint32_t>& ascending() const { return numbers_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  struct Recent {
    Position position = 0;
    std::uint32_t number = none;
  };
  std::array<Recent, 256> recent_;
  std::map<Position, std::uint32_t> numbers_;
};

}  // namespace

Occurrences::Occurrences(const SparseRows& episodes, std::span<const narsese::Term> terms,
                         std::span<const narsese::Term> statement_terms, std::span<const StatementId> rules)
    : repeated_(terms.size()), operators_(terms.size()) {
  for (ConceptId id = 0; id < terms.size(); ++id)
    if (terms[id].kind() == narsese::TermKind::op) operators_.insert(id);
  std::vector<bool> is_rule(statement_terms.size());
  for (const StatementId e : rules) is_rule[e] = true;
  std::size_t most = 0;
  for (std::size_t e = 0; e < statement_terms.size(); ++e)
    if (!is_rule[e]) most += statement_terms[e].complexity();
  if (most > most_leaves) throw std::length_error("statements of more than 2^32 - 1 nodes are not indexed");
  const Claim claim(bytes_while_made(most, statement_terms.size(), terms.size()));

  Positions positions;
  std::vector<Leaf> found;
  occurrences_.reserve(most);
  statement_start_.reserve(statement_terms.size() + 1);
  for (std::size_t e = 0; e < statement_terms.size(); ++e) {
    const auto ids = episodes.columns_of(static_cast<Index>(e));
    found.clear();
    if (!is_rule[e]) add_leaves(statement_terms[e], found);
    spend(found.size() * ids.size());
    for (const Leaf& leaf : found) {
      const auto id = std::ranges::find(ids, leaf.term, [&](ConceptId i) { return terms[i]; });
      if (id != ids.end()) occurrences_.push_back({*id, positions.number_of(leaf.position)});
    }
    statement_start_.push_back(static_cast<std::uint32_t>(occurrences_.size()));
  }
  occurrences_.shrink_to_fit();
  put_places_in_order(positions.ascending());
  turn_round(terms.size());
}

void Occurrences::put_places_in_order(const std::map<Position, std::uint32_t>& numbers) {
  std::vector<std::uint32_t> place_of(numbers.size());
  positions_.reserve(numbers.size());
  for (const auto& [position, number] : numbers) {
    place_of[number] = static_cast<std::uint32_t>(positions_.size());
    positions_.push_back(position);
  }
  for (Occurrence& occurrence : occurrences_) occurrence.place = place_of[occurrence.place];
}

void Occurrences::turn_round(std::size_t names) {
  std::vector<std::uint32_t> next(names + 1, 0);
  for (const Occurrence& occurrence : occurrences_) ++next[occurrence.id + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  const std::vector<std::uint32_t> begin = next;
  mentions_.resize(occurrences_.size());
  for (StatementId e = 0; e + 1 < statement_start_.size(); ++e)
    for (std::uint32_t o = begin_of(e); o < begin_of(e + 1); ++o) {
      const ConceptId id = occurrences_[o].id;
      if (next[id] > begin[id] && mentions_[next[id] - 1].statement == e) repeated_.insert(id);
      mentions_[next[id]++] = {e, o};
    }

  spend(16 * mentions_.size());
  const auto place = [&](const Mention& m) { return occurrences_[m.occurrence].place; };
  const auto by_place = [&](const Mention& m) { return std::tuple(place(m), m.occurrence); };
  name_start_.reserve(names + 1);
  std::uint32_t first = 0;
  for (std::size_t id = 0; id < names; ++id) {  // next[id]: where the mentions of this name end
    std::ranges::sort(std::span(mentions_).subspan(first, next[id] - first), {}, by_place);
    for (; first < next[id]; ++first) {
      const Mention& mention = mentions_[first];
      const bool same_place =
          at_places_.size() > name_start_.back() && at_places_.back().place == place(mention);
      if (!same_place) at_places_.push_back({place(mention), first, first});
      const bool again = same_place && mentions_[first - 1].statement == mention.statement;
      occurrences_[mention.occurrence].mention =
          again ? occurrences_[mentions_[first - 1].occurrence].mention : first;
      at_places_.back().last = first + 1;
    }
    name_start_.push_back(static_cast<std::uint32_t>(at_places_.size()));
  }
  at_places_.shrink_to_fit();
}

std::span<const Mention> Occurrences::of_name(ConceptId id) const {
  const auto places = places_of(id);
  if (places.empty()) return {};
  return mentions().subspan(places.front().first, places.back().last - places.front().first);
}

std::size_t Occurrences::bytes() const {
  return bytes_of(positions_) + bytes_of(statement_start_) + bytes_of(name_start_) + bytes_of(occurrences_) +
         bytes_of(mentions_) + bytes_of(at_places_) + repeated_.bytes() + operators_.bytes();
}

}  // namespace engram::core
