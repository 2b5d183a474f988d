// SPDX-License-Identifier: MIT
#include "core/methods/attention.hpp"

#include <cmath>

#include "core/methods/declaration.hpp"
#include "core/methods/hops_explainer.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

// Keys and query as readings have them, but with every concept of the same weight.
SparseRows plain_keys(const Readings& memory) {
  SparseRows keys = memory.episodes;
  for (Index e = 0; e < keys.rows(); ++e) {
    const auto values = keys.values_of(e);
    const double length = std::sqrt(static_cast<double>(values.size()));
    for (double& value : values) value /= length;
  }
  return keys;
}

Vector plain_query(const Readings& memory, const Vector& cue) {
  Vector query = Vector::Zero(cue.size());
  for (Index i = 0; i < query.size(); ++i)
    if (memory.activity[i] > 0) query[i] = cue[i];
  const double length = std::sqrt(dot(query, query));
  if (length > 0) query /= length;
  return query;
}

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

ModernRecall AttentionRetriever::trace(const Readings& memory, const Vector& cue,
                                       const StepObserver& observer) const {
  SparseRows plain;
  if (!inverse_frequency) plain = plain_keys(memory);
  const SparseRows& keys = inverse_frequency ? memory.keys : plain;
  const Vector query = inverse_frequency ? memory.query(cue) : plain_query(memory, cue);
  // A tolerance below 0 is never met: a mean over fewer steps would not be the mean over all of them.
  const ModernHopfieldOptions options{beta, map.at_most(memory.statements()), steps, -1.0};
  return recall_modern(keys, query, options, query, observer);
}

Recall AttentionRetriever::recall(const Readings& memory, const Vector& cue) const {
  if (memory.statements() == 0) return no_recall(memory);  // links may have been told all the same
  Vector weights = Vector::Zero(memory.statements());
  const ModernRecall trace = this->trace(memory, cue, [&](const Vector&, const Vector& p) { weights += p; });
  Recall recall = from_statements(memory, weights / static_cast<double>(trace.iterations));
  recall.energies = trace.energies;
  recall.iterations = trace.iterations;
  recall.certificate = trace.certificate;
  return recall;
}

std::unique_ptr<const Explainer> AttentionRetriever::explain(const Readings& memory, const Cue& cue,
                                                             const Recall& recall) const {
  if (!inverse_frequency) return nullptr;
  return std::make_unique<HopsExplainer>(*this, true, memory, cue, recall);
}

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
