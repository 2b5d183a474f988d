// SPDX-License-Identifier: MIT
// The one form of retrieval: a cue in, activations of concepts and statements out.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// What a recall tells of what it did not look at, beside the method that looks at all.
struct LeftOut {
  /// Where statements are weighed, of those that got no score, at most; where concepts are, what all together
  /// lack of their weights of sum 1.
  double weight = 0;
  std::size_t certain = 0;  // of the best of these, as a set, are that method's best for certain
};

/// The largest j of which the j best are above all others wherever each is within its bounds, least and most; who
/// has no score is at most `beyond`.  Cost  O(n log n)
std::size_t certain_best(const std::vector<SparseVector::Entry>& scores,
                         const std::vector<std::pair<double, double>>& bounds, double beyond);

/// What a cue brings back. All retrievers fill all of it, so that none is favoured by how it is compared.
struct Recall {
  SparseVector concepts;         // (n) activation >= 0
  SparseVector statements;       // (p) score >= 0
  std::vector<double> energies;  // of the cue, then after each iteration; empty for methods without one
  int iterations = 0;
  bool converged = true;
  /// Of the cue; of methods that give statements, or concepts, the weights of a simplex map.
  std::optional<RetrievalCertificate> certificate;
  /// Of spins that are all turned at once: 1 for a fixed point, 2 for two states that alternate, 0 for
  /// neither.
  std::optional<int> period;
  /// Of networks of units (n), else empty: what the energy would rise if the unit were turned off, over the
  /// largest such rise; 0 for those that are off.
  Vector depths = {};
  /// Whether scores of statements promise something: whichever are left out, a whole proof is among the others
  /// with a probability of 1 less the largest score of those, as the method has it.
  bool promises = false;
  /// Of methods that look at no more than they reach and are bounds of another.
  std::optional<LeftOut> left_out = {};
  /// What a person should know about the search, such as that it ended at its limit; usually empty.
  std::string note = {};
};

/// How likely it may be that no whole proof is given, where scores promise one and nobody says more. Chosen: as is
/// usual.
inline constexpr double default_doubt = 0.05;

/// z = projection(separation(similarity(memory, cue))), iterated or not.
/// cue (n) is an activation in [0, 1]; a cue of zeros, or a memory that is empty or forgotten, gives zeros.
/// Source  Millidge et al. 2022, "Universal Hopfield Networks"
template <class R>
concept Retriever = requires(const R& retriever, const MemoryIndex& memory, const Cue& cue) {
  { retriever.recall(memory, cue) } -> std::same_as<Recall>;
};

/// Where nothing can be brought back.
inline Recall no_recall(const MemoryIndex& memory) {
  Recall nothing;
  nothing.concepts = SparseVector::zero(memory.concepts());
  nothing.statements = SparseVector::zero(memory.statements());
  return nothing;
}

/// What a retriever that ranks statements brings back: concepts by the share of the weight that mentions
/// them.
Recall from_statements(const MemoryIndex& memory, SparseVector statements);
/// What a retriever that ranks concepts brings back: statements by their cosine with the activation.
Recall from_concepts(const MemoryIndex& memory, SparseVector concepts);

/// Any retriever, chosen while the program runs.
using AnyRetriever = std::function<Recall(const MemoryIndex& memory, const Cue& cue)>;

/// Whether an activation is not 0.
bool asks_for_any(const Cue& cue);

/// Wraps a retriever, which has `is_local` where it costs no more than what it reaches, and keeps the promise for empty memories and cues of zeros.
/// Errors, of a recall  WorkStopped, before it allocates what it has no bytes for
template <Retriever R>
AnyRetriever any_retriever(R retriever) {
  return [retriever = std::move(retriever)](const MemoryIndex& memory, const Cue& cue) {
    require_size("cue", cue.activation.size(), memory.concepts());
    if (!(memory.total() > 0) || !asks_for_any(cue)) return no_recall(memory);
    if constexpr (requires { R::is_local; }) return retriever.recall(memory, cue);
    const Reservation claim(memory.recall_bytes());
    return retriever.recall(memory, cue);
  };
}

}  // namespace engram::core
