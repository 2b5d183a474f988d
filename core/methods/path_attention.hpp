// SPDX-License-Identifier: MIT
// The options of the method path_attention, as what they stand for.
#pragma once

#include <array>

#include "core/methods/method.hpp"
#include "core/numbers/spectral.hpp"
#include "core/paths/path_attention.hpp"
#include "core/proofs/proof_attention.hpp"
#include "core/retrieval/concept_embedding.hpp"

namespace engram::core {

inline constexpr std::string_view path_attention_name = "path_attention";

/// Of few dimensions, so that a step is cheap; incidence stands for none.
inline constexpr std::array path_embeddings{embedding_kinds[0], embedding_kinds[1], embedding_kinds[2],
                                            embedding_kinds[6]};
static_assert(path_embeddings[1].value == EmbeddingKind::svd &&
              path_embeddings[2].value == EmbeddingKind::laplacian &&
              path_embeddings[3].value == EmbeddingKind::random_indexing);
/// Each quarter has one at least; what is spectral has no more.
inline constexpr int fewest_path_dimensions = embedding_bands, most_path_dimensions = max_sparse_eigenpairs;

/// What attention over paths recalls by: how it searches, and its weights.
struct PathSettings {
  PathAttentionOptions options;
  ProofSearchOptions proofs;  // work 0: none are looked for
  PathWeights theta = shipped_path_weights;
};

/// Of options that are complete.
PathSettings path_settings(const Options& complete);
/// Each weight by its feature's name.
Options options_of(const PathWeights& theta);
Options options_of(const GuessCertainty& certainty);
/// Kind and dimensions.
Options options_of(const EmbeddingSpec& embedding);

}  // namespace engram::core
