// SPDX-License-Identifier: MIT
// The one form of retrieval: a cue in, activations of concepts and statements out.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <vector>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/retrieval/readings.hpp"

namespace engram::core {

/// What a cue brings back. All retrievers fill all of it, so that none is favoured by how it is compared.
struct Recall {
  Vector concepts;               // (n) activation >= 0
  Vector statements;             // (p) score >= 0
  std::vector<double> energies;  // of the cue, then after each iteration; empty for methods without one
  int iterations = 0;
  bool converged = true;
  /// Of the cue; of methods that give statements, or concepts, the weights of a simplex map.
  std::optional<RetrievalCertificate> certificate;
};

/// z = projection(separation(similarity(memory, cue))), iterated or not.
/// cue (n) is an activation in [0, 1]; a cue of zeros, or a memory that is empty or forgotten, gives zeros.
/// Source  Millidge et al. 2022, "Universal Hopfield Networks"
template <class R>
concept Retriever = requires(const R& retriever, const Readings& memory, const Cue& cue) {
  { retriever.recall(memory, cue) } -> std::same_as<Recall>;
};

/// Where nothing can be brought back.
inline Recall no_recall(const Readings& memory) {
  Recall nothing;
  nothing.concepts = Vector::Zero(memory.concepts());
  nothing.statements = Vector::Zero(memory.statements());
  return nothing;
}

/// Any retriever, chosen while the program runs.
using AnyRetriever = std::function<Recall(const Readings& memory, const Cue& cue)>;

/// Wraps a retriever and keeps the promise for empty memories and cues of zeros.
template <Retriever R>
AnyRetriever any_retriever(R retriever) {
  return [retriever = std::move(retriever)](const Readings& memory, const Cue& cue) {
    require_size("cue", cue.size(), memory.concepts());
    if (!(memory.total > 0) || !(cue.array() != 0).any()) return no_recall(memory);
    return retriever.recall(memory, cue);
  };
}

}  // namespace engram::core
