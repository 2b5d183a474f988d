// SPDX-License-Identifier: MIT
#include "core/retrieval/readings.hpp"

#include <algorithm>
#include <cmath>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/numbers/numeric.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

SparseRows links_of(const Memory& memory) {
  const ConceptGraph& graph = memory.graph();
  SparseRows links(static_cast<Index>(graph.size()));
  links.reserve(static_cast<Index>(graph.size()), 2 * graph.hebbian_links().size());
  std::vector<std::pair<std::uint32_t, double>> row;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (ConceptId id = 0; id < graph.size(); ++id) {
    row.clear();
    for (const auto end : graph.incident(id)) {
      if (!end.hebbian) continue;
      const HebbianLink& link = graph.hebbian_links()[end.index];
      const double weight = graph.weight(link, memory.now());
      if (weight > 0) row.emplace_back(link.source == id ? link.target : link.source, weight);
    }
    std::sort(row.begin(), row.end());
    columns.clear();
    values.clear();
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    links.push_row(columns, values);
  }
  return links;
}

std::size_t active_in_all(const Memory& memory) {
  std::size_t active = 0;
  for (const Statement& statement : memory.statements()) active += statement.active.size();
  return active;
}

std::size_t bytes_of(const PlacedKeys& placed) {
  return SparseRows::bytes_for(placed.kinds.size(), placed.keys.entries()) +
         placed.kinds.size() * sizeof(StepKind);
}

// ln(1 + total / activity); 0 without any. What has all but decayed may leave no quotient that is a number.
double rarity_of(double activity, double total) {
  if (!(activity > 0)) return 0;
  const double ratio = total / activity;
  return std::isfinite(ratio) ? log(1.0 + ratio) : log(total) - log(activity);
}

}  // namespace

std::size_t Readings::bytes_for(const Memory& memory) {
  const std::size_t n = memory.graph().size(), p = memory.statements().size();
  const std::size_t active = active_in_all(memory);
  std::size_t bytes = 2 * SparseRows::bytes_for(p, active) + SparseRows::bytes_for(n, active) +
                      SparseRows::bytes_for(n, 2 * memory.graph().hebbian_links().size());
  // The learner's weights, turned round, without those below 0.
  if (memory.learner()) bytes += 3 * SparseRows::bytes_for(n, 2 * memory.learner()->links());
  bytes += n * (3 * sizeof(double) + sizeof(narsese::Term));  // and where rows begin
  bytes += p * (3 * sizeof(double) + sizeof(narsese::Term) + 2 * sizeof(StatementId));  // rules have doubled
  return bytes;
}

std::size_t Readings::recall_bytes() const {
  const auto n = static_cast<std::size_t>(concepts()), p = static_cast<std::size_t>(statements());
  constexpr std::size_t vectors = 8;  // chosen: a few of each shape at a time
  return std::max(SparseRows::bytes_for(n, std::max(links.entries(), learnt.entries())),
                  SparseRows::bytes_for(p, keys.entries())) +
         vectors * sizeof(double) * (n + p);
}

Readings::Readings(const Memory& memory) : Readings(memory, Claim(bytes_for(memory))) {}

Readings::Readings(const Memory& memory, const Claim&)
    : episodes(static_cast<Index>(memory.graph().size())),
      keys(static_cast<Index>(memory.graph().size())),
      links(links_of(memory)),
      evidence(static_cast<Index>(memory.statements().size())),
      activity(static_cast<Index>(memory.graph().size())),
      rarity(static_cast<Index>(memory.graph().size())),
      last_said(static_cast<Index>(memory.statements().size())),
      expectation(static_cast<Index>(memory.statements().size())),
      total(memory.total_evidence()),
      has_learner(memory.learner().has_value()) {
  if (has_learner) learnt = walkable(memory.learner()->weights(static_cast<Index>(memory.graph().size())));
  terms.reserve(memory.graph().size());
  for (ConceptId id = 0; id < memory.graph().size(); ++id) {
    terms.push_back(memory.graph()[id].term);
    activity[id] = memory.graph().activity(id, memory.now());
    rarity[id] = rarity_of(activity[id], total);
  }
  const std::size_t active = active_in_all(memory);
  episodes.reserve(evidence.size(), active);
  keys.reserve(evidence.size(), active);
  statement_terms.reserve(memory.statements().size());
  std::vector<double> values;
  for (Index e = 0; e < evidence.size(); ++e) {
    const Statement& statement = memory.statements()[static_cast<std::size_t>(e)];
    evidence[e] = memory.evidence(statement);
    const narsese::TruthValue truth = statement.sentence.truth_or_default();
    expectation[e] = truth.confidence * (truth.frequency - 0.5) + 0.5;
    const narsese::Term term = statement.sentence.term;
    statement_terms.push_back(term);
    if (narsese::is_higher_order(term) && term.has_variables()) rules.push_back(static_cast<StatementId>(e));
    last_said[e] = static_cast<double>(statement.updated);
    values.assign(statement.active.size(), 1.0);
    episodes.push_row(statement.active, values);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = rarity[statement.active[i]];
    const double length = std::sqrt(dot(values, values));
    for (double& value : values) value = length > 0 ? value / length : 0.0;
    keys.push_row(statement.active, values);
  }
  mentions = episodes.transposed();
}

const Occurrences& Readings::occurrences() const {
  return occurrences_.get([&] {
    Occurrences made(episodes, terms, statement_terms, rules);
    Claim(made.bytes()).stay();
    return made;
  });
}

const Passes& Readings::passes() const {
  return passes_.get([&] {
    Passes made(episodes, terms, statement_terms);
    Claim(made.bytes()).stay();
    return made;
  });
}

const PlacedKeys& Readings::placed() const {
  return placed_.get([&] {
    const auto p = static_cast<std::size_t>(statements());
    const Claim claim(SparseRows::bytes_for(p, 2 * keys.entries()) + p * sizeof(StepKind));
    PlacedKeys made = placed_keys(keys, terms, statement_terms);
    Claim(bytes_of(made)).stay();
    return made;
  });
}

double Readings::separation() const {
  return separation_.get([&] { return median_separation(keys, mentions); });
}

std::size_t Readings::kept_bytes() const {
  const Occurrences* places = occurrences_.known();
  const Passes* steps = passes_.known();
  const PlacedKeys* placed = placed_.known();
  return embeddings.bytes() + (places != nullptr ? places->bytes() : 0) +
         (steps != nullptr ? steps->bytes() : 0) + (placed != nullptr ? bytes_of(*placed) : 0);
}

Vector Readings::query(const Vector& activation) const {
  require_size("activation", activation.size(), concepts());
  Vector query = rarity.cwiseProduct(activation);
  const double length = std::sqrt(dot(query, query));
  if (length > 0) query /= length;
  return query;
}

Vector Readings::statement_scores(const Vector& activation) const {
  const Vector q = query(activation);
  std::vector<ConceptId> named;
  std::size_t mentioned = 0;
  for (Index i = 0; i < q.size(); ++i) {
    if (q[i] == 0) continue;
    named.push_back(static_cast<ConceptId>(i));
    mentioned += mentions.columns_of(i).size();
  }
  if (mentioned > static_cast<std::size_t>(statements())) {
    Vector scores = keys.multiply(q);
    for (double& s : scores) s = std::max(s, 0.0);
    return scores;
  }
  spend(static_cast<std::uint64_t>(concepts()) + 4 * mentioned);
  Vector scores = Vector::Zero(statements());  // what mentions nothing of it
  for (const ConceptId id : named)
    for (const StatementId e : mentions.columns_of(id)) scores[e] = std::max(keys.row_dot(e, q), 0.0);
  return scores;
}

std::vector<ConceptId> Readings::holders() const {
  std::vector<ConceptId> ids;
  for (Index i = 0; i < concepts(); ++i)
    if (activity[i] > 0) ids.push_back(static_cast<ConceptId>(i));
  return ids;
}

Vector Readings::of_holders(const Vector& over_concepts) const {
  const auto ids = holders();
  Vector out(static_cast<Index>(ids.size()));
  for (std::size_t k = 0; k < ids.size(); ++k) out[static_cast<Index>(k)] = over_concepts[ids[k]];
  return out;
}

double Readings::mean_episode_size() const {
  return statements() > 0 ? static_cast<double>(episodes.entries()) / static_cast<double>(statements()) : 0.0;
}

Cue cue_for(const Memory& memory, narsese::Term term) {
  Cue cue(Vector::Zero(static_cast<Index>(memory.graph().size())), term);
  for (const ConceptId id : memory.known_concepts(term))
    if (memory.graph().activity(id, memory.now()) > 0) cue.names.push_back(id);
  for (const ConceptId id : cue.names) cue.activation[id] = 1.0;
  return cue;
}

}  // namespace engram::core
