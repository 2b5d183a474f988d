// SPDX-License-Identifier: MIT
// What memory is asked for before it is needed: waiting for many things at once takes as long as for one. Nothing
// here changes a result.
#include <array>

#include "core/graph/memory.hpp"
#include "narsese/nal_line.hpp"

namespace engram::core {
namespace {

// At most so many are looked for at a time: what was asked for first must still be at hand when it is needed.
constexpr std::size_t most_at_once = 1024;

// The hashes of a term and of what it consists of, as far as there is room.
void add_hashes(narsese::Term term, std::array<std::uint32_t, most_at_once>& hashes, std::size_t& count) {
  if (!term || count == hashes.size()) return;
  hashes[count++] = term.hash();
  for (const narsese::Term component : term.components()) add_hashes(component, hashes, count);
}

}  // namespace

void ConceptGraph::look_ahead(std::span<const narsese::Term> terms) const {
  if (size() == 0) return;
  std::array<std::uint32_t, most_at_once> hashes;
  std::size_t count = 0;
  for (const narsese::Term term : terms) add_hashes(term, hashes, count);
  const std::span all(hashes.data(), count);
  for (const std::uint32_t hash : all) concept_index_.prefetch(hash);
  std::size_t known = 0;
  for (const std::uint32_t hash : all)
    if (const std::uint32_t guess = concept_index_.guess(hash); guess != 0) {
      all[known++] = guess - 1;
      __builtin_prefetch(&terms_[guess - 1]);
      __builtin_prefetch(&level_at_[guess - 1]);
    }
  for (const ConceptId id : all.first(known)) look_for_level(id);
  for (const ConceptId id : all.first(known)) look_for_links(id);
}

// What an active concept is known by, and where the list of its links stands.
void ConceptGraph::look_for_level(ConceptId id) const {
  const std::uint32_t at = level_at_[id];
  if (at == none) return;
  __builtin_prefetch(&levels_[at]);
  links_of_.look_ahead(at);
}

// The end of the list of its links.
void ConceptGraph::look_for_links(ConceptId id) const {
  if (const auto links = links_of(id); !links.empty()) __builtin_prefetch(&links.back());
}

void ConceptGraph::look_for_levels(std::span<const Pair> pairs) const {
  for (const auto& [a, b] : pairs) {
    __builtin_prefetch(&level_at_[a]);
    __builtin_prefetch(&level_at_[b]);
  }
  for (const auto& [a, b] : pairs) {
    look_for_level(a);
    look_for_level(b);
  }
  for (const auto& [a, b] : pairs) {
    look_for_links(a);
    look_for_links(b);
  }
}

void ConceptGraph::look_ahead(std::span<const Pair> pairs) const {
  if (size() == 0) return;
  look_for_levels(pairs);
  const bool has_index = link_index_.size() > 0;
  for (const auto& [a, b] : pairs)
    if (const auto links = shorter_list(a, b); links.size() <= most_looked_through)
      for (const std::uint32_t number : links) __builtin_prefetch(&links_[number]);
    else if (has_index)
      link_index_.prefetch(link_hash(a, b));
  if (!has_index) return;
  for (const auto& [a, b] : pairs)
    if (const std::uint32_t guess = link_index_.guess(link_hash(a, b)); guess != 0)
      __builtin_prefetch(&links_[guess - 1]);
}

void Memory::look_ahead(std::span<const narsese::NalLine> lines) const {
  std::vector<narsese::Term> terms;
  for (const narsese::NalLine& line : lines)
    if (line.sentence.term) {
      terms.push_back(line.sentence.term);
      if (!statements_.empty()) statement_index_.prefetch(statement_hash(line.sentence));
    }
  graph_.look_ahead(terms);
}

}  // namespace engram::core
