// SPDX-License-Identifier: MIT
// Embeddings: a vector for each concept of a memory, computed by one of several methods that are selected by name.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "core/index/memory_index.hpp"

namespace engram::core {

/// Row of the table of embeddings: a kind, its name in options, and its meaning in words.
struct EmbeddingFacts {
  EmbeddingKind value;
  std::string_view name, meaning;
};
/// All kinds of embedding; the first one, incidence, is the default.
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

/// Validates the spec of an embedding. Returns an empty text if the spec is valid. Otherwise sets `option` to the name
/// of the invalid field and returns the rule that it breaks, as the end of a sentence: "must be at least 1".
std::string_view broken_rule(const EmbeddingSpec& spec, std::string_view& option);

/// Computes an embedding: a row of d numbers for each of the n concepts, including concepts without activity. The kinds
/// are
///   incidence        the columns of D^1/2 A, with A the matrix of statements by concepts (1 if the statement activates
///                    the concept) and D the evidence of the statements; d is the number of statements. Inner products
///                    of rows are then the link weights W
///   random_indexing  random_indexing() of the statements, with 8 non-zeros a statement
///   svd, laplacian   truncated_svd() and laplacian_embedding() of the links (core/embeddings/embedding.hpp)
///   oja, sanger      component_embedding() of learnt components (core/learning/principal_components.hpp)
///   file             rows_of_words() of a file (core/embeddings/word_vectors.hpp)
/// If `structure` is set, the rows of compounds and statements also contain the rows of their components
/// (core/embeddings/embedding.hpp).
/// Shapes   -> (n, d)
/// Errors   std::invalid_argument for an invalid spec, for more than EmbeddingCache::max_numbers numbers, or for more
///          than max_embedding_work multiplications; WordVectorError
/// Cost     see the named function
Matrix embed(const MemoryIndex& memory, const EmbeddingSpec& spec);
inline constexpr double max_embedding_work = 2e10;  // multiplications; chosen: about a minute

/// Returns the embedding with its rows' lengths from the cache of the index (EmbeddingCache), and calls embed() if it
/// is not there. Use it instead of embed() if several recalls need the same embedding.
std::shared_ptr<const Embedding> embedded(const MemoryIndex& memory, const EmbeddingSpec& spec);

}  // namespace engram::core
