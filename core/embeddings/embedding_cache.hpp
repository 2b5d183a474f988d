// SPDX-License-Identifier: MIT
// Cache for the embeddings of a snapshot of the memory, and an index to find the rows of an embedding nearest to a
// direction.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// Approximate nearest-neighbour index of rows by cosine similarity (hnswlib). Use it if comparing all rows is too
/// slow. It does not always find the nearest rows; with more `looks` the search keeps more candidates and finds more of
/// the nearest. The 10 nearest of 10,000 random rows of 32 numbers are a hard case: it finds 59 % with 10 looks, 95 %
/// with 64, and 99 % with 256. Results do not depend on the processor, because rows are inserted one after another and
/// distances have a fixed order of sums. They do depend on the random levels of the standard library.
/// Memory   4 bytes a number, and about 250 a row
/// Source   Malkov and Yashunin 2018, "Efficient and robust approximate nearest neighbor search using
///          Hierarchical Navigable Small World graphs"
class ConceptIndex {
 public:
  /// Indexes the rows (n, d) of an embedding. `lengths` (n) are the Euclidean norms of the rows. The index never finds
  /// rows of length 0.
  /// Errors   WorkStopped
  /// Cost     about 4000 d multiplications a row
  ConceptIndex(const Matrix& rows, const Vector& lengths);
  ~ConceptIndex();
  ConceptIndex(const ConceptIndex&) = delete;
  ConceptIndex& operator=(const ConceptIndex&) = delete;

  /// Finds at most `count` rows with the largest cosine similarity to a direction, in ascending order of their numbers.
  /// Returns none for a zero vector. `looks` is the number of candidates that the search keeps; more looks find more of
  /// the nearest rows.
  /// Shapes   direction (d), of any length
  /// Ranges   looks >= count; smaller values count as `count`
  /// Cost     about 20 d multiplications a look, and O(log n)
  std::vector<std::uint32_t> nearest(const Vector& direction, std::size_t count, std::size_t looks) const;
  std::size_t bytes() const;

 private:
  class Graph;
  std::unique_ptr<Graph> graph_;
};

/// Kind of embedding; core/index/concept_embedding.hpp describes each.
enum class EmbeddingKind : std::uint8_t { incidence, svd, laplacian, oja, sanger, file, random_indexing };

/// Parameters of an embedding. A kind ignores the parameters of other kinds.
struct EmbeddingSpec {
  EmbeddingKind kind = EmbeddingKind::incidence;
  int dimensions = 256;    // length of a row, for all kinds except incidence and file
  std::uint64_t seed = 1;  // for random_indexing, initial weights of oja and sanger, and roles of components
  int epochs = 40;         // passes over the data, for oja and sanger
  bool structure = false;  // adds the structure of compounds and statements
  std::string file = {};   // path of the word vectors, for file
  std::optional<Precision> precision = {};  // storage of similarity scores; nothing: double
  bool indexed = false;                     // whether a ConceptIndex finds the nearest rows
  auto operator<=>(const EmbeddingSpec&) const = default;
};

/// An embedding: rows x_i and their Euclidean norms |x_i|. If the spec requests them, also the directions x_i / |x_i|
/// (0 for norm 0) in a given precision, and an index.
struct Embedding {
  Matrix rows;
  Vector lengths;
  std::optional<PackedKeys> directions = {};
  std::unique_ptr<const ConceptIndex> index = {};
};

/// Returns the bytes of an embedding with this many numbers: its rows, and its directions if a precision is given.
std::size_t embedding_bytes(std::size_t numbers, const std::optional<Precision>& precision);

/// LRU cache of the embeddings of one snapshot. The snapshot (core/index/memory_index.hpp) owns the cache, so cached
/// embeddings always match the memory. A copy starts empty. Thread-safe: a thread that needs an embedding while another
/// one computes it waits.
class EmbeddingCache {
 public:
  static constexpr std::size_t max_numbers = std::size_t{1} << 27;  // chosen: 1 GB

  /// `capacity` is the most numbers (entries of rows) to cache. The last used embedding is cached even if it is larger.
  explicit EmbeddingCache(std::size_t capacity = max_numbers) : capacity_(capacity) {}
  EmbeddingCache(const EmbeddingCache& other) : capacity_(other.capacity_) {}
  EmbeddingCache& operator=(const EmbeddingCache&);
  ~EmbeddingCache() = default;

  /// Returns the cached embedding of an equal spec. If there is none, calls make() for the rows, builds the embedding
  /// and caches it. If make() throws, the cache does not change. The memory of a new embedding stays reserved until the
  /// caller's WorkBudget ends.
  std::shared_ptr<const Embedding> get(const EmbeddingSpec& spec, const std::function<Matrix()>& make) const;
  /// Bytes of all cached embeddings.
  std::size_t bytes() const;

 private:
  struct Entry {
    EmbeddingSpec spec;
    std::shared_ptr<const Embedding> embedding;
  };
  std::size_t capacity_;
  mutable std::mutex mutex_;
  mutable std::list<Entry> entries_;  // the most recently used first
};

}  // namespace engram::core
