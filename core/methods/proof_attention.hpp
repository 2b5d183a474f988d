// SPDX-License-Identifier: MIT
// The options of the method proof_attention.
#pragma once

#include <array>

#include "core/methods/method.hpp"
#include "core/numbers/spectral.hpp"
#include "core/proofs/proof_attention.hpp"
#include "core/retrieval/concept_embedding.hpp"

namespace engram::core {

inline constexpr std::string_view proof_attention_name = "proof_attention";

/// The embeddings for the feature `nearness`; incidence stands for none. They have few dimensions, so that a step is cheap.
inline constexpr std::array proof_embeddings{embedding_kinds[0], embedding_kinds[1], embedding_kinds[2],
                                             embedding_kinds[6]};
static_assert(proof_embeddings[1].value == EmbeddingKind::svd &&
              proof_embeddings[2].value == EmbeddingKind::laplacian &&
              proof_embeddings[3].value == EmbeddingKind::random_indexing);
inline constexpr int fewest_proof_dimensions = 1, most_proof_dimensions = max_sparse_eigenpairs;

/// The options of proof_attention, parsed.
struct ProofSettings {
  ProofAttentionOptions options;
  ProofWeights theta = shipped_proof_weights;
};

/// Parses complete options.
ProofSettings proof_settings(const Options& complete);
/// The options that set the weights, by the names of their features.
Options options_of(const ProofWeights& theta);
/// The options that set the confidences.
Options options_of(const ProofConfidence& confidence);
/// The options that set kind and dimensions of the embedding.
Options options_of(const EmbeddingSpec& embedding);

}  // namespace engram::core
