// SPDX-License-Identifier: MIT
// The retrievers on a concept graph. Each field is an option of the method (core/retrieval/methods.hpp lists
// them with their names, defaults and ranges).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "core/budgets/ecan.hpp"
#include "core/graph/link_rules.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/retrieval/retriever.hpp"

namespace engram::core {

/// A memory that learns by no rule was asked for what it learnt.
struct NoLearner : std::invalid_argument {
  NoLearner() : std::invalid_argument("the memory learns by no rule: MemoryOptions::learning names none") {}
};

/// Attention from the cue to the statements, iterated with the cue kept: xi <- q + K' p(beta K xi), where K
/// are the statements' keys and q the cue's query. A statement's score is its mean weight over the steps, so
/// what answers the cue and what answers the answer both count; a concept's is the weight of the statements
/// that mention it. It is modern Hopfield recall in the external field q. Without inverse frequency all
/// concepts weigh the same in K and q.
struct AttentionRetriever {
  double beta = 8;
  int steps = 3;
  Regulariser map = SimplexMap::softmax;
  bool inverse_frequency = true;
  Recall recall(const Readings& memory, const Vector& cue) const;
  /// Its steps, one after another, over the statements (one at least).
  ModernRecall trace(const Readings& memory, const Vector& cue, const StepObserver& observer) const;
};

/// Attention from the cue to the concepts: p(beta cos(x_i, sum_j cue_j x_j)) over embeddings x
/// (core/embeddings/concept_embedding.hpp), which are worked out once for the readings. With incidence
/// embeddings (columns of D^1/2 A) the inner products are the Hebbian graph itself, and each score a
/// spreading step normalised by activity. With a precision, scores are taken over directions that are stored
/// so (core/single_precision/float_store.hpp) and differ by at most 2 d 2^-24, as bf16 by another 2^-8: for
/// very many concepts, where reading the rows is what takes the time.
struct ConceptAttentionRetriever {
  double beta = 8;
  Regulariser map = SimplexMap::softmax;
  EmbeddingSpec embedding = {};
  Recall recall(const Readings& memory, const Vector& cue) const;
  /// The cosines (n).
  Vector similarity(const Readings& memory, const Vector& cue) const;
};

/// Classical Hopfield recall on the graph's weights with k winners (see recall_winners). A winner's
/// activation is its local field over the largest one; losers have none.
struct HopfieldRetriever {
  int winners = 0;          // 0: the cue's units and as many more as a statement has on average
  double cue_strength = 1;  // field on a cue's unit; 1 is what a perfectly correlated neighbour gives
  bool correlation = true;  // couplings are correlations (hubs weigh no more than others) or covariances
  Recall recall(const Readings& memory, const Vector& cue) const;
  SparseCouplings couplings(const Readings& memory) const;
  WinnersRecall trace(const Readings& memory, const SparseCouplings& couplings, const Vector& cue) const;
};

/// Modern Hopfield recall over the statements as patterns, from the cue and without it afterwards. With a
/// beta too small for the number of statements the only fixed point is their mean (at 8 with some 170).
struct ModernHopfieldRetriever {
  double beta = 16;
  int max_steps = 100;
  Regulariser map = SimplexMap::softmax;
  Recall recall(const Readings& memory, const Vector& cue) const;
  /// Its steps, one after another, over the statements (one at least).
  ModernRecall trace(const Readings& memory, const Vector& cue, const StepObserver& observer) const;
};

/// Attention over the event history: where in time is what the cue is about, and what was active then?
///   time      of a statement: its last episode, the history's first at 0 and its last at 1 (alone: 1/2);
///             statements whose evidence is forgotten are no part of the history
///   density   mu and sigma^2 of the times under softmax(beta s), s the cosines of cue and statements, sigma
///             at least `least_width`; the density of these and alpha
///             (core/attention/continuous_attention.hpp)
///   budgets   a statement's is the density at its time, over the sum of all: whatever was said then, alike.
///             There is always one above 0: some event lies within sigma of mu, and a > sigma as sigma <= 1
///   concepts  V(t), the events' activations smoothed by basis functions (centres even over the history), in
///             the mean over the density; what that makes negative is 0. Only if nothing is left are they
///             the concepts of the budgeted statements
/// A density has one peak: of a cue whose statements were said at two times far apart it covers all between.
/// Cost O(p b^2 + b^3) time and O(p b) memory for b basis functions.
/// Source  Martins et al. 2020, "Sparse and Continuous Attention Mechanisms", its attention over a sequence
struct ContinuousAttentionRetriever {
  double alpha = 2;
  double beta = 32;  // chosen: among some hundred statements most of the softmax should be on the cued ones
  int basis_functions = 16;
  double ridge = 0.1;
  double least_width = 0.02;  // chosen: a fiftieth of the history
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// Exact cosine of the cue with every statement, by rarity.
struct CosineRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// Word overlap: concepts in common over concepts in either (Jaccard).
struct OverlapRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// The links that a walk follows: weighed by a rule, or without one what the memory's own has learnt.
/// `weighed` keeps those that have to be made. Errors  NoLearner
const SparseRows& walked_links(const Readings& memory, std::optional<LinkRule> rule, SparseRows& weighed);

/// Personalized PageRank on the Hebbian graph, restarting at the cue, along links weighed by a rule of
/// core/graph/link_rules.hpp or, where there is none, learnt by the memory's own
/// (core/graph/link_learning.hpp). Errors  NoLearner where a memory without one is walked by what it learnt
struct PageRankRetriever {
  double damping = 0.85;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// Spreading activation in waves from the cue, along links as in PageRankRetriever (and its error). It looks
/// at no more of the graph than is reached by pulses above the threshold.
struct SpreadingActivationRetriever {
  double passed_on = 0.85;
  double threshold = 1e-4;
  int max_steps = 100;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// ECAN: each cycle a bank pays wages to the cue's concepts, the more the richer it is, then
/// core/budgets/ecan.hpp's cycle runs. Strengths are at first the frequencies of the links as evidence for <i
/// <-> j>. The activation is the share of all STI that a concept owns in the end.
struct EcanRetriever {
  double wage = 10;  // of the 1000 that the bank owns at first; doubled while it owns them
  EcanOptions options;
  int cycles = 20;
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// ECAN in proportion, at its fixed point (linear_ecan), along links as in PageRankRetriever (and its error).
struct LinearEcanRetriever {
  double rent = 0.25;  // chosen: importance travels some three links
  double spread = 0.4;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// How much each concept and statement was experienced, whatever the cue.
struct FrequencyRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// The same for all: the floor.
struct UniformRetriever {
  Recall recall(const Readings& memory, const Vector& cue) const;
};

}  // namespace engram::core
