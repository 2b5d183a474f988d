// SPDX-License-Identifier: MIT
// Embeddings that were worked out once for a snapshot of the memory.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/embeddings/concept_index.hpp"
#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// What rows stand for concepts: core/retrieval/concept_embedding.hpp tells of each.
enum class EmbeddingKind : std::uint8_t { incidence, svd, laplacian, oja, sanger, file, random_indexing };

/// Which embedding; each kind reads what it needs (core/retrieval/concept_embedding.hpp).
struct EmbeddingSpec {
  EmbeddingKind kind = EmbeddingKind::incidence;
  int dimensions = 256;                     // of all but incidence and file
  std::uint64_t seed = 1;                   // of random_indexing, of oja and sanger's beginning, of roles
  int epochs = 40;                          // of oja and sanger
  bool structure = false;                   // compounds and statements also by what they consist of
  std::string file = {};                    // of file
  std::optional<Precision> precision = {};  // of scores; nothing: double
  bool indexed = false;                     // whether the nearest rows are found by an index
  auto operator<=>(const EmbeddingSpec&) const = default;
};

/// Rows x_i and their lengths |x_i|; in the precision that the spec asks for, x_i / |x_i|, or 0 where there
/// is no length; an index where it asks for one.
struct Embedding {
  Matrix rows;
  Vector lengths;
  std::optional<PackedKeys> directions = {};
  std::unique_ptr<const ConceptIndex> index = {};
};

/// Bytes of so many numbers as an embedding: rows, and their directions.
std::size_t embedding_bytes(std::size_t numbers, const std::optional<Precision>& precision);

/// Keeps the embeddings of one snapshot, the least recently used dropped first. It belongs to the snapshot
/// (core/retrieval/memory_index.hpp) and dies with it, so what it holds is never older than the memory: whoever
/// takes new readings embeds anew. A copy begins empty. May be used from several threads; who asks for what
/// another thread is working out waits for it.
class EmbeddingCache {
 public:
  static constexpr std::size_t max_numbers = std::size_t{1} << 27;  // chosen: 1 GB

  /// `room`: how many numbers are kept at most, but for the last embedding in any case.
  explicit EmbeddingCache(std::size_t room = max_numbers) : room_(room) {}
  EmbeddingCache(const EmbeddingCache& other) : room_(other.room_) {}
  EmbeddingCache& operator=(const EmbeddingCache&);
  ~EmbeddingCache() = default;

  /// What `make` gave for an equal spec, or gives now. Errors of make are passed on and nothing is kept. What
  /// is made counts for as long as the work lasts that it was made for.
  std::shared_ptr<const Embedding> get(const EmbeddingSpec& spec, const std::function<Matrix()>& make) const;
  /// Bytes of all that is kept.
  std::size_t bytes() const;

 private:
  struct Entry {
    EmbeddingSpec spec;
    std::shared_ptr<const Embedding> embedding;
  };
  std::size_t room_;
  mutable std::mutex mutex_;
  mutable std::list<Entry> entries_;  // the most recently used first
};

}  // namespace engram::core
