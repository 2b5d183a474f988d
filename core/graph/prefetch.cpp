// SPDX-License-Identifier: MIT
// What memory is asked for before it is needed: waiting for many things at once takes as long as for one. Nothing
// here changes a result.
#include <algorithm>
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

void ConceptGraph::prefetch(std::span<const narsese::Term> terms) const {
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
    }
  look_for_levels(all.first(known), all.first(known));  // each in the place of its id
}

// How active a concept was, and where the list of its links stands; nothing where it was not.
void ConceptGraph::look_for_level(std::uint32_t level) const {
  if (level == none) return;
  __builtin_prefetch(&levels_[level]);
  links_of_.prefetch(level);
}

// The end of the list of its links.
void ConceptGraph::look_for_links(std::uint32_t level) const {
  if (level == none) return;
  if (const auto links = links_of_[level]; !links.empty()) __builtin_prefetch(&links.back());
}

// Their levels, which may come in place of the ids, and what stands there.
void ConceptGraph::look_for_levels(std::span<const ConceptId> ids, std::span<std::uint32_t> levels) const {
  for (const ConceptId id : ids) __builtin_prefetch(&level_at_[id]);
  for (std::size_t i = 0; i < ids.size(); ++i) look_for_level(levels[i] = level_at_[ids[i]]);
  for (std::size_t i = 0; i < ids.size(); ++i) look_for_links(levels[i]);
}

// At most so many concepts and pairs as are looked for at a time.
void ConceptGraph::prefetch(std::span<const Episode> episodes) const {
  std::array<ConceptId, most_concepts_ahead> ids;
  std::array<std::uint32_t, most_concepts_ahead> levels;
  std::size_t count = 0;
  for (const Episode& one : episodes) {
    std::ranges::copy(one.active, ids.begin() + count);
    count += one.active.size();
  }
  look_for_levels(std::span(ids).first(count), levels);
  const bool has_index = link_index_.size() > 0;
  std::array<std::uint64_t, most_pairs_ahead> hashes;  // of those that the index may know
  std::size_t hashed = 0, first = 0;
  for (const Episode& one : episodes) {
    const std::size_t size = one.active.size();
    for (std::size_t i = first; i < first + size; ++i)
      for (std::size_t j = i + 1; j < std::min(first + size, i + 1 + max_partners); ++j) {
        if (levels[i] == none || levels[j] == none) continue;
        const std::uint32_t shorter = shorter_list({ids[i], levels[i]}, {ids[j], levels[j]});
        if (links_of_.size_of(shorter) <= most_looked_through)
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

void Memory::prefetch(std::span<const narsese::NalLine> lines) const {
  std::vector<narsese::Term> terms;
  for (const narsese::NalLine& line : lines)
    if (line.sentence.term) {
      terms.push_back(line.sentence.term);
      if (!statements_.empty()) statement_index_.prefetch(statement_hash(line.sentence));
    }
  graph_.prefetch(terms);
}

}  // namespace engram::core
