// SPDX-License-Identifier: MIT
#include "core/index/concept_embedding.hpp"

#include <algorithm>
#include <cmath>

#include "core/embeddings/embedding.hpp"
#include "core/embeddings/word_vectors.hpp"
#include "core/learning/principal_components.hpp"
#include "core/numbers/spectral.hpp"

namespace engram::core {
namespace {

bool spectral(EmbeddingKind kind) { return kind == EmbeddingKind::svd || kind == EmbeddingKind::laplacian; }
bool learnt(EmbeddingKind kind) { return kind == EmbeddingKind::oja || kind == EmbeddingKind::sanger; }

void require_numbers(const MemoryIndex& memory, double dimensions) {
  require(
      static_cast<double>(memory.concepts()) * dimensions <= static_cast<double>(EmbeddingCache::max_numbers),
      "the embedding would have more than 2^27 numbers: choose fewer dimensions");
}

void require_room(const MemoryIndex& memory, const EmbeddingSpec& spec) {
  const auto n = static_cast<double>(memory.concepts());
  const auto p = static_cast<double>(memory.statements());
  const double d = spec.kind == EmbeddingKind::incidence ? p : static_cast<double>(spec.dimensions);
  if (spec.kind != EmbeddingKind::file) require_numbers(memory, d);
  require(!learnt(spec.kind) || 2 * spec.epochs * p * n * d <= max_embedding_work,
          "learning the embedding would take more than 2e10 multiplications: choose fewer dimensions or "
          "epochs");
}

// Peak memory of computing an embedding. The solver needs its basis and the eigenvectors, learning the components and
// their responses, and composition a second copy of the rows.
std::size_t bytes_to_make(const MemoryIndex& memory, const EmbeddingSpec& spec) {
  const auto n = static_cast<std::size_t>(memory.concepts()),
             p = static_cast<std::size_t>(memory.statements());
  if (spec.kind == EmbeddingKind::file) return 0;  // not known before the file is read
  const std::size_t d = spec.kind == EmbeddingKind::incidence ? p : static_cast<std::size_t>(spec.dimensions);
  const std::size_t copies = spectral(spec.kind) ? 7 : learnt(spec.kind) ? 3 : spec.structure ? 2 : 1;
  return sizeof(double) * (copies * n * d + (learnt(spec.kind) ? d * p : 0));
}

Matrix incidence(const MemoryIndex& memory) {
  Matrix columns = Matrix::Zero(memory.concepts(), memory.statements());
  for (Index e = 0; e < memory.statements(); ++e)
    for (const std::uint32_t i : memory.episode(e)) columns(i, e) = std::sqrt(memory.evidence(e));
  return columns;
}

Matrix principal_components(const MemoryIndex& memory, const EmbeddingSpec& spec) {
  const auto rule = spec.kind == EmbeddingKind::oja ? ComponentRule::oja : ComponentRule::sanger;
  const Matrix components = learn_components(memory.episodes(), memory.evidence(), rule, spec.dimensions,
                                             {spec.epochs, LearningOptions{}.eta, spec.seed});
  return component_embedding(components, memory.episodes(), memory.evidence());
}

Matrix rows_of_file(const MemoryIndex& memory, const std::string& file) {
  const WordVectors vectors = load_word_vectors(file);
  require_numbers(memory, static_cast<double>(vectors.rows.cols()));
  const Reservation claim(sizeof(double) *
                          (static_cast<std::size_t>(vectors.rows.size()) +
                           static_cast<std::size_t>(memory.concepts() * vectors.rows.cols())));
  return rows_of_words(vectors, memory.terms());
}

Matrix plain_embedding(const MemoryIndex& memory, const EmbeddingSpec& spec) {
  switch (spec.kind) {
    case EmbeddingKind::incidence:
      return incidence(memory);
    case EmbeddingKind::svd:
      return truncated_svd(memory.links(), memory.activity(), spec.dimensions);
    case EmbeddingKind::laplacian:
      return laplacian_embedding(memory.links(), spec.dimensions);
    case EmbeddingKind::oja:
    case EmbeddingKind::sanger:
      return principal_components(memory, spec);
    case EmbeddingKind::file:
      return rows_of_file(memory, spec.file);
    case EmbeddingKind::random_indexing:
      break;
  }
  return random_indexing(memory.episodes(), spec.dimensions, std::min(spec.dimensions, 8), spec.seed);
}

}  // namespace

std::string_view broken_rule(const EmbeddingSpec& spec, std::string_view& option) {
  option = "dimensions";
  if (spec.dimensions < 1) return "must be at least 1";
  if (spectral(spec.kind) && spec.dimensions > max_sparse_eigenpairs)
    return "must be at most 256 for svd and laplacian";
  option = "epochs";
  if (spec.epochs < 0) return "must not be negative";
  option = "file";
  if (spec.kind == EmbeddingKind::file && spec.file.empty()) return "must name a file of vectors";
  option = "precision";
  if (spec.precision && spec.kind == EmbeddingKind::incidence && !spec.structure)
    return "must be double for incidence: its scores are the links themselves";
  return {};
}

Matrix embed(const MemoryIndex& memory, const EmbeddingSpec& spec) {
  std::string_view option;
  if (const auto rule = broken_rule(spec, option); !rule.empty())
    throw std::invalid_argument("option '" + std::string(option) + "' " + std::string(rule));
  require_room(memory, spec);
  const Reservation claim(bytes_to_make(memory, spec));
  Matrix rows = plain_embedding(memory, spec);
  return spec.structure ? composed(memory.terms(), std::move(rows), spec.seed) : rows;
}

std::shared_ptr<const Embedding> embedded(const MemoryIndex& memory, const EmbeddingSpec& spec) {
  return memory.embeddings().get(spec, [&] { return embed(memory, spec); });
}

}  // namespace engram::core
