// SPDX-License-Identifier: MIT
// The concept graph of a memory: a concept for each term, term links from compounds to their components, and Hebbian
// links, which are learned between concepts that are active together.
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
#include "core/numbers/work_budget.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/shared_pieces.hpp"
#include "narsese/term.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

struct GraphImage;

/// Permanent number of a concept in one graph: 0, 1, 2, ... in the order of first mention.
using ConceptId = std::uint32_t;
/// Point in time: the number of working cycles since the memory began. Each accepted sentence takes one cycle.
using Time = std::uint64_t;

/// Concept: the node of a term in the concept graph, with the evidence of its activity.
struct Concept {
  narsese::Term term;
  double activity = 0;  // evidence of the episodes that activated it, decayed to `updated`
  double judged = 0;    // evidence of activity that link judgements imply, decayed to `updated`
  Time updated = 0;
};

/// Link from a compound term to one of its components.
struct TermLink {
  ConceptId compound = 0;
  ConceptId component = 0;
};

/// Learned, symmetric link between two concepts; the source has the lower id. Its evidence is decayed to cycle
/// `updated`.
struct HebbianLink {
  ConceptId source = 0;
  ConceptId target = 0;
  double together = 0;                 // evidence of affirmed episodes with both concepts
  narsese::TruthValue judged{0.5, 0};  // revised truth of the judgements about this link
  Time updated = 0;
  double denied = 0;  // evidence of denied episodes with both concepts

  // Updates. Callers must first decay the numbers of the link to the present cycle.
  /// Adds the evidence of one more episode that activated both concepts.
  void co_activate(double evidence);
  /// Moves evidence from `together` to `denied`, for a statement about both concepts that turned out less true.
  /// Negative evidence moves back.
  void deny(double evidence);
  /// Combines `judged` with the truth value of one more judgement about this link, by NAL's revision.
  void revise(narsese::TruthValue truth);
};

class ConceptGraph;

/// Read-only view of all Hebbian links of a graph, by link number, in order of creation. The graph must not change
/// while this view is in use.
/// Cost  O(links) time and 4 bytes a link at the first access; use ConceptGraph::link for the links of one concept
class HebbianLinks {
 public:
  using const_iterator = IndexIterator<HebbianLinks, HebbianLink, HebbianLink>;

  explicit HebbianLinks(const ConceptGraph& graph) : graph_(&graph) {}
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  HebbianLink operator[](std::size_t number) const&;
  HebbianLink operator[](std::size_t number) const&& = delete;  // would index all links to read one
  const_iterator begin() const& { return {this, 0}; }
  const_iterator end() const& { return {this, size()}; }

 private:
  const ConceptGraph* graph_;
  mutable std::vector<ConceptId> sources_;
};

/// Most concepts with higher ids that an episode links with each of its concepts. An episode is one accepted sentence:
/// it activates a set of concepts together. Episodes of up to 17 concepts link all pairs; in longer ones the number of
/// links grows linearly. The partners are the next concepts by id. Ids follow first mention, so concepts first
/// mentioned together get adjacent ids. Chosen: the longest sentence of the example files mentions 10 concepts. 1,030
/// lines of 250 new concepts make 4 million links (0.4 GB); linking all pairs would make 32 million (2.3 GB).
inline constexpr std::size_t max_partners = 16;
/// The number of pairs of concepts that an episode links if it activates `active` concepts.
constexpr std::size_t pairs_joined(std::size_t active) {
  const std::size_t partners = active == 0 ? 0 : std::min(max_partners, active - 1);
  return partners * (active - partners) + partners * (partners - 1) / 2 * (partners > 0);
}

/// Graph of the concepts of a memory, with term links and learned Hebbian links. The matrix of the Hebbian weights is
/// W_ij = sum over episodes e of F_e D_e a_ei a_ej, with a_ei = 1 if episode e activates concept i, otherwise 0. D_e is
/// the decayed evidence of the episode: evidence_e (1 - decay)^(now - time_e). F_e is the share of that evidence that
/// is not denied. Decay is computed when a number is read or changed, so an episode costs nothing for other links. W
/// leaves out the pairs that an episode does not link (see max_partners).
///
/// The evidence that source and target of a link go together is the sum of two parts, as in NAL's revision:
///   experience   positive: affirmed evidence of the episodes with both concepts; negative: their denied evidence, and
///                all evidence of the episodes with only one of the two
///   judgements   truth values from another memory or a reasoner. They count in W and in the activity of both ends (the
///                negative evidence half to each), but not in the experience of other links
/// The judged truth of a link without experience keeps all its bits until it decays or is revised.
/// Memory  12 bytes a concept and 24 more if it was ever active; 16 bytes a link and 4 to 8 for each end; about 13
///         bytes an index entry, for each concept and each link between two long link lists
class ConceptGraph {
 public:
  /// Creates an empty graph. All evidence in it loses the share `decay` in each cycle.
  /// Errors  std::invalid_argument unless decay is in [0, 1)
  explicit ConceptGraph(double decay = 0);

  /// Returns the concept of a term. If the term is new, adds a concept for it and for each new component, except
  /// variables.
  /// Cost  O(components) expected.   Errors  std::invalid_argument for a variable
  ConceptId intern(narsese::Term term);
  /// The concept of a term, if there is one.  Cost  O(1) expected
  std::optional<ConceptId> find(narsese::Term term) const;
  /// The concept of a term, if there is one. Compares the term with that of concept `likely` first, and searches the
  /// index only if they differ.
  std::optional<ConceptId> find(narsese::Term term, ConceptId likely) const {
    return likely < size() && terms_[likely] == term ? std::optional(likely) : find(term);
  }

  /// Episode: concepts that one event, usually a sentence, activated together.
  struct Episode {
    std::span<const ConceptId> active;  // ascending without repetition
    double evidence = 0;
    Time time = 0;
  };
  /// Hebbian learning from one episode: adds `evidence` to the activity of each active concept and to the links among
  /// them (up to max_partners for each concept). `active` ascends without repetition.
  /// Cost  O(m max_partners) expected for m concepts
  void co_activate(std::span<const ConceptId> active, double evidence, Time now);
  /// Adds many episodes in order. Use it for batches: it prefetches, which makes it faster than single calls.
  void co_activate(std::span<const Episode> episodes);

  /// Moves `evidence` of earlier episodes from `together` to `denied`, in each link that co_activate() made among these
  /// concepts. Negative evidence moves back. Sums below 0 are rounding errors and become 0.
  /// Cost  O(m max_partners) expected for m concepts
  void deny(std::span<const ConceptId> active, double evidence, Time now);

  /// Replaces the term handles of the concepts from `first` on, after the term table has moved its terms. The new
  /// handles must name equal terms.
  void rename(ConceptId first, std::span<const narsese::Term> terms);

  /// Adds a judgement about the link between two concepts by NAL's revision, and returns the link's number. Creates the
  /// link if it is new. Clips the confidence to narsese::greatest_confidence.
  /// Errors  std::invalid_argument unless a < b are concepts, f is in [0, 1] and c in (0, 1)
  std::uint32_t revise(ConceptId a, ConceptId b, narsese::TruthValue truth, Time now);

  std::size_t size() const { return terms_.size(); }
  Concept operator[](ConceptId id) const {
    const auto [activity, judged, updated] = level(id);
    return {term(id), activity, judged, updated};
  }
  /// The term of a concept.
  narsese::Term term(ConceptId id) const { return terms_[id]; }
  /// Whether the concept was ever in an episode or a link judgement. Otherwise its activity is 0 and it has no links.
  bool was_active(ConceptId id) const { return level_of_[id] != none; }
  /// All term links, ordered by compound.  Cost  O(size of all terms)
  std::vector<TermLink> term_links() const;
  HebbianLinks hebbian_links() const { return HebbianLinks(*this); }
  /// The Hebbian link between two concepts in either order, if there is one.  Cost  O(1) expected
  std::optional<HebbianLink> find_link(ConceptId a, ConceptId b) const;
  /// The Hebbian link with this number. `end` must be one of its two concepts; callers usually know it from links_of().
  HebbianLink link(std::uint32_t number, ConceptId end) const;
  /// The numbers of a concept's Hebbian links, ascending.
  std::span<const std::uint32_t> links_of(ConceptId id) const {
    return level_of_[id] == none ? std::span<const std::uint32_t>() : links_of_[level_of_[id]];
  }

  /// Allocated bytes.  Cost  O(1)
  std::size_t bytes() const;
  /// Adds to `growth` an upper bound on the bytes of this graph after it interns `term` and adds `links` links among
  /// the concepts of the term. `known` lists those concepts in the term that exist already and can get links.
  void add_growth(GrowthBound& growth, narsese::Term term, std::span<const ConceptId> known,
                  std::size_t links) const;

  /// Prefetches the term of a concept into the processor's cache.
  void prefetch(ConceptId id) const { __builtin_prefetch(&terms_[id]); }
  /// Prefetches the memory that find, intern and co_activate need for these terms and their components.
  void prefetch(std::span<const narsese::Term> terms) const;

  double decay() const { return decay_; }
  /// The share of evidence left after `cycles`: (1 - decay)^cycles.
  double retention(Time cycles) const;
  /// Evidence of a concept's activity at cycle `now`, from episodes and link judgements: the diagonal of the link
  /// matrix W.
  double activity(ConceptId id, Time now) const;
  /// Weight of a link at cycle `now`, its entry in the link matrix W: its positive evidence from episodes and
  /// judgements.
  double weight(const HebbianLink& link, Time now) const;
  /// Positive and total evidence at cycle `now` that source and target of a link go together, from episodes and
  /// judgements.
  narsese::Evidence evidence(const HebbianLink& link, Time now) const;
  /// Truth value of a link at cycle `now`, from its evidence(): f = w+/w and c = w/(w+k), with w+ the positive
  /// evidence, w the total and k NAL's evidential horizon. c is at most narsese::greatest_confidence, and 0 without
  /// evidence. A link without experience has the judged truth with all its bits.
  narsese::TruthValue truth(const HebbianLink& link, Time now) const;

  /// Link about which a judgement was accepted, with the revised truth of these judgements.
  struct JudgedLink {
    narsese::Term source, target;
    narsese::TruthValue truth;  // decayed to `updated`
    Time updated = 0;
  };
  /// Total evidence at cycle `now` of the judgements about the link with this number; 0 without judgements.
  double judged_evidence(std::uint32_t number, Time now) const;
  /// The links with judgements for which `selected` (by link number) is true, in order of their numbers. Memory::keep
  /// uses it to keep link judgements when the memory forgets.
  std::vector<JudgedLink> judged_links(const std::vector<bool>& selected) const;

  /// The state of the graph as plain numbers, for a snapshot (core/graph/memory_image.hpp).
  GraphImage image() const;
  /// Table of the components of each concept, as concept ids. A component that is a variable has the id 0xffffffff.
  class Components {
   public:
    /// The components of concept `id`, in the order of its term.
    std::span<const ConceptId> of(ConceptId id) const {
      return std::span(ids_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
    }

   private:
    friend class ConceptGraph;
    narsese::LargeVector<ConceptId> ids_;
    narsese::LargeVector<std::size_t> begin_{0};
  };
  /// Restores the concepts of an image into an empty graph, and returns the table of their components.
  /// Errors  std::invalid_argument if the image is inconsistent; the graph is then unusable
  Components restore_concepts(const GraphImage& image);
  /// Restores activity and links of an image; each link must occur once. May run on another thread during
  /// restore_concepts().
  /// Errors  std::invalid_argument if the image is inconsistent; the graph is then unusable
  void restore_links(const GraphImage& image, Time now);

 private:
  friend class HebbianLinks;
  static constexpr std::uint32_t none = 0xffffffffU;
  // The activity level of a concept that was active.
  struct Level {
    double activity = 0, judged = 0;
    Time updated = 0;
  };
  // A level in 16 bytes. The few levels with judgements or a time beyond 32 bits also have a RareLevel.
  struct PackedLevel {
    double activity = 0;
    std::uint32_t updated = 0, rare = none;
  };
  static_assert(sizeof(PackedLevel) == 16);
  struct RareLevel {
    double judged = 0;
    Time updated = 0;
  };
  // A link in 16 bytes. The few links with judgements, denied evidence or a later time also have a RareLink.
  struct PackedLink {
    ConceptId ends = 0;         // source ^ target: each end gives the other
    std::uint32_t updated = 0;  // from first_rare on: first_rare + index in rare_links_
    double together = 0;
  };
  static_assert(sizeof(PackedLink) == 16);
  static constexpr std::uint32_t first_rare = 0x80000000U;
  struct RareLink {
    narsese::TruthValue judged{0.5, 0};
    double denied = 0;
    Time updated = 0;
  };
  // A link is found by scanning the shorter list of its ends. If both lists are longer than this, it is in link_index_.
  // Chosen: the links of a list are scattered in memory, but all are prefetched at once.
  static constexpr std::size_t max_scan = 8;

  // Hash of a link. The pair (hash, a ^ b) identifies a link, because for a fixed a ^ b the hash is one to one in a.
  static constexpr std::uint64_t link_hash(ConceptId a, ConceptId b) {
    constexpr std::uint32_t odd = 0x9e3779b1U;
    return static_cast<std::uint32_t>(narsese::mix(a ^ b)) + a * odd;
  }
  // A concept with the number of its level.
  struct Active {
    ConceptId id = 0;
    std::uint32_t level = none;
  };
  // Batch sizes of prefetching. Chosen so that prefetched data is still cached when it is used.
  static constexpr std::size_t max_prefetched_concepts = 256, max_prefetched_pairs = 128;
  void prefetch(std::span<const Episode> episodes) const;
  void prefetch(std::span<const HebbianLink> links) const;
  void prefetch_levels(std::span<const ConceptId> ids, std::span<std::uint32_t> levels) const;
  narsese::Evidence experience(const HebbianLink& link, Time now) const;
  narsese::TruthValue judged_at(const HebbianLink& link, Time now) const;
  Level level(ConceptId id) const;
  Level level_at(ConceptId id, Time now) const;
  void set_level(ConceptId id, const Level& level);
  void add_to_concept(Active it, double evidence, Time now);
  void add_to_link(std::uint32_t number, ConceptId end, double evidence, Time now);
  // Returns the concept with its level, and adds a level if it has none.
  Active ensure_active(ConceptId id) {
    const std::uint32_t level = std::as_const(level_of_)[id];
    return {id, level != none ? level : add_level(id)};
  }
  std::uint32_t add_level(ConceptId id);
  bool has_many_links(Active end) const { return links_of_.size_of(end.level) > max_scan; }
  // The end with fewer links, `a` if both have equally many.
  std::uint32_t shorter_list(Active a, Active b) const {
    return links_of_.size_of(b.level) < links_of_.size_of(a.level) ? b.level : a.level;
  }
  std::uint32_t link_number(Active a, Active b) const;  // HashIndex::none if there is none
  void set_link(std::uint32_t number, const HebbianLink& link);
  void restore_levels(const GraphImage& image, Time now);
  void add_components(narsese::Term term, std::span<const ConceptId> likely, Components& components) const;
  void index_links();
  std::uint32_t find_or_add_link(Active a, Active b, Time now);
  std::uint32_t add_link(Active a, Active b, Time now);
  void add_to_index(Active end, std::span<const std::uint32_t> links);
  HebbianLink link_at(std::uint32_t number, ConceptId end, Time now) const;

  double decay_;
  std::array<double, 64> powers_;      // (1 - decay)^(2^i)
  std::array<double, 256> retention_;  // (1 - decay)^i
  // By concept.
  ChunkedVector<narsese::Term> terms_;
  ChunkedVector<std::uint32_t> level_of_;  // `none` if it was never active
  // By level.
  ChunkedVector<PackedLevel> levels_;
  GrowingRows<std::uint32_t> links_of_;
  // By link.
  ChunkedVector<PackedLink> links_;
  ChunkedVector<RareLevel> rare_levels_;
  ChunkedVector<RareLink> rare_links_;
  narsese::HashIndex concept_index_, link_index_;
};

inline std::size_t HebbianLinks::size() const { return graph_->links_.size(); }

}  // namespace engram::core
