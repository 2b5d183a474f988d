// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/declaration.hpp"
#include "core/methods/hops_explainer.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

// Keys and query as readings have them, but with every concept of the same weight.
SparseRows plain_keys(const MemoryIndex& memory) {
  SparseRows keys = memory.episodes();
  for (Index e = 0; e < keys.rows(); ++e) {
    const auto values = keys.values_of(e);
    const double length = std::sqrt(static_cast<double>(values.size()));
    for (double& value : values) value /= length;
  }
  return keys;
}

SparseVector plain_query(const MemoryIndex& memory, const Vector& cue) {
  Vector query = Vector::Zero(cue.size());
  for (Index i = 0; i < query.size(); ++i)
    if (memory.activity(i) > 0) query[i] = cue[i];
  const double length = std::sqrt(dot(query, query));
  if (length > 0) query /= length;
  return query;
}

/// Attention from the cue to the statements, iterated with the cue kept: xi <- q + K' p(beta K xi), where K
/// are the statements' keys and q the cue's query. A statement's score is its mean weight over the steps, so
/// what answers the cue and what answers the answer both count; a concept's is the weight of the statements
/// that mention it. It is modern Hopfield recall in the external field q. Without inverse frequency all
/// concepts weigh the same in K and q.
struct AttentionRetriever {
  double beta = 8;
  int steps = 3;
  Regulariser map = SimplexMap::softmax;
  bool inverse_frequency = true;
  Recall recall(const MemoryIndex& memory, const Vector& cue) const {
    if (memory.statements() == 0) return no_recall(memory);  // links may have been told all the same
    Vector weights = Vector::Zero(memory.statements());
    const ModernRecall trace =
        this->trace(memory, cue, [&](const Vector&, const Vector& p) { weights += p; });
    Recall recall = from_statements(memory, weights / static_cast<double>(trace.iterations));
    recall.energies = trace.energies;
    recall.iterations = trace.iterations;
    recall.certificate = trace.certificate;
    return recall;
  }
  /// Its steps, one after another, over the statements (one at least).
  ModernRecall trace(const MemoryIndex& memory, const Vector& cue, const StepObserver& observer) const {
    SparseRows plain;
    if (!inverse_frequency) plain = plain_keys(memory);
    const SparseRows& keys = inverse_frequency ? memory.keys() : plain;
    const SparseVector query = inverse_frequency ? memory.query(cue) : plain_query(memory, cue);
    // A tolerance below 0 is never met: a mean over fewer steps would not be the mean over all of them.
    const ModernHopfieldOptions options{beta, map.at_most(memory.statements()), steps, -1.0};
    return recall_modern(keys, query, options, query, observer);
  }
  AnyExplainer explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const {
    if (!inverse_frequency) return nullptr;
    return std::make_unique<HopsExplainer>(*this, beta, true, memory, cue, recall);
  }
  static constexpr const char* no_sum =
      "without inverse frequency the concepts that are shared are only counted: that sum is not worked out";
};

// `map`: by which the method is known.
Method attention_by(SimplexMap map, std::string name, std::string summary) {
  using R = AttentionRetriever;
  R prototype;
  prototype.map = map;
  return Declaration<R>(std::move(name), "attention", std::move(summary), prototype)
      .has_energy()
      .number("beta", &R::beta, 1e-6, 1e6, "inverse temperature: how sharply the best are preferred")
      .whole("steps", &R::steps, 1, 100, "hops: how often what was found is attended from")
      .yes_or_no("inverse_frequency", &R::inverse_frequency, "whether rare concepts weigh more")
      .map(&R::map);
}

}  // namespace

Method attention_method() {
  return attention_by(SimplexMap::softmax, "attention",
                      "attention from the cue to the statements, hop by hop, the cue kept");
}
Method entmax_attention_method() {
  return attention_by(SimplexMap::entmax, "entmax_attention",
                      "the same with entmax: the unlikely get exactly nothing");
}
Method sparsemax_attention_method() {
  return attention_by(SimplexMap::sparsemax, "sparsemax_attention",
                      "the same with sparsemax: most statements get exactly nothing");
}
Method argmax_attention_method() {
  return attention_by(SimplexMap::argmax, "argmax_attention",
                      "the same with argmax: one statement a hop (hard attention)");
}

}  // namespace engram::core
