// SPDX-License-Identifier: MIT
#include "core/retrieval/memory_index.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/numbers/numeric.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

// The concepts with a weight above 0 to one, ascending, and the weights.
void add_links_of(const Memory& memory, ConceptId id, std::vector<SparseVector::Entry>& row) {
  const ConceptGraph& graph = memory.graph();
  for (const std::uint32_t number : graph.links_of(id)) {
    const HebbianLink link = graph.link(number, id);
    const double weight = graph.weight(link, memory.now());
    if (weight > 0) row.emplace_back(link.source == id ? link.target : link.source, weight);
  }
  std::sort(row.begin(), row.end());
}

SparseRows links_in(const Memory& memory) {
  const ConceptGraph& graph = memory.graph();
  SparseRows links(static_cast<Index>(graph.size()));
  links.reserve(static_cast<Index>(graph.size()), 2 * graph.hebbian_links().size());
  std::vector<SparseVector::Entry> row;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (ConceptId id = 0; id < graph.size(); ++id) {
    row.clear();
    add_links_of(memory, id, row);
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

std::size_t bytes_of(const SparseRows& rows) {
  return SparseRows::bytes_for(static_cast<std::size_t>(rows.rows()), rows.entries());
}
std::size_t bytes_of(const Vector& numbers) {
  return static_cast<std::size_t>(numbers.size()) * sizeof(double);
}
std::size_t bytes_of(const std::vector<narsese::Term>& terms) { return core::bytes_of<narsese::Term>(terms); }
std::size_t bytes_of(const PlacedKeys& placed) {
  return bytes_of(placed.keys) + placed.kinds.size() * sizeof(StepKind);
}
std::size_t bytes_of(const HopIndex& hops) { return hops.bytes(); }
std::size_t bytes_of(const ProofRules& rules) { return rules.bytes(); }
std::size_t bytes_of(const Occurrences& occurrences) { return occurrences.bytes(); }
std::size_t bytes_of(const EmbeddingCache& embeddings) { return embeddings.bytes(); }
template <class T>
std::size_t bytes_of(const std::shared_ptr<const T>& kept) {
  return bytes_of(*kept);
}

template <class T>
std::size_t known_bytes(const VersionedCache<T>& kept) {
  const T* known = kept.known();
  return known == nullptr ? 0 : bytes_of(*known);
}

// What follows the memory; what it grows by is claimed.
template <class T, class CatchUp>
void bring_up(std::optional<T>& kept, const CatchUp& catch_up) {
  if (!kept) kept.emplace();
  const std::size_t before = bytes_of(*kept);
  catch_up(*kept);
  Reservation(bytes_of(*kept) - std::min(before, bytes_of(*kept))).keep();
}

constexpr std::size_t mentions_ahead = 16;  // statements whose concepts' rows are asked for before; chosen

// What is made anew for each version of a memory; `most` bytes are claimed while it is made.
template <class T, class Make>
const T& made_anew(const VersionedCache<std::shared_ptr<const T>>& kept, const Memory& memory,
                   std::size_t most, const Make& make) {
  return *kept.get(memory.version(), [&](std::optional<std::shared_ptr<const T>>& value) {
    value.reset();
    {
      const Reservation claim(most);
      value = std::make_shared<const T>(make());
    }
    Reservation(bytes_of(*value)).keep();
  });
}

}  // namespace

// What has all but decayed may leave no quotient that is a number.
double idf_of(double activity, double total) {
  if (!(activity > 0)) return 0;
  const double ratio = total / activity;
  return std::isfinite(ratio) ? log(1.0 + ratio) : log(total) - log(activity);
}

void make_unit_length(std::vector<double>& values) {
  const double length = std::sqrt(dot(values, values));
  for (double& value : values) value = length > 0 ? value / length : 0.0;
}

MemoryIndex::MemoryIndex(const Memory& memory) : memory_(&memory), version_(memory.version() - 1) {
  catch_up();
}

void MemoryIndex::catch_up() {
  if (is_up_to_date()) return;
  const std::size_t concepts = memory_->graph().size(), statements = memory_->statements().size();
  const std::size_t before = mentions_.bytes();
  mentions_.resize(concepts);
  Reservation((concepts - concepts_) * 2 * sizeof(std::uint64_t)).keep();
  concepts_ = concepts;
  for (; statements_ < statements; ++statements_) {
    const auto e = static_cast<StatementId>(statements_);
    const auto active = memory_->statements().active(e);
    if (const std::size_t next = statements_ + mentions_ahead; next < statements)
      for (const ConceptId id : memory_->statements().active(static_cast<StatementId>(next)))
        mentions_.prefetch(id);
    charge(8 * active.size() + 4);
    for (const ConceptId id : active) mentions_.push(id, e);
    const narsese::Term term = memory_->statements().term(e);
    if (term.has_variables() && narsese::is_higher_order(term)) rules_.push_back(e);
  }
  // Of a copy, whose rows are now its own, it may be less than before.
  Reservation(mentions_.bytes() - std::min(before, mentions_.bytes())).keep();
  version_ = memory_->version();
}

double MemoryIndex::idf(Index i) const { return idf_of(activity(i), total()); }

double MemoryIndex::link(Index i, Index j) const {
  const auto link = memory_->graph().find_link(static_cast<ConceptId>(i), static_cast<ConceptId>(j));
  return !link ? 0.0 : std::max(0.0, memory_->graph().weight(*link, memory_->now()));
}

std::vector<SparseVector::Entry> MemoryIndex::links_of(Index i) const {
  std::vector<SparseVector::Entry> row;
  add_links_of(*memory_, static_cast<ConceptId>(i), row);
  return row;
}

const SparseRows& MemoryIndex::episodes() const {
  return made_anew(episodes_, *memory_, SparseRows::bytes_for(statements_, mentions_.items()), [&] {
    SparseRows rows(concepts());
    rows.reserve(statements(), mentions_.items());
    std::vector<double> values;
    for (Index e = 0; e < statements(); ++e) {
      values.assign(episode(e).size(), 1.0);
      rows.push_row(episode(e), values);
    }
    return rows;
  });
}

const SparseRows& MemoryIndex::keys() const {
  return made_anew(keys_, *memory_, SparseRows::bytes_for(statements_, mentions_.items()), [&] {
    const Vector& rare = idf();
    SparseRows rows(concepts());
    rows.reserve(statements(), mentions_.items());
    std::vector<double> values;
    for (Index e = 0; e < statements(); ++e) {
      values.clear();
      for (const ConceptId id : episode(e)) values.push_back(rare[id]);
      make_unit_length(values);
      rows.push_row(episode(e), values);
    }
    return rows;
  });
}

std::vector<double> MemoryIndex::key(Index e) const {
  std::vector<double> values;
  for (const ConceptId id : episode(e)) values.push_back(idf(id));
  make_unit_length(values);
  return values;
}

const SparseRows& MemoryIndex::links() const {
  const std::size_t most = SparseRows::bytes_for(concepts_, 2 * memory_->graph().hebbian_links().size());
  return made_anew(links_, *memory_, most, [&] { return links_in(*memory_); });
}

const SparseRows& MemoryIndex::learnt() const {
  // Turned round, without those below 0.
  const std::size_t most =
      has_learner() ? 3 * SparseRows::bytes_for(concepts_, 2 * memory_->learner()->links()) : 0;
  return made_anew(learnt_, *memory_, most, [&] {
    return has_learner() ? walkable(memory_->learner()->weights(concepts())) : SparseRows();
  });
}

const SparseRows& MemoryIndex::mentions() const {
  const SparseRows& rows = episodes();
  return made_anew(mentions_as_rows_, *memory_, SparseRows::bytes_for(concepts_, rows.entries()),
                   [&] { return rows.transposed(); });
}

namespace {

// f(0), f(1), ... f(size - 1).
template <class Function>
const Vector& made_vector(const VersionedCache<std::shared_ptr<const Vector>>& kept, const Memory& memory,
                          Index size, const Function& f) {
  return made_anew(kept, memory, 0, [&] {
    const Reservation claim(static_cast<std::uint64_t>(size) * sizeof(double));
    charge(4 * static_cast<std::uint64_t>(size));
    Vector all(size);
    for (Index i = 0; i < size; ++i) all[i] = f(i);
    return all;
  });
}

template <class Function>
const std::vector<narsese::Term>& made_terms(
    const VersionedCache<std::shared_ptr<const std::vector<narsese::Term>>>& kept, const Memory& memory,
    Index size, const Function& f) {
  return made_anew(kept, memory, static_cast<std::size_t>(size) * sizeof(narsese::Term), [&] {
    std::vector<narsese::Term> all;
    all.reserve(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) all.push_back(f(i));
    return all;
  });
}

}  // namespace

const Vector& MemoryIndex::evidence() const {
  return made_vector(evidence_, *memory_, statements(), [&](Index e) { return evidence(e); });
}
const Vector& MemoryIndex::expectation() const {
  return made_vector(expectation_, *memory_, statements(), [&](Index e) { return expectation(e); });
}
const Vector& MemoryIndex::last_said() const {
  return made_vector(last_said_, *memory_, statements(), [&](Index e) { return last_said(e); });
}
const Vector& MemoryIndex::activity() const {
  return made_vector(activity_, *memory_, concepts(), [&](Index i) { return activity(i); });
}
const Vector& MemoryIndex::idf() const {
  return made_vector(idf_, *memory_, concepts(), [&](Index i) { return idf(i); });
}
const std::vector<narsese::Term>& MemoryIndex::terms() const {
  return made_terms(terms_, *memory_, concepts(), [&](Index i) { return term(i); });
}
const std::vector<narsese::Term>& MemoryIndex::statement_terms() const {
  return made_terms(statement_terms_, *memory_, statements(), [&](Index e) { return statement_term(e); });
}

const EmbeddingCache& MemoryIndex::embeddings() const {
  return embeddings_.get(memory_->version(),
                         [&](std::optional<EmbeddingCache>& cache) { cache.emplace(most_embedded_); });
}

const Occurrences& MemoryIndex::occurrences() const {
  return occurrences_.get(memory_->version(), [&](std::optional<Occurrences>& kept) {
    bring_up(kept, [&](Occurrences& all) { all.catch_up(*memory_, rules_); });
  });
}

const HopIndex& MemoryIndex::hops() const {
  return hops_.get(memory_->version(), [&](std::optional<HopIndex>& kept) {
    bring_up(kept, [&](HopIndex& all) { all.catch_up(*memory_); });
  });
}

const ProofRules& MemoryIndex::proof_rules() const {
  return proof_rules_.get(memory_->version(), [&](std::optional<ProofRules>& kept) {
    bring_up(kept, [&](ProofRules& all) { all.catch_up(*memory_, rules_); });
  });
}

const PlacedKeys& MemoryIndex::placed() const {
  const SparseRows& rows = keys();
  const std::size_t most =
      SparseRows::bytes_for(statements_, 2 * rows.entries()) + statements_ * sizeof(StepKind);
  return made_anew(placed_, *memory_, most, [&] { return placed_keys(rows, terms(), statement_terms()); });
}

double MemoryIndex::separation() const {
  return separation_.get(memory_->version(), [&](std::optional<double>& value) {
    value = median_separation(keys(), mentions());
  });
}

std::size_t MemoryIndex::kept_bytes() const {
  return mentions_.bytes() + core::bytes_of(rules_) + known_bytes(hops_) + known_bytes(proof_rules_) +
         known_bytes(occurrences_) + known_bytes(placed_) + known_bytes(episodes_) + known_bytes(keys_) +
         known_bytes(links_) + known_bytes(learnt_) + known_bytes(mentions_as_rows_) +
         known_bytes(evidence_) + known_bytes(expectation_) + known_bytes(last_said_) +
         known_bytes(activity_) + known_bytes(idf_) + known_bytes(terms_) + known_bytes(statement_terms_) +
         known_bytes(embeddings_);
}

std::size_t MemoryIndex::recall_bytes() const {
  const std::size_t learnt_links = has_learner() ? memory_->learner()->links() : 0;
  constexpr std::size_t vectors = 8;  // chosen: a few of each shape at a time
  return std::max(SparseRows::bytes_for(concepts_,
                                        2 * std::max(memory_->graph().hebbian_links().size(), learnt_links)),
                  SparseRows::bytes_for(statements_, mentions_.items())) +
         vectors * sizeof(double) * (concepts_ + statements_);
}

SparseVector MemoryIndex::query(const SparseVector& activation) const {
  require_size("activation", activation.size(), concepts());
  std::vector<SparseVector::Entry> asked;
  SumInOrder square;
  activation.each([&](std::uint32_t i, double x) {
    const double weighed = idf(i) * x;
    asked.emplace_back(i, weighed);
    square.add(i, weighed * weighed);
  });
  const double length = std::sqrt(square.total());
  if (length > 0)
    for (auto& [i, x] : asked) x /= length;
  return {concepts(), std::move(asked)};
}

SparseVector MemoryIndex::statement_scores(const SparseVector& activation) const {
  constexpr std::size_t dear = 8;  // chosen: a key that is made for one look, in looks at one that is there
  const SparseVector q = query(activation);
  std::size_t mentioned = 0;
  q.each([&](std::uint32_t i, double) { mentioned += mentions(i).size(); });
  if (dear * mentioned > statements_) {
    Vector scores = keys().multiply(q);
    for (double& s : scores) s = std::max(s, 0.0);
    return scores;
  }
  charge(64 * mentioned);
  std::vector<StatementId> near;
  q.each([&](std::uint32_t i, double) { near.insert(near.end(), mentions(i).begin(), mentions(i).end()); });
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<SparseVector::Entry> scores;
  for (const StatementId e : near) {
    const auto columns = episode(e);
    const std::vector<double> weights = key(e);
    double total = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) total += weights[k] * q[columns[k]];
    scores.emplace_back(e, std::max(total, 0.0));
  }
  return {statements(), std::move(scores)};
}

SparseVector MemoryIndex::concept_scores(const SparseVector& weights) const {
  require_size("weights of statements", weights.size(), statements());
  if (weights.held() > statements_ / 8) return Vector(episodes().multiply_transposed(weights));
  std::map<ConceptId, double> scores;
  weights.each([&](std::uint32_t e, double y) {
    charge(16 * episode(e).size());
    for (const ConceptId id : episode(e)) scores[id] += 1.0 * y;
  });
  return {concepts(), {scores.begin(), scores.end()}};
}

std::vector<ConceptId> MemoryIndex::holders() const {
  std::vector<ConceptId> ids;
  for (Index i = 0; i < concepts(); ++i)
    if (activity(i) > 0) ids.push_back(static_cast<ConceptId>(i));
  return ids;
}

Vector MemoryIndex::of_holders(const Vector& over_concepts) const {
  const auto ids = holders();
  Vector out(static_cast<Index>(ids.size()));
  for (std::size_t k = 0; k < ids.size(); ++k) out[static_cast<Index>(k)] = over_concepts[ids[k]];
  return out;
}

double MemoryIndex::mean_episode_size() const {
  return statements() > 0 ? static_cast<double>(mentions_.items()) / static_cast<double>(statements()) : 0.0;
}

std::vector<ConceptId> Cue::names() const {
  std::vector<ConceptId> names;
  activation.each([&](ConceptId id, double x) {
    if (x > 0) names.push_back(id);
  });
  return names;
}

Cue cue_for(const Memory& memory, narsese::Term term) {
  std::vector<SparseVector::Entry> names;
  for (const ConceptId id : memory.known_concepts(term))
    if (memory.graph().activity(id, memory.now()) > 0) names.emplace_back(id, 1.0);
  return {SparseVector(static_cast<Index>(memory.graph().size()), std::move(names)), term};
}

}  // namespace engram::core
