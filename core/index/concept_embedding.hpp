// SPDX-License-Identifier: MIT
// Embeddings of the concepts of a memory, selected by name.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "core/index/memory_index.hpp"

namespace engram::core {

/// The name of an embedding, and its meaning.
struct EmbeddingFacts {
  EmbeddingKind value;
  std::string_view name, meaning;
};
/// The first one, incidence, is the default.
inline constexpr std::array<EmbeddingFacts, 7> embedding_kinds{{
    {EmbeddingKind::incidence, "incidence", "the statements that mention a concept"},
    {EmbeddingKind::svd, "svd", "the Hebbian graph, reduced to its largest eigenvalues"},
    {EmbeddingKind::laplacian, "laplacian", "diffusion of heat over the Hebbian graph"},
    {EmbeddingKind::oja, "oja", "principal components learnt by Oja's rule"},
    {EmbeddingKind::sanger, "sanger", "principal components learnt one after the other, by Sanger's rule"},
    {EmbeddingKind::file, "file", "vectors read from a file"},
    {EmbeddingKind::random_indexing, "random_indexing",
     "sums of random sparse vectors, one for each statement"},
}};

/// Validates a spec. Returns the rule that it breaks, as the end of a sentence about `option`, which is set to the
/// name of the invalid field. Returns an empty text if the spec is valid.
std::string_view broken_rule(const EmbeddingSpec& spec, std::string_view& option);

/// Computes an embedding of the concepts, including concepts without activity:
///   incidence        columns of D^1/2 A, so that X X' = W; the number of dimensions is the number of statements
///   random_indexing  random_indexing() of the episodes, with 8 non-zeros a statement
///   svd, laplacian   truncated_svd() and laplacian_embedding() of the links (core/embeddings/embedding.hpp)
///   oja, sanger      component_embedding() of learnt components (core/learning/principal_components.hpp)
///   file             rows_of_words() of a file (core/embeddings/word_vectors.hpp)
/// With `structure` the rows are composed from the rows of their components (core/embeddings/embedding.hpp).
/// Shapes   -> (n, d)
/// Errors   std::invalid_argument for an invalid spec, for more than EmbeddingCache::max_numbers numbers, or for more
///          than max_embedding_work multiplications; WordVectorError
/// Cost     as the named function
Matrix embed(const MemoryIndex& memory, const EmbeddingSpec& spec);
inline constexpr double max_embedding_work = 2e10;  // chosen: about a minute

/// The embedding from the cache of the index, computed if necessary (EmbeddingCache).
std::shared_ptr<const Embedding> embedded(const MemoryIndex& memory, const EmbeddingSpec& spec);

}  // namespace engram::core
