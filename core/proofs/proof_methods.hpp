// SPDX-License-Identifier: MIT
// Settings of the methods that are learnt from proofs: proof_attention and trained_hopfield.
#pragma once

#include <array>
#include <string_view>

#include "core/index/concept_embedding.hpp"
#include "core/methods/method.hpp"
#include "core/numbers/spectral.hpp"
#include "core/proofs/proof_attention.hpp"
#include "core/proofs/trained_hopfield.hpp"

namespace engram::core {

inline constexpr std::string_view proof_attention_name = "proof_attention";
inline constexpr std::string_view trained_hopfield_name = "trained_hopfield";

/// The embeddings that the feature `nearness` can use; incidence stands for none. They have few dimensions, so a step
/// is cheap.
inline constexpr std::array proof_embeddings{embedding_kinds[0], embedding_kinds[1], embedding_kinds[2],
                                             embedding_kinds[6]};
static_assert(proof_embeddings[1].value == EmbeddingKind::svd &&
              proof_embeddings[2].value == EmbeddingKind::laplacian &&
              proof_embeddings[3].value == EmbeddingKind::random_indexing);
inline constexpr int fewest_proof_dimensions = 1, most_proof_dimensions = max_sparse_eigenpairs;

/// Settings of proof_attention: its options as the algorithm reads them.
struct ProofSettings {
  ProofAttentionOptions options;
  ProofWeights theta = shipped_proof_weights;
};

/// Converts complete options of proof_attention to settings.
ProofSettings proof_settings(const Options& complete);
/// Options that set the weights, by the names of their features.
Options options_of(const ProofWeights& theta);
/// Options that set the confidences.
Options options_of(const ProofConfidence& confidence);
/// Options that set the kind and the dimensions of the embedding.
Options options_of(const EmbeddingSpec& embedding);
/// Options of trained_hopfield: each map by its name, and the steps.
Options options_of(const HopfieldMaps& maps, int steps);

}  // namespace engram::core
