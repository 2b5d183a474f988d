// SPDX-License-Identifier: MIT
// The retrievers on a concept graph. Each field is an option of the method (core/methods.hpp lists them with
// their names, defaults and ranges).
#pragma once

#include <cstdint>

#include "core/retriever.hpp"
#include "core/simplex_map.hpp"

namespace engram::core {

/// Attention from the cue to the statements, iterated with the cue kept: xi <- q + K' p(beta K xi), where K
/// are the statements' keys and q the cue's query. A statement's score is its mean weight over the steps, so
/// what answers the cue and what answers the answer both count; a concept's is the weight of the statements
/// that mention it. It is modern Hopfield recall in the external field q.
struct AttentionRetriever {
  double beta = 8;
  int steps = 3;
  Regulariser map = SimplexMap::softmax;
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// Attention from the cue to the concepts: p(beta cos(x_i, sum_j cue_j x_j)) over embeddings x. With
/// incidence embeddings (columns of D^1/2 A) the inner products are the Hebbian graph itself, and each score
/// a spreading step normalised by activity.
struct ConceptAttentionRetriever {
  enum class Embedding : std::uint8_t { incidence, random_indexing };
  double beta = 8;
  Regulariser map = SimplexMap::softmax;
  Embedding embedding = Embedding::incidence;
  int dimensions = 256;    // of random indexing
  std::uint64_t seed = 1;  // of random indexing
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// Classical Hopfield recall on the graph's weights with k winners (see recall_winners). A winner's
/// activation is its local field over the largest one; losers have none.
struct HopfieldRetriever {
  int winners = 0;          // 0: the cue's units and as many more as a statement has on average
  double cue_strength = 1;  // field on a cue's unit; 1 is what a perfectly correlated neighbour gives
  bool correlation = true;  // couplings are correlations (hubs weigh no more than others) or covariances
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// Modern Hopfield recall over the statements as patterns, from the cue and without it afterwards. With a
/// beta too small for the number of statements the only fixed point is their mean (at 8 with some 170).
struct ModernHopfieldRetriever {
  double beta = 16;
  int max_steps = 100;
  Regulariser map = SimplexMap::softmax;
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

/// Personalized PageRank on the Hebbian graph, restarting at the cue.
struct PageRankRetriever {
  double damping = 0.85;
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
