// SPDX-License-Identifier: MIT
// Attention to statements and to the event history as retrieval methods: attention with its maps, and
// continuous_attention.
#include <algorithm>
#include <cmath>

#include "core/attention/continuous_attention.hpp"
#include "core/hopfield/hops_explainer.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/methods/explanation.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// Keys and query as in MemoryIndex, but with equal weights for all concepts.
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

/// Attention from the cue to the statements over several hops, with the cue kept: xi <- q + K' p(beta K xi), K the
/// statements' keys and q the cue's query. A statement's score is its mean weight over the hops, so answers to the cue
/// and answers to these answers both count. This is a modern Hopfield network in the external field q. Without inverse
/// frequency all concepts have equal weight in K and q.
struct AttentionRetriever : Retriever {
  double beta = 8;
  int steps = 3;
  Regulariser map = default_map(SimplexMap::softmax);
  bool inverse_frequency = true;
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    if (memory.statements() == 0) return no_recall(memory);  // there may still be links
    Vector weights = Vector::Zero(memory.statements());
    const ModernRecall trace =
        this->trace(memory, cue.activation, [&](const Vector&, const Vector& p) { weights += p; });
    Recall recall = from_statements(memory, weights / static_cast<double>(trace.iterations));
    recall.energies = trace.energies;
    recall.iterations = trace.iterations;
    recall.certificate = trace.certificate;
    return recall;
  }
  /// Runs the recall. Calls the observer after each step.
  ModernRecall trace(const MemoryIndex& memory, const SparseVector& cue, const StepObserver& observer) const {
    SparseRows plain;
    if (!inverse_frequency) plain = plain_keys(memory);
    const SparseRows& keys = inverse_frequency ? memory.keys() : plain;
    const SparseVector query = inverse_frequency ? memory.query(cue) : plain_query(memory, cue);
    // A tolerance below 0 is never met, because the score is a mean over all steps.
    const ModernHopfieldOptions options{beta, map.at_most(memory.statements()), steps, -1.0};
    return recall_modern(keys, query, options, query, observer);
  }
  ExplainerPtr explain(const MemoryIndex& memory, const Cue& cue, const Recall& recall) const override {
    if (!inverse_frequency) return nullptr;
    return std::make_unique<HopsExplainer>(*this, beta, true, memory, cue, recall);
  }
};

constexpr auto attention_options =
    option_table(number_option<&AttentionRetriever::beta>(
                     "beta", 1e-6, 1e6, "inverse temperature: larger values prefer the best more sharply"),
                 whole_option<&AttentionRetriever::steps>(
                     "steps", 1, 100, "hops: each further hop attends from the result of the last one"),
                 yes_or_no_option<&AttentionRetriever::inverse_frequency>("inverse_frequency",
                                                                          "whether rare concepts weigh more"),
                 simplex_map_options<&AttentionRetriever::map>());

// Attention with another default for the option `map`.
Method attention_with(SimplexMap map, std::string name, std::string summary) {
  AttentionRetriever defaults;
  defaults.map = default_map(map);
  return make_method<AttentionRetriever>(
      std::move(name), "attention", std::move(summary), attention_options,
      {.support = Support::by_map,
       .has_energy = true,
       .no_sum = "without inverse_frequency only the number of shared concepts "
                 "counts: there is no sum to show"},
      defaults);
}

// The statements with evidence, and their times: 0 for the first, 1 for the last.
struct History {
  std::vector<Index> statements;
  Vector times;
};

History history_of(const MemoryIndex& memory) {
  History history;
  for (Index e = 0; e < memory.statements(); ++e)
    if (memory.evidence(e) > 0) history.statements.push_back(e);
  history.times.resize(static_cast<Index>(history.statements.size()));
  for (Index l = 0; l < history.times.size(); ++l)
    history.times[l] = memory.last_updated(history.statements[static_cast<std::size_t>(l)]);
  if (history.statements.empty()) return history;
  const double first = history.times.minCoeff(), span = history.times.maxCoeff() - first;
  for (double& t : history.times) t = span > 0 ? (t - first) / span : 0.5;
  return history;
}

// Numbers of events as a vector over all statements; 0 for the others.
Vector over_statements(const MemoryIndex& memory, const History& history, const Vector& of_events) {
  Vector out = Vector::Zero(memory.statements());
  for (Index l = 0; l < of_events.size(); ++l)
    out[history.statements[static_cast<std::size_t>(l)]] = of_events[l];
  return out;
}

// Evenly spaced centres in [0, 1]; each width is the distance between two centres.
GaussianBasis even_basis(int functions) {
  const double apart = 1.0 / std::max(functions - 1, 1);
  GaussianBasis basis{Vector(functions), Vector::Constant(functions, apart)};
  for (Index j = 0; j < functions; ++j)
    basis.centres[j] = functions > 1 ? static_cast<double>(j) * apart : 0.5;
  return basis;
}

/// Attention over the event history: the time that the cue is about, and what was active then.
///   time      of a statement: its last occurrence, scaled so that the history starts at 0 and ends at 1 (a single
///             statement: 1/2). Statements whose evidence is forgotten are not part of the history
///   density   mean and variance of the times under softmax(beta s), s the cosines of cue and statements; the standard
///             deviation is at least `least_width` (core/attention/continuous_attention.hpp)
///   budgets   of a statement: the density at its time, normalised to sum 1. At least one is above 0
///   concepts  V(t), the events' activations smoothed by evenly spaced basis functions, averaged over the density;
///             negative values become 0. If none is above 0, the concepts follow from the budgets
/// A density has one peak. If the cue's statements lie at two distant times, it covers the time between them.
/// Cost    O(p b^2 + b^3) time and O(p b) memory for b basis functions
/// Source  Martins et al. 2020, "Sparse and Continuous Attention Mechanisms", its attention over a sequence
struct ContinuousAttentionRetriever : Retriever {
  double alpha = 2;
  double beta =
      32;  // chosen: with some hundred statements, most weight should lie on the statements of the cue
  int basis_functions = 16;
  double ridge = 0.1;
  double least_width = 0.02;  // chosen: a fiftieth of the history
  Recall recall(const MemoryIndex& memory, const Cue& cue) const override {
    const History history = history_of(memory);
    if (history.statements.empty()) return no_recall(memory);
    const Vector cosines = memory.statement_scores(cue.activation);
    Vector scores(history.times.size());
    for (Index l = 0; l < scores.size(); ++l)
      scores[l] = cosines[history.statements[static_cast<std::size_t>(l)]];
    const TimeMoments cued = time_moments(apply(SimplexMap::softmax, scores, 1.0 / beta), history.times);
    const TimeDensity density(alpha, cued.mean, std::max(cued.variance, least_width * least_width));

    Vector budget(scores.size());
    for (Index l = 0; l < budget.size(); ++l) budget[l] = density.at(history.times[l]);
    budget /= sum(budget);
    Recall recall = from_statements(memory, over_statements(memory, history, budget));

    const Reservation claim(2 * sizeof(double) * history.statements.size() *
                            static_cast<std::size_t>(basis_functions));
    const GaussianBasis basis = even_basis(basis_functions);
    const Vector weights = RidgeFit(history.times, basis, ridge).event_weights(basis.expectations(density));
    const Vector active =
        memory.concept_scores(over_statements(memory, history, weights)).whole().cwiseMax(0.0);
    if ((active.array() > 0).any()) recall.concepts = active;
    recall.iterations = 1;
    return recall;
  }
};

constexpr std::array<NamedValue<double>, 4> density_alphas{
    {{2.0, "2"}, {1.5, "3/2"}, {4.0 / 3, "4/3"}, {1.0, "1"}}};
constexpr auto continuous_attention_options = option_table(
    choice_option<density_alphas, &ContinuousAttentionRetriever::alpha>(
        "alpha", "shape of the density: 2 is a parabola, 3/2 and 4/3 have smoother ends, 1 is a Gaussian"),
    number_option<&ContinuousAttentionRetriever::beta>(
        "beta", 1e-6, 1e6, "inverse temperature: larger values prefer the best more sharply"),
    whole_option<&ContinuousAttentionRetriever::basis_functions>(
        "basis_functions", 1, 128, "number of basis functions of the curve through the events"),
    number_option<&ContinuousAttentionRetriever::ridge>("ridge", 1e-6, 1e6,
                                                        "ridge penalty, which makes the curve stiffer"),
    number_option<&ContinuousAttentionRetriever::least_width>(
        "least_width", 1e-6, 1, "least width of the density, as a share of the history"));

}  // namespace

Method attention_method() {
  return attention_with(SimplexMap::softmax, "attention",
                        "attention from the cue to the statements, hop by hop, the cue kept");
}
Method entmax_attention_method() {
  return attention_with(SimplexMap::entmax, "entmax_attention",
                        "the same with entmax: the unlikely get exactly nothing");
}
Method sparsemax_attention_method() {
  return attention_with(SimplexMap::sparsemax, "sparsemax_attention",
                        "the same with sparsemax: most statements get exactly nothing");
}
Method argmax_attention_method() {
  return attention_with(SimplexMap::argmax, "argmax_attention",
                        "the same with argmax: one statement a hop (hard attention)");
}

Method continuous_attention_method() {
  return make_method<ContinuousAttentionRetriever>(
      "continuous_attention", "attention",
      "attention to a stretch of time in the event history and to the concepts active then",
      continuous_attention_options,
      {.support = Support::sparse,
       .no_sum =
           "weights go by time, not by concepts: every statement has the density at the time when it was "
           "said last, so there is no sum over what is shared"});
}

}  // namespace engram::core
