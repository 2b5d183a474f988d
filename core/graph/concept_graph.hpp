// SPDX-License-Identifier: MIT
// The concept graph of a memory: concepts, term links and Hebbian links.
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
/// Working cycles since the memory began.
using Time = std::uint64_t;

/// The node of a term.
struct Concept {
  narsese::Term term;
  double activity = 0;  // evidence of the episodes that activated it, as of `updated`
  double judged = 0;    // evidence of activity that link judgements imply, as of `updated`
  Time updated = 0;
};

/// `compound` has `component` among its components.
struct TermLink {
  ConceptId compound = 0;
  ConceptId component = 0;
};

/// A learned link between two concepts, source < target. All numbers are as of `updated`.
struct HebbianLink {
  ConceptId source = 0;
  ConceptId target = 0;
  double together = 0;                 // evidence of affirmed episodes with both concepts
  narsese::TruthValue judged{0.5, 0};  // revised truth of the judgements about this link
  Time updated = 0;
  double denied = 0;  // evidence of denied episodes with both concepts

  // Updates of a link after its numbers were decayed to now.
  /// Adds the evidence of one more episode with both concepts.
  void co_activate(double evidence);
  /// Moves evidence from `together` to `denied`.
  void deny(double evidence);
  /// Revises `judged` with one more judgement.
  void revise(narsese::TruthValue truth);
};

class ConceptGraph;

/// Hebbian links by number, in order of creation. The graph must not change while this view is in use.
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

/// An episode links each concept with at most this many following concepts, by id. Episodes of up to 17 concepts link
/// all pairs; in longer ones links grow linearly. Ids follow first mention, so concepts first mentioned together get
/// adjacent ids. Chosen: the longest sentence of the example files mentions 10 concepts. 1,030 lines of 250 new
/// concepts make 4 million links (0.4 GB); linking all pairs would make 32 million (2.3 GB).
inline constexpr std::size_t max_partners = 16;
/// The number of pairs that an episode of `active` concepts links.
constexpr std::size_t pairs_joined(std::size_t active) {
  const std::size_t partners = active == 0 ? 0 : std::min(max_partners, active - 1);
  return partners * (active - partners) + partners * (partners - 1) / 2 * (partners > 0);
}

/// Concepts, their term links and their Hebbian links. The Hebbian weights are
/// W_ij = sum over episodes e of F_e D_e a_ei a_ej with D_e = evidence_e (1 - decay)^(now - time_e). F_e is the share
/// of the evidence that is not denied. Decay is computed when a number is read or changed, so an episode costs nothing
/// for other links. W leaves out the pairs that an episode does not link (see max_partners).
///
/// The evidence that source and target go together is the sum of two parts, as in NAL's revision:
///   experience   positive: affirmed evidence of the episodes with both concepts; negative: their denied evidence,
///                and all evidence of the episodes with only one of the two
///   judgements   truth values from another memory or a reasoner. They count in W and in the activity of both ends
///                (the negative evidence half to each), but not in the experience of other links
/// The judged truth of a link without experience keeps all its bits until it decays or is revised.
/// Memory  12 bytes a concept and 24 more if it was ever active; 16 bytes a link and 4 to 8 for each end; about 13
///         bytes an index entry, for each concept and each link between two long link lists
class ConceptGraph {
 public:
  /// Errors  std::invalid_argument unless decay is in [0, 1)
  explicit ConceptGraph(double decay = 0);

  /// Returns the concept of a term; adds it and its components if they are new. Skips variables.
  /// Cost  O(components) expected.   Errors  std::invalid_argument for a variable
  ConceptId intern(narsese::Term term);
  /// The concept of a term, if there is one.  Cost  O(1) expected
  std::optional<ConceptId> find(narsese::Term term) const;
  /// Checks `likely` before it searches the index.
  std::optional<ConceptId> find(narsese::Term term, ConceptId likely) const {
    return likely < size() && terms_[likely] == term ? std::optional(likely) : find(term);
  }

  /// Concepts that were active together.
  struct Episode {
    std::span<const ConceptId> active;  // ascending without repetition
    double evidence = 0;
    Time time = 0;
  };
  /// Hebbian learning: adds `evidence` to the activity of each concept and to the link of each joined pair. `active`
  /// ascends without repetition.
  /// Cost  O(m max_partners) expected for m concepts
  void co_activate(std::span<const ConceptId> active, double evidence, Time now);
  /// Adds many episodes in order. Use it for batches: it prefetches, which makes it faster than single calls.
  void co_activate(std::span<const Episode> episodes);

  /// Moves `evidence` of earlier episodes from `together` to `denied` for each joined pair, or back if it is negative.
  /// Sums below 0 are rounding errors and become 0.
  /// Cost  as co_activate
  void deny(std::span<const ConceptId> active, double evidence, Time now);

  /// Replaces the term handles of the concepts from `first` on. The new handles must name equal terms.
  void rename(ConceptId first, std::span<const narsese::Term> terms);

  /// Adds a judgement about one link by NAL's revision and returns the link's number. Confidence is clipped to
  /// narsese::greatest_confidence.
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
  /// All compounds with their components, by compound.  Cost  O(size of all terms)
  std::vector<TermLink> term_links() const;
  HebbianLinks hebbian_links() const { return HebbianLinks(*this); }
  /// The link between two concepts, if there is one.  Cost  O(1) expected
  std::optional<HebbianLink> find_link(ConceptId a, ConceptId b) const;
  /// A link by its number and one of its ends.
  HebbianLink link(std::uint32_t number, ConceptId end) const;
  /// The numbers of a concept's Hebbian links, ascending.
  std::span<const std::uint32_t> links_of(ConceptId id) const {
    return level_of_[id] == none ? std::span<const std::uint32_t>() : links_of_[level_of_[id]];
  }

  /// Allocated bytes.  Cost  O(1)
  std::size_t bytes() const;
  /// Adds an upper bound on the bytes after interning `term` and adding `links` links among its concepts. `known` are
  /// the concepts in it that can get links.
  void add_growth(GrowthBound& growth, narsese::Term term, std::span<const ConceptId> known,
                  std::size_t links) const;

  /// Prefetches the term of a concept.
  void prefetch(ConceptId id) const { __builtin_prefetch(&terms_[id]); }
  /// Prefetches the memory that find, intern and co_activate need for these terms and their components.
  void prefetch(std::span<const narsese::Term> terms) const;

  double decay() const { return decay_; }
  /// The share of evidence left after `cycles`: (1 - decay)^cycles.
  double retention(Time cycles) const;
  /// Evidence of a concept's activity at `now`, from episodes and judgements: the diagonal of W.
  double activity(ConceptId id, Time now) const;
  /// W of a link at `now`: its positive evidence.
  double weight(const HebbianLink& link, Time now) const;
  /// Evidence at `now` that source and target go together, from experience and judgements.
  narsese::Evidence evidence(const HebbianLink& link, Time now) const;
  /// The truth value of that evidence: f = w+/w and c = w/(w+k), c at most narsese::greatest_confidence and 0 without
  /// evidence. A link without experience has the judged truth with all its bits.
  narsese::TruthValue truth(const HebbianLink& link, Time now) const;

  /// A link with judgements.
  struct JudgedLink {
    narsese::Term source, target;
    narsese::TruthValue truth;  // as of `updated`
    Time updated = 0;
  };
  /// Total evidence at `now` of the judgements about one link.
  double judged_evidence(std::uint32_t number, Time now) const;
  /// The links with judgements among the selected ones, by number.
  std::vector<JudgedLink> judged_links(const std::vector<bool>& selected) const;

  /// The state as numbers (core/graph/memory_image.hpp).
  GraphImage image() const;
  /// The components of every concept, by id. A variable is 0xffffffff.
  class Components {
   public:
    /// The components of one concept, in the order of its term.
    std::span<const ConceptId> of(ConceptId id) const {
      return std::span(ids_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
    }

   private:
    friend class ConceptGraph;
    narsese::LargeVector<ConceptId> ids_;
    narsese::LargeVector<std::size_t> begin_{0};
  };
  /// Restores the concepts of an image into an empty graph.  Errors  as Memory::restore
  Components restore_concepts(const GraphImage& image);
  /// Restores activity and links; each link must occur once. May run on another thread during restore_concepts().
  /// Errors  as Memory::restore
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
  // The concept with its level, which is added if it is missing.
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
