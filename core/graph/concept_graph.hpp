// SPDX-License-Identifier: MIT
// The memory's graph: concepts, the structural links between them, and the links they learn.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/chunked_vector.hpp"
#include "core/numbers/growing_rows.hpp"
#include "core/numbers/growth.hpp"
#include "core/numbers/index_iterator.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/large_allocator.hpp"
#include "narsese/term.hpp"
#include "narsese/truth_value.hpp"

namespace engram::core {

struct GraphImage;

/// Names a concept of one graph for good: 0, 1, 2, ... in the order of their first mention.
using ConceptId = std::uint32_t;
/// Of a link from a to b, in an index of learnt links.
constexpr std::uint64_t pair_hash(ConceptId a, ConceptId b) {
  return narsese::mix((std::uint64_t{a} << 32) | b);
}
/// Working cycles since the memory began.
using Time = std::uint64_t;

/// What a term names in memory.
struct Concept {
  narsese::Term term;
  double activity = 0;  // evidence of the episodes it was active in, as of `updated`
  double told = 0;      // evidence of being active that came with what was told of its links, likewise
  Time updated = 0;
};

/// `compound` has `component` among its components.
struct TermLink {
  ConceptId compound = 0;
  ConceptId component = 0;
};

/// Two concepts that were active together: source < target.
struct HebbianLink {
  ConceptId source = 0;
  ConceptId target = 0;
  double together = 0;  // evidence of the episodes with both, for what was said there, as of `updated`
  narsese::TruthValue told{0.5, 0};  // what was told of it, likewise
  Time updated = 0;
  double apart = 0;  // of the same episodes, against it: what was denied

  // What ConceptGraph does to a link that is brought to now.
  /// Evidence of one more episode with both.
  void co_activate(double evidence);
  /// So much of it is against what was said.
  void deny(double evidence);
  /// Revision of what was told of it.
  void tell(narsese::TruthValue truth);
};

class ConceptGraph;

/// The Hebbian links of a graph that does not change meanwhile, by their numbers: in the order in which they were
/// made. Which concepts each joins stands in the lists of these alone, and is worked out when it is first asked
/// for.
/// Cost  O(links), and 4 bytes each, as long as this lives; one link of a concept: ConceptGraph::link
class HebbianLinks {
 public:
  using const_iterator = IndexIterator<HebbianLinks, HebbianLink, HebbianLink>;

  explicit HebbianLinks(const ConceptGraph& graph) : graph_(&graph) {}
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  HebbianLink operator[](std::size_t number) const&;
  HebbianLink operator[](std::size_t number) const&& = delete;  // all would be worked out for one
  const_iterator begin() const& { return {this, 0}; }
  const_iterator end() const& { return {this, size()}; }

 private:
  const ConceptGraph* graph_;
  mutable std::vector<ConceptId> sources_;
};

/// How many concepts behind it, in the order of their ids, an episode joins a concept with. All pairs of up
/// to one more; beyond, links grow with the length of a sentence and not with its square. Ids go by first
/// mention, so what was first said at the same time stays together. Chosen: the longest sentence of the files
/// that come with NARSs mentions 10 concepts; 1,030 lines of 250 new ones come to 4 million links and 0.4 GB,
/// with all pairs to 32 million and 2.3 GB.
inline constexpr std::size_t max_partners = 16;
/// How many pairs that makes of so many concepts.
constexpr std::size_t pairs_joined(std::size_t active) {
  const std::size_t partners = active == 0 ? 0 : std::min(max_partners, active - 1);
  return partners * (active - partners) + partners * (partners - 1) / 2 * (partners > 0);
}

/// Concepts and their links. Hebbian weights are W_ij = sum over episodes e of F_e D_e a_ei a_ej, with
/// D_e = evidence_e (1 - decay)^(now - time_e) and F_e the share of it that is for what was said, 1 until
/// deny() says less; the decay is worked out when a number is read or changed,
/// never for links that are left alone. An episode of many concepts adds to the pairs alone that it joins
/// (max_partners): of the others W lacks it, and as evidence for a link that they have from other episodes it
/// counts as one of both ends alone. As a graph of Boost: core/graph/concept_graph_bgl.hpp.
///
/// Evidence for a link, that source and target go together, comes from two sides and is added, as in NAL's
/// revision:
///   experience   w+ of the episodes with both, as far as they are for what was said; w - w+ of the rest of
///                them and of those with one of the two
///   told         by another memory or a reasoner, as a truth value: as if as much of episodes with both had
///                been there, and of episodes with one alone, half and half. They count in W and in the
///                activity of its ends, but as no experience of another link of theirs.
/// What was told of a link without experience is kept to the last bit until it decays or more is told.
/// Memory 12 bytes a concept and 24 more where it was active, 16 a link and 4 to 8 for each of its ends, beside
/// the hash indices, of some 13 bytes an entry: one of concepts, and one of the links whose ends both have many.
class ConceptGraph {
 public:
  /// Errors  std::invalid_argument unless decay is in [0, 1)
  explicit ConceptGraph(double decay = 0);

  /// The concept of a term, made with those of all its components if it is new. Variables get none.
  /// Cost  O(components) expected.   Errors  std::invalid_argument for a variable
  ConceptId intern(narsese::Term term);
  /// The concept of a term, if there is one.  Cost  O(1) expected
  std::optional<ConceptId> find(narsese::Term term) const;

  /// Who was active together, when, and with how much evidence.
  struct Episode {
    std::span<const ConceptId> active;  // ascending without repetition
    double evidence = 0;
    Time time = 0;
  };
  /// Fire together, wire together: adds `evidence` to the activity of each of the concepts and to the link
  /// of each pair that is joined.  `active` ascends without repetition.
  /// Cost  O(m max_partners) expected for m concepts
  void co_activate(std::span<const ConceptId> active, double evidence, Time now);
  /// The same of many episodes, one after the other, in less time: what they need of memory is asked for before.
  void co_activate(std::span<const Episode> episodes);

  /// Of the evidence that these were given together, so much is against what was said: it moves, for each
  /// pair that is joined, from what is for the link to what is against it; below 0 it moves back. What either
  /// then comes to below 0 is rounding, and counts as 0.
  /// Cost  as co_activate
  void deny(std::span<const ConceptId> active, double evidence, Time now);

  /// Names the concepts from this one on by other handles of the same terms.
  void rename(ConceptId first, std::span<const narsese::Term> terms);

  /// Adds evidence to one link by NAL's revision. c above narsese::greatest_confidence counts as that.
  /// Returns the number of the link.
  /// Errors  std::invalid_argument unless a < b are concepts, f is in [0, 1] and c in (0, 1)
  std::uint32_t tell(ConceptId a, ConceptId b, narsese::TruthValue truth, Time now);

  std::size_t size() const { return terms_.size(); }
  Concept operator[](ConceptId id) const {
    const auto [activity, told, updated] = level(id);
    return {term(id), activity, told, updated};
  }
  /// The term that names it.
  narsese::Term term(ConceptId id) const { return terms_[id]; }
  /// Whether it was ever active, or told of: others have no activity, and no links.
  bool was_active(ConceptId id) const { return level_at_[id] != none; }
  /// Compounds and their components, by compound.  Cost  O(size of all terms)
  std::vector<TermLink> term_links() const;
  HebbianLinks hebbian_links() const { return HebbianLinks(*this); }

  /// The link between two concepts; nothing where there is none.  Cost  O(1) expected
  std::optional<HebbianLink> find_link(ConceptId a, ConceptId b) const;

  /// A link by its number and one of the concepts that it joins.
  HebbianLink link(std::uint32_t number, ConceptId end) const;
  /// The numbers of a concept's Hebbian links, ascending.
  std::span<const std::uint32_t> links_of(ConceptId id) const {
    return level_at_[id] == none ? std::span<const std::uint32_t>() : links_of_[level_at_[id]];
  }

  /// Bytes of all this, with what vectors hold in reserve.  Cost  O(1)
  std::size_t bytes() const;
  /// Adds what it will have come to at most once so many concepts more, and so many links, are there: quickly
  /// and too much, or closely, where they are those of a term and the links join these among others.
  void add_growth(Growth& growth, std::size_t concepts, std::size_t links) const;
  void add_growth(Growth& growth, narsese::Term term, std::span<const ConceptId> known,
                  std::size_t links) const;

  /// Asks memory for the term of a concept.
  void prefetch(ConceptId id) const { __builtin_prefetch(&terms_[id]); }
  /// Asks memory for what find, intern and co_activate will need of these terms and of what they consist of.
  void prefetch(std::span<const narsese::Term> terms) const;

  double decay() const { return decay_; }
  /// (1 - decay)^cycles.
  double kept(Time cycles) const;
  /// Evidence of the concept's episodes, D-weighted, at `now`, told or not: the diagonal of W.
  double activity(ConceptId id, Time now) const;
  /// W of a link at `now`: its positive evidence.
  double weight(const HebbianLink& link, Time now) const;
  /// The link as evidence that source and target go together: positive where both were active in what was
  /// affirmed, negative where they were in what was denied or one was without the other.
  narsese::Evidence evidence(const HebbianLink& link, Time now) const;
  /// f = w+/w and c = w/(w+k) of that, c at most narsese::greatest_confidence; c = 0 without evidence. Told
  /// to a link without any, it becomes that link's truth to the last bit.
  narsese::TruthValue truth(const HebbianLink& link, Time now) const;

  /// What was told of some links, by number.
  struct ToldLink {
    narsese::Term source, target;
    narsese::TruthValue truth;  // as of `updated`
    Time updated = 0;
  };
  /// How much evidence that is, of one link.
  double told_evidence(std::uint32_t number, Time now) const;
  /// What was told of these links.
  std::vector<ToldLink> told_links(const std::vector<bool>& links) const;

  /// All of it as numbers, and the graph that they are of (core/graph/memory_image.hpp).
  GraphImage image() const;
  /// The components of all concepts, by id: variables are `none`.
  class Components {
   public:
    /// Of one concept, as they stand in its term.
    std::span<const ConceptId> of(ConceptId id) const {
      return std::span(ids_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
    }

   private:
    friend class ConceptGraph;
    narsese::LargeVector<ConceptId> ids_;
    narsese::LargeVector<std::size_t> begin_{0};
  };
  /// Takes on the concepts of an image. Of an empty graph.  Errors  as Memory::become
  Components become_concepts(const GraphImage& image);
  /// Their activity and links, each of which stands there once: then, or meanwhile by another thread.  Errors  the same
  void become_links(const GraphImage& image, Time now);
  /// The concept of a term, where it may be this one.
  std::optional<ConceptId> find(narsese::Term term, ConceptId likely) const {
    return likely < size() && terms_[likely] == term ? std::optional(likely) : find(term);
  }

 private:
  friend class HebbianLinks;
  static constexpr std::uint32_t none = 0xffffffffU;
  // What is known of a concept that was active.
  struct Level {
    double activity = 0, told = 0;
    Time updated = 0;
  };
  struct HeldLevel {
    double activity = 0;
    std::uint32_t updated = 0, rare = none;  // what is kept beside it has the time, too
  };
  static_assert(sizeof(HeldLevel) == 16);
  // What few concepts have: something told of them, or a time past 32 bits.
  struct RareLevel {
    double told = 0;
    Time updated = 0;
  };
  struct HeldLink {
    ConceptId ends = 0;         // source ^ target: with one of them it is the other
    std::uint32_t updated = 0;  // from first_rare on, where there is more of it
    double together = 0;
  };
  static_assert(sizeof(HeldLink) == 16);
  static constexpr std::uint32_t first_rare = 0x80000000U;
  // What few links have.
  struct RareLink {
    narsese::TruthValue told{0.5, 0};
    double apart = 0;
    Time updated = 0;
  };
  // A link is found in the shorter list of its ends; where that is longer than this, by the index, which has
  // those links alone. Chosen: the links of a list lie far apart, but are asked for at once.
  static constexpr std::size_t most_looked_through = 8;

  // Hashes of links in an index that tells them apart by this and by a ^ b: both together are those of no other
  // pair, as for any a ^ b this is one to one in a.
  static constexpr std::uint64_t link_hash(ConceptId a, ConceptId b) {
    constexpr std::uint32_t odd = 0x9e3779b1U;
    return static_cast<std::uint32_t>(narsese::mix(a ^ b)) + a * odd;
  }
  // A concept that was active, and the number of its level.
  struct Active {
    ConceptId id = 0;
    std::uint32_t level = none;
  };
  // As many concepts, and pairs of them, as memory is asked for at a time: what was asked for first must still be at
  // hand when it is needed. Chosen.
  static constexpr std::size_t most_concepts_ahead = 256, most_pairs_ahead = 128;
  void prefetch(std::span<const Episode> episodes) const;
  void prefetch(std::span<const HebbianLink> links) const;
  void look_for_levels(std::span<const ConceptId> ids, std::span<std::uint32_t> levels) const;
  void look_for_level(std::uint32_t level) const;
  void look_for_links(std::uint32_t level) const;
  narsese::Evidence experience(const HebbianLink& link, Time now) const;
  narsese::TruthValue told(const HebbianLink& link, Time now) const;
  Level level(ConceptId id) const;
  Level level_brought_to(ConceptId id, Time now) const;
  void set_level(ConceptId id, const Level& level);
  void add_to_concept(Active it, double evidence, Time now);
  void add_to_link(std::uint32_t number, ConceptId end, double evidence, Time now);
  // The same with its level, made where it has none.
  Active made_active(ConceptId id) {
    const std::uint32_t level = std::as_const(level_at_)[id];
    return {id, level != none ? level : level_made(id)};
  }
  std::uint32_t level_made(ConceptId id);
  bool has_many_links(Active end) const { return links_of_.size_of(end.level) > most_looked_through; }
  // Of two ends the one of fewer links, the first where both have as many.
  std::uint32_t shorter_list(Active a, Active b) const {
    return links_of_.size_of(b.level) < links_of_.size_of(a.level) ? b.level : a.level;
  }
  std::uint32_t number_of_link(Active a, Active b) const;  // HashIndex::none: there is none
  void set_link(std::uint32_t number, const HebbianLink& link);
  void become_active(const GraphImage& image, Time now);
  void add_components(narsese::Term term, std::span<const ConceptId> likely, Components& components) const;
  void index_links();
  std::uint32_t link_between(Active a, Active b, Time now);
  std::uint32_t link_made(Active a, Active b, Time now);
  void add_to_index(Active end, std::span<const std::uint32_t> links);
  HebbianLink link_brought_to(std::uint32_t number, ConceptId end, Time now) const;
  void add_growth(Growth& growth, std::size_t concepts, std::size_t links, std::size_t longer_lists,
                  const GrowingRows<std::uint32_t>::Growth& ends) const;

  double decay_;
  std::array<double, 64> powers_;  // of 1 - decay, to 1, 2, 4, ...
  std::array<double, 256> kept_;   // of so many cycles
  // By concept.
  ChunkedVector<narsese::Term> terms_;
  ChunkedVector<std::uint32_t> level_at_;  // none: it was never active
  // By level.
  ChunkedVector<HeldLevel> levels_;
  GrowingRows<std::uint32_t> links_of_;
  std::size_t longest_list_ = 0;  // of these
  // By link.
  ChunkedVector<HeldLink> links_;
  // As far as there is any.
  ChunkedVector<RareLevel> rare_levels_;
  ChunkedVector<RareLink> rare_links_;
  narsese::HashIndex concept_index_, link_index_;
};

inline std::size_t HebbianLinks::size() const { return graph_->links_.size(); }

}  // namespace engram::core
