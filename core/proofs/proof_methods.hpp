// SPDX-License-Identifier: MIT
// Conversions between named options and the settings of two recall methods that are trained on proofs: proof_attention
// and trained_hopfield.
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

/// The embeddings that the feature `nearness` can use; incidence stands for no embedding. All have few dimensions, so
/// the feature is cheap.
inline constexpr std::array proof_embeddings{embedding_kinds[0], embedding_kinds[1], embedding_kinds[2],
                                             embedding_kinds[6]};
static_assert(proof_embeddings[1].value == EmbeddingKind::svd &&
              proof_embeddings[2].value == EmbeddingKind::laplacian &&
              proof_embeddings[3].value == EmbeddingKind::random_indexing);
inline constexpr int fewest_proof_dimensions = 1, most_proof_dimensions = max_sparse_eigenpairs;

/// Settings of the method proof_attention in the form that the algorithm takes.
struct ProofSettings {
  ProofAttentionOptions options;
  ProofWeights theta = shipped_proof_weights;
};

/// Converts options of proof_attention to settings. Every option must have a value.
ProofSettings proof_settings(const Options& complete);
/// Converts weights to options of proof_attention, named after the features. Use it to save trained weights.
Options options_of(const ProofWeights& theta);
/// Converts confidences to options of proof_attention.
Options options_of(const ProofConfidence& confidence);
/// Converts the kind and the dimensions of the embedding to options of proof_attention.
Options options_of(const EmbeddingSpec& embedding);
/// Converts learnt parameters and the number of steps to options of trained_hopfield. Each parameter has the name
/// hopfield_map_name().
Options options_of(const HopfieldMaps& maps, int steps);

}  // namespace engram::core
