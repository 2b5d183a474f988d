// SPDX-License-Identifier: MIT
// Weights of links: rules that compute them from the evidence counts of a concept graph, and rules that learn them
// online.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "core/graph/concept_graph.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

struct LearnerImage;

/// Rules that compute link weights from the evidence counts of a concept graph, with the formulas of link_weights().
/// The rule can change at any time, because every rule reads the same counts.
enum class LinkRule : std::uint8_t { hebb, cosine, covariance, correlation };

inline constexpr std::array<NamedValue<LinkRule>, 4> link_rules{{
    {LinkRule::hebb, "hebb"},
    {LinkRule::cosine, "cosine"},
    {LinkRule::covariance, "covariance"},
    {LinkRule::correlation, "correlation"},
}};

/// Computes non-negative link weights from evidence counts, for random walks. In the formulas, C_ij (`together`) is the
/// evidence of the episodes with both concepts i and j, a_i (`activity`) the evidence of the episodes with i, and T
/// (`total`) the evidence of all episodes:
///     hebb         C_ij. A hub, active in most episodes, is linked to everything and attracts every walk.
///     cosine       C_ij / sqrt(a_i a_j), in [0, 1]. Common concepts count less, but still attract many walks.
///     covariance   C_ij - a_i a_j / T, the evidence beyond chance. A concept that is always active gets no link.
///     correlation  covariance / sqrt(a_i (1 - a_i/T) a_j (1 - a_j/T)), in [0, 1]. Also links rare concepts.
/// Except with hebb, links at or below chance (within 1e-12 of C_ij) are dropped.
/// Shapes   C (n, n) symmetric without diagonal, a (n) -> (n, n), symmetric
/// Ranges   0 <= C_ij <= min(a_i, a_j) and a_i <= T except for rounding; all may be 0
/// Errors   std::invalid_argument if shapes do not fit.    Cost  O(entries of C)
SparseRows link_weights(LinkRule rule, const SparseRows& together, const Vector& activity, double total);

/// Weight of the link between concepts i and j by the formula of link_weights(); 0 if link_weights() would drop the
/// link.
/// Ranges  total > 0 if together > 0
double link_weight(LinkRule rule, double together, double activity_i, double activity_j, double total);

/// Online rules for the weight w_ij of the directed link from j to i. An episode sets its concepts to activity a = 1
/// and all others to 0. The learning rate is r = rate * evidence; only the affirmed evidence counts. A step touches
/// only the links of active concepts: decay is computed when a weight is read.
///
///     hebb        w_ij += r a_i a_j
///     decay       w_ij <- (1 - decay) w_ij + r a_i a_j, once an episode
///     covariance  w_ij = <a_i a_j> - <a_i><a_j>, with <> the mean over episodes, weighted by evidence; exact at any
///                 time. Pairs that were never active together get no link, although their covariance is below 0
///     oja         w_ij += r a_i (a_j - a_i w_ij): tends to the share of i's episodes with j, so links to hubs are weak
///     bcm         w_ij += r a_i a_j (a_i - theta_i) with a threshold theta_i for each concept, then
///                 theta_i += (a_i^2 - theta_i) / time: a concept that is active most of the time stops learning
///     storkey     w_ij += r (a_i a_j - a_i h_j - h_i a_j) with the field h = W a, on 0/1 activity: bounded, forgets
///                 the oldest episodes. The full rule also links concepts at distance 2, which would fill the graph to
///                 n^2 links; these links are dropped. The step is exact on existing links and among active concepts
///     sequence    w_ij += r a_i(t) a_j(t-1) from the previous episode; i != j
///     stdp        w_ij += r e^(-dt/time) for j active dt cycles before i, and w_ji -= the same: learns the order of
///                 events. Concepts last active more than `reach` times `time` ago are dropped; each drop changes a
///                 weight by at most e^-reach
/// Long episodes do not link all pairs, so that links grow linearly: most rules use the pairs of the graph
/// (max_partners). `sequence` links a concept with at most 2 max_partners + 1 concepts at the same relative place of
/// the previous episode. `stdp` uses the most recent max_traces concepts within reach.
/// hebb, decay, covariance and storkey are symmetric. Sanger's rule and Oja's rule for y = w.x learn ordered features,
/// not links of concepts: see core/index/concept_embedding.hpp. A pseudo-inverse is neither local nor online: see
/// core/learning/pattern_weights.hpp.
enum class LearningRule : std::uint8_t { hebb, decay, covariance, oja, bcm, storkey, sequence, stdp };

/// Row of the table of learning rules: a rule, its name in options, and whether its weights are symmetric (w_ij =
/// w_ji).
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

/// Options of a LinkLearner. All defaults are chosen for streams of some thousand episodes.
struct LinkLearning {
  LearningRule rule = LearningRule::hebb;
  double rate = 0.1;    // learning rate, in (0, 1]
  double decay = 0.01;  // share lost an episode by rule `decay`, in [0, 1]
  double time = 4;      // time constant, at least 1: in episodes for bcm, in cycles for stdp
  double reach = 8;     // for stdp, in time constants: e^-8 is 0.0003
  double bound = std::numeric_limits<double>::infinity();  // weights are clipped to [-bound, bound]; above 0
};

/// Most recently active concepts that the rule `stdp` links with the concepts of a new episode. Chosen: the default
/// limit of MemoryLimits::max_active.
inline constexpr std::size_t max_traces = 256;

/// Learner of directed link weights, episode by episode, by one LearningRule. The evidence counts of the concept
/// graph stay as they are.
class LinkLearner {
 public:
  /// Creates a learner without links.
  /// Errors  std::invalid_argument if an option is out of range
  explicit LinkLearner(const LinkLearning& options);
  /// Copy-on-write: both learners share chunks of data until one of them changes a chunk.  Cost  O(chunks)
  LinkLearner(const LinkLearner&) = default;
  LinkLearner(LinkLearner&&) = default;
  LinkLearner& operator=(LinkLearner&&) = default;
  ~LinkLearner() = default;

  /// Changes the weights by the rule for one episode of the concepts `active`, which ascend without repetition. Each
  /// call needs a later cycle `now`.
  /// Cost     O(m max_partners) expected for m active concepts; oja and storkey also visit all links of the active
  ///          concepts; stdp: m times the number of recently active concepts, at most max_traces
  /// Errors   std::invalid_argument unless evidence is in [0, 1] and `now` is later than the last time
  void learn(std::span<const ConceptId> active, double evidence, Time now);

  /// The number of existing links that learn() would visit for these concepts: for oja and storkey all their links,
  /// otherwise 0. Use it to charge the work in advance.
  std::uint64_t links_visited(std::span<const ConceptId> active) const;
  /// Upper bound on the number of links that one episode of `active` concepts adds.
  std::size_t max_new_links(std::size_t active) const;
  std::size_t links() const { return links_.size(); }
  /// Allocated bytes.  Cost  O(1)
  std::size_t bytes() const;
  /// Adds to `growth` an upper bound on the bytes of this learner after one episode of the known concepts `active` and
  /// at most `fresh` new ones. `ids` is the number of concepts in the graph after that episode.
  void add_growth(GrowthBound& growth, std::span<const ConceptId> active, std::size_t fresh,
                  std::size_t ids) const;
  const LinkLearning& options() const { return options_; }

  /// The learned weights as a matrix (n, n): row i holds the links that lead to concept i. n must exceed the largest id
  /// learned.
  /// Cost     O(n + links)
  SparseRows weights(Index n) const;

  /// Forgets some concepts with their links and renumbers the others. `numbers` is Renumbering::concepts: the new id of
  /// each old one.
  /// Cost  O(concepts and links), and a second copy in memory
  void keep(std::span<const ConceptId> numbers);

  /// The state of the learner as plain numbers, for a snapshot (core/graph/memory_image.hpp).
  LearnerImage image() const;
  /// Restores an image into a learner with the same options that has learned nothing yet.
  /// Errors  std::invalid_argument if the image is inconsistent; the learner is then unusable
  void restore(const LearnerImage& image, Time now);

 private:
  struct Link {
    ConceptId to = 0, from = 0;  // to < from for a symmetric rule
    double weight = 0;           // as of `step`; for covariance the evidence of both
    std::uint64_t step = 0;
  };
  // State of one concept. `level` is evidence for covariance, theta as of `step` for bcm, and the trace as of `time`
  // for stdp.
  struct Unit {
    double level = 0;
    std::uint64_t step = 0;
    Time time = 0;
  };

  void resize_units(std::size_t units);
  std::span<const std::uint32_t> links_of(ConceptId id) const { return links_of_[id]; }
  Link& find_or_add(ConceptId to, ConceptId from);  // to < from for a symmetric rule
  double value(const Link& link) const;
  double max_level() const;
  void change(Link& link, double by);
  std::span<const ConceptId> traces() const;
  std::size_t max_new_ends(std::size_t active) const;
  void learn_pairs(std::span<const ConceptId> active, double rate);
  void learn_covariance(std::span<const ConceptId> active, double evidence);
  void learn_oja(std::span<const ConceptId> active, double rate);
  void learn_bcm(std::span<const ConceptId> active, double rate);
  void learn_storkey(std::span<const ConceptId> active, double rate);
  void learn_sequence(std::span<const ConceptId> active, double rate);
  void learn_stdp(std::span<const ConceptId> active, double rate, Time now);

  LinkLearning options_;
  bool symmetric_;
  ChunkedVector<Link> links_;
  narsese::HashIndex index_;
  ChunkedVector<Unit> units_;  // by concept
  GrowingRows<std::uint32_t>
      links_of_;                   // by unit: links that lead to it; all of its links for a symmetric rule
  std::vector<ConceptId> recent_;  // sequence: concepts of the last episode; stdp: concepts within reach
  std::vector<double> field_;      // storkey: h, 0 between the steps
  double total_ = 0;               // covariance: total evidence of the episodes
  std::uint64_t step_ = 0;
  Time last_ = 0;
};

/// Prepares learned weights for random walks: returns the transposed matrix, in which row i holds the links that leave
/// concept i, without weights below 0.
SparseRows walk_weights(const SparseRows& weights);

}  // namespace engram::core
