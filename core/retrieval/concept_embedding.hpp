// SPDX-License-Identifier: MIT
// The embeddings of a memory's concepts by name.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// An embedding, its name, and what it is.
struct EmbeddingFacts {
  EmbeddingKind value;
  std::string_view name, meaning;
};
/// incidence first, the default.
inline constexpr std::array<EmbeddingFacts, 7> embedding_kinds{{
    {EmbeddingKind::incidence, "incidence", "the statements that mention a concept"},
    {EmbeddingKind::svd, "svd", "the Hebbian graph cut to its largest eigenvalues"},
    {EmbeddingKind::laplacian, "laplacian", "where heat flows on the graph"},
    {EmbeddingKind::oja, "oja", "principal components learnt by Oja's rule"},
    {EmbeddingKind::sanger, "sanger", "the same one after the other, by Sanger's rule"},
    {EmbeddingKind::file, "file", "vectors from elsewhere"},
    {EmbeddingKind::random_indexing, "random_indexing", "a random sparse vector a statement, summed"},
}};

/// What a spec asks that no embedding can give, as a rule in words; empty if there is nothing. `option` is
/// set to the field that breaks it.
std::string_view broken_rule(const EmbeddingSpec& spec, std::string_view& option);

/// The embedding of all concepts, whatever they hold:
///   incidence        columns of D^1/2 A: X X' = W. As many dimensions as statements
///   random_indexing  random_indexing of the episodes, 8 places a statement
///   svd, laplacian   truncated_svd and laplacian_embedding of the links (core/embeddings/embedding.hpp)
///   oja, sanger      component_embedding of what these rules learn (core/learning/principal_components.hpp)
///   file             rows_of_words of a file (core/embeddings/word_vectors.hpp)
/// and with `structure` what `composed` makes of it (core/embeddings/composition.hpp).
/// Shapes   -> (n, d)
/// Errors   std::invalid_argument for a broken rule, or what would take more than EmbeddingCache::max_numbers
///          numbers or max_embedding_work multiplications; WordVectorError
/// Cost     see there
Matrix embed(const MemoryIndex& memory, const EmbeddingSpec& spec);
inline constexpr double max_embedding_work = 2e10;  // chosen: a minute or less

/// The same, kept with the readings (EmbeddingCache).
std::shared_ptr<const Embedding> embedded(const MemoryIndex& memory, const EmbeddingSpec& spec);

}  // namespace engram::core
