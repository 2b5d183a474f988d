// SPDX-License-Identifier: MIT
// Attention from a cue to the concepts, over their embeddings.
#pragma once

#include <memory>

#include "core/embeddings/embedding_cache.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// Attention from the cue to the concepts: p(beta cos(x_i, sum_j cue_j x_j)) over embeddings x
/// (core/retrieval/concept_embedding.hpp), which are worked out once for the readings. With incidence
/// embeddings (columns of D^1/2 A) the inner products are the Hebbian graph itself, and each score a
/// spreading step normalised by activity. With a precision, scores are taken over directions that are stored
/// so (core/single_precision/float_store.hpp) and differ by at most 2 d 2^-24, as bf16 by another 2^-8: for
/// very many concepts, where reading the rows is what takes the time.
struct ConceptAttentionRetriever {
  double beta = 8;
  Regulariser map = SimplexMap::softmax;
  EmbeddingSpec embedding = {};
  /// Errors  OptionError for a file of vectors that is wrong
  Recall recall(const Readings& memory, const Vector& cue) const;
  /// The cosines (n).
  Vector similarity(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
  void check() const;
  static constexpr const char* no_sum =
      "similarity is a cosine of learnt or given vectors, whose directions are no concepts (with the "
      "embedding incidence it is a sum over links)";
};

}  // namespace engram::core
