// SPDX-License-Identifier: MIT
#include "core/retrieval/retrievers.hpp"

#include <algorithm>
#include <cmath>

#include "core/attention/continuous_attention.hpp"
#include "core/budgets/page_rank.hpp"
#include "core/budgets/spreading_activation.hpp"
#include "core/embeddings/concept_embedding.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core {
namespace {

static_assert(Retriever<AttentionRetriever> && Retriever<ConceptAttentionRetriever> &&
              Retriever<HopfieldRetriever> && Retriever<ModernHopfieldRetriever> &&
              Retriever<ContinuousAttentionRetriever> && Retriever<CosineRetriever> &&
              Retriever<OverlapRetriever> && Retriever<PageRankRetriever> && Retriever<FrequencyRetriever> &&
              Retriever<SpreadingActivationRetriever> && Retriever<EcanRetriever> &&
              Retriever<LinearEcanRetriever> && Retriever<UniformRetriever>);

// A budget for more than there is would have no weights to give.
Regulariser at_most(Regulariser map, Index items) {
  map.k = std::min(map.k, items);
  return map;
}

// p(beta scores) over the concepts that hold activation; 0 for the others.
Vector map_over_holders(const Readings& memory, const Regulariser& map, double beta, const Vector& scores) {
  const auto holders = memory.holders();
  Vector weights = apply(map, scores, 1.0 / beta);
  if (map.map == SimplexMap::budget) weights /= sum(weights);
  Vector out = Vector::Zero(memory.concepts());
  for (std::size_t k = 0; k < holders.size(); ++k) out[holders[k]] = weights[static_cast<Index>(k)];
  return out;
}

// cos(x_i, sum_j cue_j x_j) for incidence embeddings, whose inner products are W with its diagonal.
Vector incidence_similarity(const Readings& memory, const Vector& cue) {
  Vector scores = memory.links.multiply(cue);
  for (Index i = 0; i < scores.size(); ++i) scores[i] += memory.activity[i] * cue[i];
  const double cue_square = dot(cue, scores);  // |sum_j cue_j x_j|^2
  for (Index i = 0; i < scores.size(); ++i) {
    // Root by root: the product of two activities that are all but forgotten would be 0.
    const double lengths = std::sqrt(memory.activity[i]) * std::sqrt(cue_square);
    scores[i] = lengths > 0 ? scores[i] / lengths : 0.0;
  }
  return scores;
}

// The same for rows that are there.
Vector embedded_similarity(const Embedding& embedding, const Vector& cue) {
  Vector query = multiply_transposed(embedding.rows, cue);
  double largest = 0;
  for (const double x : query) largest = std::max(largest, std::abs(x));
  if (largest > 0) query /= largest;  // its length has no meaning, and its square must be a double
  const double query_length = std::sqrt(dot(query, query));
  if (embedding.directions)
    return query_length > 0 ? core::scores(*embedding.directions, query, 1 / query_length)
                            : Vector(Vector::Zero(embedding.rows.rows()));
  Vector scores = multiply(embedding.rows, query);
  for (Index i = 0; i < scores.size(); ++i) {
    // Length by length, as above.
    const bool angle = embedding.lengths[i] > 0 && query_length > 0;
    scores[i] = angle ? scores[i] / embedding.lengths[i] / query_length : 0.0;
  }
  return scores;
}

// The statements that are not forgotten, and their times, from 0 at the first to 1 at the last.
struct History {
  std::vector<Index> statements;
  Vector times;
};

History history_of(const Readings& memory) {
  History history;
  for (Index e = 0; e < memory.statements(); ++e)
    if (memory.evidence[e] > 0) history.statements.push_back(e);
  history.times.resize(static_cast<Index>(history.statements.size()));
  for (Index l = 0; l < history.times.size(); ++l)
    history.times[l] = memory.last_said[history.statements[static_cast<std::size_t>(l)]];
  if (history.statements.empty()) return history;
  const double first = history.times.minCoeff(), span = history.times.maxCoeff() - first;
  for (double& t : history.times) t = span > 0 ? (t - first) / span : 0.5;
  return history;
}

// Of each link as evidence for similarity, the frequency: it does not change while all fades alike.
SparseRows strengths_of(const Readings& memory) {
  spend(8 * memory.links.entries());
  SparseRows strengths = memory.links;
  for (Index i = 0; i < strengths.rows(); ++i)
    for (std::size_t k = 0; k < strengths.columns_of(i).size(); ++k) {
      double& w = strengths.values_of(i)[k];
      const double either = memory.activity[i] + memory.activity[strengths.columns_of(i)[k]] - w;
      w = narsese::to_truth({w, std::max(either, w)}).frequency;
    }
  return strengths;
}

// What belongs to the events of a history, over all statements; 0 for the others.
Vector over_statements(const Readings& memory, const History& history, const Vector& of_events) {
  Vector out = Vector::Zero(memory.statements());
  for (Index l = 0; l < of_events.size(); ++l)
    out[history.statements[static_cast<std::size_t>(l)]] = of_events[l];
  return out;
}

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

// Centres even over [0, 1], each as wide as they are apart.
GaussianBasis even_basis(int functions) {
  const double apart = 1.0 / std::max(functions - 1, 1);
  GaussianBasis basis{Vector(functions), Vector::Constant(functions, apart)};
  for (Index j = 0; j < functions; ++j)
    basis.centres[j] = functions > 1 ? static_cast<double>(j) * apart : 0.5;
  return basis;
}

}  // namespace

const SparseRows& walked_links(const Readings& memory, std::optional<LinkRule> rule, SparseRows& weighed) {
  if (rule == LinkRule::hebb) return memory.links;
  if (!rule && !memory.has_learner) throw NoLearner();
  if (!rule) return memory.learnt;
  return weighed = link_weights(*rule, memory.links, memory.activity, memory.total);
}

ModernRecall AttentionRetriever::trace(const Readings& memory, const Vector& cue,
                                       const StepObserver& observer) const {
  SparseRows plain;
  if (!inverse_frequency) plain = plain_keys(memory);
  const SparseRows& keys = inverse_frequency ? memory.keys : plain;
  const Vector query = inverse_frequency ? memory.query(cue) : plain_query(memory, cue);
  // A tolerance below 0 is never met: a mean over fewer steps would not be the mean over all of them.
  const ModernHopfieldOptions options{beta, at_most(map, memory.statements()), steps, -1.0};
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

Vector ConceptAttentionRetriever::similarity(const Readings& memory, const Vector& cue) const {
  const bool on_links = embedding.kind == EmbeddingKind::incidence && !embedding.structure;
  return on_links ? incidence_similarity(memory, cue)
                  : embedded_similarity(*embedded(memory, embedding), cue);
}

Recall ConceptAttentionRetriever::recall(const Readings& memory, const Vector& cue) const {
  const Vector of_holders = memory.of_holders(similarity(memory, cue));
  const Regulariser among = at_most(map, of_holders.size());
  Recall recall = from_concepts(memory, map_over_holders(memory, among, beta, of_holders));
  recall.iterations = 1;
  recall.certificate = certify_retrieval(among, of_holders, beta);
  return recall;
}

SparseCouplings HopfieldRetriever::couplings(const Readings& memory) const {
  SparseCouplings couplings{memory.links, memory.activity / memory.total, Vector::Ones(memory.concepts())};
  for (Index row = 0; row < couplings.together.rows(); ++row)
    for (double& value : couplings.together.values_of(row)) value /= memory.total;
  if (correlation)
    for (Index i = 0; i < couplings.gain.size(); ++i) {
      const double variance = couplings.activity[i] * (1.0 - couplings.activity[i]);
      couplings.gain[i] = variance > 0 ? 1.0 / std::sqrt(variance) : 0.0;  // always active tells nothing
    }
  return couplings;
}

WinnersRecall HopfieldRetriever::trace(const Readings& memory, const SparseCouplings& couplings,
                                       const Vector& cue) const {
  Index k = winners;
  if (k == 0) {
    const auto cue_units = (cue.array() > 0).count();
    k = static_cast<Index>(cue_units) + static_cast<Index>(std::lround(memory.mean_episode_size()));
  }
  return recall_winners(couplings, cue, k, cue_strength);
}

Recall HopfieldRetriever::recall(const Readings& memory, const Vector& cue) const {
  const WinnersRecall trace = this->trace(memory, couplings(memory), cue);
  double strongest = 0;
  for (const auto unit : trace.winners) strongest = std::max(strongest, trace.field[unit]);
  Vector activation = Vector::Zero(memory.concepts());
  for (const auto unit : trace.winners)
    activation[unit] = strongest > 0 ? std::max(trace.field[unit], 0.0) / strongest : 1.0;
  const Vector depths = strongest > 0 ? activation : Vector(Vector::Zero(memory.concepts()));
  Recall recall = from_concepts(memory, std::move(activation));
  recall.depths = depths;  // a unit's field is what the energy would rise without it
  recall.energies = trace.energies;
  recall.iterations = trace.changes;
  recall.converged = trace.converged;
  return recall;
}

ModernRecall ModernHopfieldRetriever::trace(const Readings& memory, const Vector& cue,
                                            const StepObserver& observer) const {
  const ModernHopfieldOptions options{beta, at_most(map, memory.statements()), max_steps, 1e-12};
  return recall_modern(memory.keys, memory.query(cue), options, {}, observer);
}

Recall ModernHopfieldRetriever::recall(const Readings& memory, const Vector& cue) const {
  if (memory.statements() == 0) return no_recall(memory);
  const ModernRecall trace = this->trace(memory, cue, {});
  Recall recall = from_statements(memory, trace.weights);
  recall.energies = trace.energies;
  recall.iterations = trace.iterations;
  recall.converged = trace.converged;
  recall.certificate = trace.certificate;
  return recall;
}

Recall ContinuousAttentionRetriever::recall(const Readings& memory, const Vector& cue) const {
  const History history = history_of(memory);
  if (history.statements.empty()) return no_recall(memory);
  const Vector cosines = memory.statement_scores(cue);
  Vector scores(history.times.size());
  for (Index l = 0; l < scores.size(); ++l)
    scores[l] = cosines[history.statements[static_cast<std::size_t>(l)]];
  const TimeMoments cued = time_moments(apply(SimplexMap::softmax, scores, 1.0 / beta), history.times);
  const TimeDensity density(alpha, cued.mean, std::max(cued.variance, least_width * least_width));

  Vector budget(scores.size());
  for (Index l = 0; l < budget.size(); ++l) budget[l] = density.at(history.times[l]);
  budget /= sum(budget);
  Recall recall = from_statements(memory, over_statements(memory, history, budget));

  const Claim claim(2 * sizeof(double) * history.statements.size() *
                    static_cast<std::size_t>(basis_functions));
  const GaussianBasis basis = even_basis(basis_functions);
  const Vector weights = RidgeFit(history.times, basis, ridge).event_weights(basis.expectations(density));
  const Vector active = memory.concept_scores(over_statements(memory, history, weights)).cwiseMax(0.0);
  if ((active.array() > 0).any()) recall.concepts = active;
  recall.iterations = 1;
  return recall;
}

Recall CosineRetriever::recall(const Readings& memory, const Vector& cue) const {
  return from_statements(memory, memory.statement_scores(cue));
}

Recall OverlapRetriever::recall(const Readings& memory, const Vector& cue) const {
  const auto cue_units = static_cast<double>((cue.array() > 0).count());
  Vector scores(memory.statements());
  for (Index e = 0; e < scores.size(); ++e) {
    const auto members = memory.episodes.columns_of(e);
    spend(members.size() + 4);
    double shared = 0;
    for (const auto i : members) shared += cue[i] > 0 ? 1.0 : 0.0;
    scores[e] = shared / (cue_units + static_cast<double>(members.size()) - shared);
  }
  return from_statements(memory, std::move(scores));
}

Recall PageRankRetriever::recall(const Readings& memory, const Vector& cue) const {
  SparseRows weighed;
  const PageRank trace = personalized_page_rank(walked_links(memory, links, weighed), cue, damping);
  Recall recall = from_concepts(memory, trace.rank);
  recall.iterations = trace.iterations;
  recall.converged = trace.converged;
  return recall;
}

Recall SpreadingActivationRetriever::recall(const Readings& memory, const Vector& cue) const {
  SparseRows weighed;
  const Spread spread =
      spread_activation(walked_links(memory, links, weighed), cue, {passed_on, threshold, max_steps});
  Recall recall = from_concepts(memory, spread.activation);
  recall.iterations = spread.steps;
  recall.converged = spread.converged;
  return recall;
}

Recall EcanRetriever::recall(const Readings& memory, const Vector& cue) const {
  constexpr double wealth = 1000;  // chosen; a unit of account
  const BankPolicy policy{wealth / 2, wealth / 2};
  Ecan network(strengths_of(memory), wealth, 1.0, options);
  const Vector earned = cue / sum(cue);
  for (int t = 0; t < cycles; ++t) {
    const double wages = policy.wage(wage, network.funds());
    for (Index i = 0; i < earned.size(); ++i)
      if (earned[i] > 0) network.stimulate(i, wages * earned[i]);
    network.cycle();
  }
  const Vector sti = network.sti().cwiseMax(0.0);
  const double all = sum(sti);
  Recall recall = from_concepts(memory, all > 0 ? Vector(sti / all) : sti);
  recall.iterations = cycles;
  return recall;
}

Recall LinearEcanRetriever::recall(const Readings& memory, const Vector& cue) const {
  SparseRows weighed;
  const LinearEcan fixed = linear_ecan(walked_links(memory, links, weighed), cue, rent, spread);
  Recall recall = from_concepts(memory, fixed.sti);
  recall.iterations = fixed.iterations;
  recall.converged = fixed.converged;
  return recall;
}

Recall FrequencyRetriever::recall(const Readings& memory, const Vector&) const {
  Recall recall;
  recall.concepts = memory.activity / memory.total;
  recall.statements = memory.evidence / memory.total;
  return recall;
}

Recall UniformRetriever::recall(const Readings& memory, const Vector&) const {
  Recall recall;
  const auto holders = static_cast<double>((memory.activity.array() > 0).count());
  recall.concepts = (memory.activity.array() > 0).cast<double>() / holders;
  recall.statements = Vector::Constant(memory.statements(), 1.0 / static_cast<double>(memory.statements()));
  return recall;
}

}  // namespace engram::core
