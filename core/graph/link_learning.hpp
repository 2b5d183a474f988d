// SPDX-License-Identifier: MIT
// Learning rules on the concept graph: the weights of directed links, learnt online, a pair at a time, from
// the concepts of one episode after the other. An episode clamps its concepts to activity a = 1, all others
// to 0, and teaches at the rate r = rate * evidence, what it affirms: what is denied teaches nothing. No step
// looks at a concept or link that it does not touch: what fades, fades when it is read.
//
//     hebb        w_ij += r a_i a_j
//     decay       w_ij <- (1 - decay) w_ij + r a_i a_j, an episode each
//     covariance  w_ij = <a_i a_j> - <a_i><a_j>, means by evidence; exact at every moment. Of pairs that were
//                 never active together, whose covariance is below 0, there is no link
//     oja         w_ij += r a_i (a_j - a_i w_ij): comes to the share of i's episodes that j is in, so a hub's
//                 links are as weak as it is common
//     bcm         w_ij += r a_i a_j (a_i - theta_i), then theta_i += (a_i^2 - theta_i) / time: who is active
//                 most of the time learns nothing more
//     storkey     w_ij += r (a_i a_j - a_i h_j - h_i a_j), h = W a the full field: forgets the oldest and
//                 stays bounded. On 0/1 activity. The rule also joins each active concept with everything at
//                 two links' distance, and the graph would fill up to n^2: those links are not made. On links
//                 that there are, and among the active, the step is exact
//     sequence    w_ij += r a_i(t) a_j(t-1): from the concepts of the episode before; i != j
//     stdp        w_ij += r e^(-dt/time) for j active dt cycles before i, w_ji -= the same: who comes after
//                 whom. Concepts that were last active more than `reach` times `time` ago are let go, with at
//                 most e^-reach of a change each
// Of an episode of many concepts not all pairs are taken, so that links grow with its length and not with the
// square: those that the graph joins (max_partners); of `sequence` each concept with those of the episode
// before that stand about its place (at most 2 max_partners + 1); of `stdp` with the most_traces that came
// within reach last. What oja and storkey do to links that there are is exact all the same.
// w_ij leads from j to i. hebb, decay, covariance and storkey are symmetric. Sanger's rule and Oja's with
// y = w.x learn features, units in an order of their own, which concepts are not: see the embeddings of that
// name (core/retrieval/concept_embedding.hpp). A pseudo-inverse is neither local nor online
// (core/learning/pattern_weights.hpp).
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "core/graph/concept_graph.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

struct LearnerImage;

/// Rules by which weights are learnt beside the counts; learning_rules tells of each.
enum class LearningRule : std::uint8_t { hebb, decay, covariance, oja, bcm, storkey, sequence, stdp };

/// A rule, its name, and what it does.
struct LearningRuleFacts {
  LearningRule value;
  std::string_view name;
  bool symmetric;
};

inline constexpr std::array<LearningRuleFacts, 8> learning_rules{{
    {LearningRule::hebb, "hebb", true},
    {LearningRule::decay, "decay", true},
    {LearningRule::covariance, "covariance", true},
    {LearningRule::oja, "oja", false},
    {LearningRule::bcm, "bcm", false},
    {LearningRule::storkey, "storkey", true},
    {LearningRule::sequence, "sequence", false},
    {LearningRule::stdp, "stdp", false},
}};

/// All chosen, not derived, for streams of some thousand episodes.
struct LinkLearning {
  LearningRule rule = LearningRule::hebb;
  double rate = 0.1;    // in (0, 1]
  double decay = 0.01;  // of `decay`, an episode, in [0, 1]
  double time = 4;      // at least 1: of bcm in episodes, of stdp in cycles
  double reach = 8;     // of stdp: e^-8 is 0.0003
  double bound = std::numeric_limits<double>::infinity();  // weights are clipped to [-bound, bound]; above 0
};

/// Of how many concepts within reach `stdp` learns at a time. Chosen: as many as one sentence may activate.
inline constexpr std::size_t most_traces = 256;

/// Learns by one rule.
class LinkLearner {
 public:
  /// Errors  std::invalid_argument outside the ranges above
  explicit LinkLearner(const LinkLearning& options);
  /// Cost  a look at each chunk of what it has: memory is shared
  LinkLearner(const LinkLearner&) = default;
  LinkLearner(LinkLearner&&) = default;
  LinkLearner& operator=(LinkLearner&&) = default;
  ~LinkLearner() = default;

  /// One episode. `active` ascends without repetition; time ascends.
  /// Cost     O(m max_partners) expected for m active concepts; oja, storkey: and the links of these; stdp: m
  ///          times those within reach, most_traces at most
  /// Errors   std::invalid_argument unless evidence is in [0, 1] and `now` later than the last time
  void learn(std::span<const ConceptId> active, double evidence, Time now);

  /// Links that an episode with these concepts passes over, beside those it makes: of oja and storkey all that
  /// lead to them, else none.
  std::uint64_t links_passed(std::span<const ConceptId> active) const;
  /// The most links that an episode with these concepts can add at a time.
  std::size_t new_links_at_most(std::size_t active) const;
  std::size_t links() const { return links_.size(); }
  /// Bytes of all it has learnt, with what vectors hold in reserve.  Cost  O(1)
  std::size_t bytes() const;
  /// Adds what it will have come to at most once an episode of so many concepts has been learnt: quickly and
  /// too much, or of these concepts and at most so many new ones, whose ids are below `ids`.
  void add_growth(Growth& growth, std::size_t active, std::size_t ids) const;
  void add_growth(Growth& growth, std::span<const ConceptId> active, std::size_t fresh,
                  std::size_t ids) const;
  const LinkLearning& options() const { return options_; }

  /// W (n, n), row i what leads to i, 0 where there is no link. n at least 1 + the largest id met.
  /// Cost     O(n + links)
  SparseRows weights(Index n) const;

  /// Forgets the concepts that are gone; the others have new numbers (Renumbering::concepts).
  /// Cost  O(units and links), and as many bytes as it has
  void keep(std::span<const ConceptId> numbers);

  /// All of it as numbers, and the learner that they are of (core/graph/memory_image.hpp).
  LearnerImage image() const;
  /// Of one that has learnt nothing yet, with the same options.  Errors  as Memory::become
  void become(const LearnerImage& image, Time now);

 private:
  struct Link {
    ConceptId to = 0, from = 0;  // of a symmetric rule to < from
    double weight = 0;           // as of `step`; of covariance the evidence of both
    std::uint64_t step = 0;
  };
  struct Unit {
    double level = 0;  // covariance: evidence; bcm: theta as of `step`; stdp: trace as of `time`
    std::uint64_t step = 0;
    Time time = 0;
  };

  void make_units(std::size_t units);
  std::span<const std::uint32_t> links_of(ConceptId id) const { return links_of_[id]; }
  Link& link(ConceptId to, ConceptId from);  // made if it is new; of a symmetric rule to < from
  double value(const Link& link) const;
  double most_level() const;
  void change(Link& link, double by);
  std::span<const ConceptId> traces() const;
  std::size_t new_ends_at_most(std::size_t active) const;
  void add_growth(Growth& growth, std::size_t active, std::size_t ids,
                  const GrowingRows<std::uint32_t>::Growth& ends) const;
  void learn_pairs(std::span<const ConceptId> active, double rate);
  void learn_oja(std::span<const ConceptId> active, double rate);
  void learn_bcm(std::span<const ConceptId> active, double rate);
  void learn_storkey(std::span<const ConceptId> active, double rate);
  void learn_stdp(std::span<const ConceptId> active, double rate, Time now);

  LinkLearning options_;
  bool symmetric_;
  ChunkedVector<Link> links_;
  narsese::HashIndex index_;
  ChunkedVector<Unit> units_;
  GrowingRows<std::uint32_t> links_of_;  // by unit: that lead to it; of symmetric rules all of its links
  std::size_t longest_list_ = 0;         // of these
  std::vector<ConceptId> before_;        // sequence: of the last episode; stdp: within reach
  std::vector<double> field_;            // storkey: h, 0 between the steps
  double total_ = 0;                     // covariance: evidence of all episodes
  std::uint64_t step_ = 0;
  Time last_ = 0;
};

/// W as a walk takes it: row i where one goes from i, weights below 0 left out.
SparseRows walkable(const SparseRows& weights);

}  // namespace engram::core
