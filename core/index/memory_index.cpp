// SPDX-License-Identifier: MIT
#include "core/index/memory_index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/numbers/numeric.hpp"
#include "core/numbers/separation.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

std::size_t bytes_of(const SparseRows& rows) {
  return SparseRows::bytes_for(static_cast<std::size_t>(rows.rows()), rows.entries());
}
std::size_t bytes_of(const Vector& numbers) {
  return static_cast<std::size_t>(numbers.size()) * sizeof(double);
}
std::size_t bytes_of(const std::vector<narsese::Term>& terms) { return core::bytes_of<narsese::Term>(terms); }
std::size_t bytes_of(const RoleKeys& split) {
  return bytes_of(split.keys) + split.kinds.size() * sizeof(StepKind);
}
template <class T>
requires requires(const T& index) { index.bytes(); }
std::size_t bytes_of(const T& index) { return index.bytes(); }
template <class T>
std::size_t bytes_of(const std::shared_ptr<const T>& kept) {
  return bytes_of(*kept);
}

template <class T>
std::size_t known_bytes(const VersionedCache<T>& cache) {
  const T* known = cache.cached();
  return known == nullptr ? 0 : bytes_of(*known);
}

// Updates an index, and reserves the additional bytes.
template <class T, class CatchUp>
void update(std::optional<T>& kept, const CatchUp& catch_up) {
  if (!kept) kept.emplace();
  const std::size_t before = bytes_of(*kept);
  catch_up(*kept);
  Reservation(bytes_of(*kept) - std::min(before, bytes_of(*kept))).keep();
}

// The cached value of this version of the memory, computed if necessary. `most` bytes are reserved for the computation.
template <class T, class Make>
const T& rebuilt(const VersionedCache<std::shared_ptr<const T>>& kept, const Memory& memory, std::size_t most,
                 const Make& make) {
  return *kept.get(memory.version(), [&](std::optional<std::shared_ptr<const T>>& value) {
    value.reset();
    {
      const Reservation claim(most);
      value = std::make_shared<const T>(make());
    }
    Reservation(bytes_of(*value)).keep();
  });
}

// The vector of f(0), f(1), ... f(size - 1).
template <class Function>
const Vector& rebuilt_vector(const VersionedCache<std::shared_ptr<const Vector>>& kept, const Memory& memory,
                             Index size, const Function& f) {
  return rebuilt(kept, memory, 0, [&] {
    const Reservation claim(static_cast<std::uint64_t>(size) * sizeof(double));
    charge(4 * static_cast<std::uint64_t>(size));
    Vector all(size);
    for (Index i = 0; i < size; ++i) all[i] = f(i);
    return all;
  });
}

template <class Function>
const std::vector<narsese::Term>& rebuilt_terms(
    const VersionedCache<std::shared_ptr<const std::vector<narsese::Term>>>& kept, const Memory& memory,
    Index size, const Function& f) {
  return rebuilt(kept, memory, static_cast<std::size_t>(size) * sizeof(narsese::Term), [&] {
    std::vector<narsese::Term> all;
    all.reserve(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) all.push_back(f(i));
    return all;
  });
}

// Divides a vector by its length, unless that is 0.
void make_unit_length(std::vector<double>& values) {
  const double length = std::sqrt(dot(values, values));
  for (double& value : values) value = length > 0 ? value / length : 0.0;
}

}  // namespace

MemoryIndex::MemoryIndex(const Memory& memory) : memory_(&memory), version_(memory.version() - 1) {
  catch_up();
}

void MemoryIndex::catch_up() {
  constexpr std::size_t prefetched = 16;  // statements ahead of the current one; chosen
  if (is_up_to_date()) return;
  const std::size_t concepts = memory_->graph().size(), statements = memory_->statements().size();
  const std::size_t before = mentions_.bytes();
  mentions_.resize(concepts);
  Reservation((concepts - concepts_) * 2 * sizeof(std::uint64_t)).keep();
  concepts_ = concepts;
  for (; statements_ < statements; ++statements_) {
    const auto e = static_cast<StatementId>(statements_);
    const auto active = memory_->statements().active(e);
    if (const std::size_t next = statements_ + prefetched; next < statements)
      for (const ConceptId id : memory_->statements().active(static_cast<StatementId>(next)))
        mentions_.prefetch(id);
    charge(8 * active.size() + 4);
    for (const ConceptId id : active) mentions_.push(id, e);
    const narsese::Term term = memory_->statements().term(e);
    if (term.has_variables() && narsese::is_higher_order(term)) rules_.push_back(e);
  }
  // The size of a copy can fall, because rows that it shared become its own.
  Reservation(mentions_.bytes() - std::min(before, mentions_.bytes())).keep();
  version_ = memory_->version();
}

double MemoryIndex::idf(Index i) const {
  const double held = activity(i);
  if (!(held > 0)) return 0;
  const double ratio = total() / held;  // overflows if the activity has nearly decayed
  return std::isfinite(ratio) ? log(1.0 + ratio) : log(total()) - log(held);
}

double MemoryIndex::link(Index i, Index j) const {
  const auto link = memory_->graph().find_link(static_cast<ConceptId>(i), static_cast<ConceptId>(j));
  return !link ? 0.0 : std::max(0.0, memory_->graph().weight(*link, memory_->now()));
}

std::vector<SparseVector::Entry> MemoryIndex::links_of(Index i) const {
  const auto id = static_cast<ConceptId>(i);
  const ConceptGraph& graph = memory_->graph();
  std::vector<SparseVector::Entry> row;
  for (const std::uint32_t number : graph.links_of(id)) {
    const HebbianLink link = graph.link(number, id);
    const double weight = graph.weight(link, memory_->now());
    if (weight > 0) row.emplace_back(link.source == id ? link.target : link.source, weight);
  }
  std::ranges::sort(row);
  return row;
}

const SparseRows& MemoryIndex::episodes() const {
  return rebuilt(episodes_, *memory_, SparseRows::bytes_for(statements_, mentions_.items()), [&] {
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
  return rebuilt(keys_, *memory_, SparseRows::bytes_for(statements_, mentions_.items()), [&] {
    const Vector& weights = idf();
    SparseRows rows(concepts());
    rows.reserve(statements(), mentions_.items());
    std::vector<double> values;
    for (Index e = 0; e < statements(); ++e) {
      values.clear();
      for (const ConceptId id : episode(e)) values.push_back(weights[id]);
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

double MemoryIndex::similarity(Index e, const SparseVector& state) const {
  const auto columns = episode(e);
  const std::vector<double> values = key(e);
  double total = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) total += values[k] * state[columns[k]];
  return total;
}

const SparseRows& MemoryIndex::links() const {
  const std::size_t most = 2 * memory_->graph().hebbian_links().size();
  return rebuilt(links_, *memory_, SparseRows::bytes_for(concepts_, most), [&] {
    SparseRows rows(concepts());
    rows.reserve(concepts(), most);
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
    for (Index i = 0; i < concepts(); ++i) {
      columns.clear();
      values.clear();
      for (const auto& [column, value] : links_of(i)) {
        columns.push_back(column);
        values.push_back(value);
      }
      rows.push_row(columns, values);
    }
    return rows;
  });
}

const SparseRows& MemoryIndex::learnt() const {
  // The weights, their transpose, and the positive ones among them.
  const std::size_t most =
      has_learner() ? 3 * SparseRows::bytes_for(concepts_, 2 * memory_->learner()->links()) : 0;
  return rebuilt(learnt_, *memory_, most, [&] {
    return has_learner() ? walk_weights(memory_->learner()->weights(concepts())) : SparseRows();
  });
}

const SparseRows& MemoryIndex::mentions() const {
  const SparseRows& rows = episodes();
  return rebuilt(mentions_as_rows_, *memory_, SparseRows::bytes_for(concepts_, rows.entries()),
                 [&] { return rows.transposed(); });
}

const Vector& MemoryIndex::evidence() const {
  return rebuilt_vector(evidence_, *memory_, statements(), [&](Index e) { return evidence(e); });
}
const Vector& MemoryIndex::expectation() const {
  return rebuilt_vector(expectation_, *memory_, statements(), [&](Index e) { return expectation(e); });
}
const Vector& MemoryIndex::last_updated() const {
  return rebuilt_vector(last_updated_, *memory_, statements(), [&](Index e) { return last_updated(e); });
}
const Vector& MemoryIndex::activity() const {
  return rebuilt_vector(activity_, *memory_, concepts(), [&](Index i) { return activity(i); });
}
const Vector& MemoryIndex::idf() const {
  return rebuilt_vector(idf_, *memory_, concepts(), [&](Index i) { return idf(i); });
}
const std::vector<narsese::Term>& MemoryIndex::terms() const {
  return rebuilt_terms(terms_, *memory_, concepts(), [&](Index i) { return term(i); });
}
const std::vector<narsese::Term>& MemoryIndex::statement_terms() const {
  return rebuilt_terms(statement_terms_, *memory_, statements(), [&](Index e) { return statement_term(e); });
}

const EmbeddingCache& MemoryIndex::embeddings() const {
  return embeddings_.get(memory_->version(),
                         [&](std::optional<EmbeddingCache>& cache) { cache.emplace(most_embedded_); });
}

const Occurrences& MemoryIndex::occurrences() const {
  return occurrences_.get(memory_->version(), [&](std::optional<Occurrences>& kept) {
    update(kept, [&](Occurrences& all) { all.catch_up(*memory_, rules_); });
  });
}

const HopIndex& MemoryIndex::hops() const {
  return hops_.get(memory_->version(), [&](std::optional<HopIndex>& kept) {
    update(kept, [&](HopIndex& all) { all.catch_up(*memory_); });
  });
}

const ProofRules& MemoryIndex::proof_rules() const {
  return proof_rules_.get(memory_->version(), [&](std::optional<ProofRules>& kept) {
    update(kept, [&](ProofRules& all) { all.catch_up(*memory_, rules_); });
  });
}

const RoleKeys& MemoryIndex::role_keys() const {
  const SparseRows& rows = keys();
  const std::size_t most =
      SparseRows::bytes_for(statements_, 2 * rows.entries()) + statements_ * sizeof(StepKind);
  return rebuilt(role_keys_, *memory_, most, [&] { return split_by_role(rows, terms(), statement_terms()); });
}

double MemoryIndex::separation() const {
  return separation_.get(memory_->version(), [&](std::optional<double>& value) {
    value = median_separation(keys(), mentions());
  });
}

std::size_t MemoryIndex::kept_bytes() const {
  return mentions_.bytes() + core::bytes_of(rules_) + known_bytes(hops_) + known_bytes(proof_rules_) +
         known_bytes(occurrences_) + known_bytes(role_keys_) + known_bytes(episodes_) + known_bytes(keys_) +
         known_bytes(links_) + known_bytes(learnt_) + known_bytes(mentions_as_rows_) +
         known_bytes(evidence_) + known_bytes(expectation_) + known_bytes(last_updated_) +
         known_bytes(activity_) + known_bytes(idf_) + known_bytes(terms_) + known_bytes(statement_terms_) +
         known_bytes(embeddings_);
}

std::size_t MemoryIndex::recall_bytes() const {
  const std::size_t learnt_links = has_learner() ? memory_->learner()->links() : 0;
  constexpr std::size_t vectors = 8;  // chosen: a few of each shape
  return std::max(SparseRows::bytes_for(concepts_,
                                        2 * std::max(memory_->graph().hebbian_links().size(), learnt_links)),
                  SparseRows::bytes_for(statements_, mentions_.items())) +
         vectors * sizeof(double) * (concepts_ + statements_);
}

SparseVector MemoryIndex::query(const SparseVector& activation) const {
  require_size("activation", activation.size(), concepts());
  std::vector<SparseVector::Entry> weighted;
  SumInOrder square;
  activation.each([&](std::uint32_t i, double x) {
    const double value = idf(i) * x;
    weighted.emplace_back(i, value);
    square.add(i, value * value);
  });
  const double length = std::sqrt(square.total());
  if (length > 0)
    for (auto& [i, value] : weighted) value /= length;
  return {concepts(), std::move(weighted)};
}

SparseVector MemoryIndex::statement_scores(const SparseVector& activation) const {
  constexpr std::size_t key_cost = 8;  // chosen: computing a key costs this many reads of a cached one
  const SparseVector q = query(activation);
  std::size_t mentioned = 0;
  q.each([&](std::uint32_t i, double) { mentioned += mentions(i).size(); });
  if (key_cost * mentioned > statements_) {
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
  for (const StatementId e : near) scores.emplace_back(e, std::max(similarity(e, q), 0.0));
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

std::vector<ConceptId> MemoryIndex::active_concepts() const {
  std::vector<ConceptId> ids;
  for (Index i = 0; i < concepts(); ++i)
    if (activity(i) > 0) ids.push_back(static_cast<ConceptId>(i));
  return ids;
}

Vector MemoryIndex::over_active_concepts(const Vector& over_concepts) const {
  const auto ids = active_concepts();
  Vector out(static_cast<Index>(ids.size()));
  for (std::size_t k = 0; k < ids.size(); ++k) out[static_cast<Index>(k)] = over_concepts[ids[k]];
  return out;
}

double MemoryIndex::mean_episode_size() const {
  return statements() > 0 ? static_cast<double>(mentions_.items()) / static_cast<double>(statements()) : 0.0;
}

NearestStatements::NearestStatements(const MemoryIndex& memory, const SparseVector& state)
    : memory_(&memory), state_(state) {
  require_size("state", state.size(), memory.concepts());
  state.each([&](ConceptId id, double x) {
    require(x >= 0, "a state must not be negative", x);
    if (const std::size_t mentions = memory.mentions(id).size(); mentions > 0)
      parts_.push_back({id, x, mentions});
  });
  charge(32 * parts_.size());
  const auto worth = [](const Part& part) {
    return part.weight * part.weight / static_cast<double>(part.mentions);
  };
  std::ranges::sort(parts_, [&](const Part& a, const Part& b) {
    const double of_a = worth(a), of_b = worth(b);
    return of_a != of_b ? of_a > of_b : a.id < b.id;
  });
  lengths_.assign(parts_.size() + 1, 0.0);
  left_.assign(parts_.size() + 1, 0);
  double square = 0;
  for (std::size_t k = parts_.size(); k-- > 0;) {
    square += parts_[k].weight * parts_[k].weight;
    lengths_[k] = std::sqrt(square);
    left_[k] = left_[k + 1] + parts_[k].mentions;
  }
}

bool NearestStatements::score_next() {
  if (read_ == parts_.size()) return false;
  for (const StatementId e : memory_->mentions(parts_[read_].id)) {
    if (!ids_.insert(e).second) continue;
    charge(32 * memory_->episode(e).size());
    scored_.emplace_back(e, memory_->similarity(e, state_));
  }
  ++read_;
  return true;
}

double NearestStatements::upper_bound() const {
  constexpr double rounding = 1 + 1e-9;  // far above the rounding errors of keys, lengths and similarities
  return lengths_[read_] * rounding;
}

std::uint64_t NearestStatements::most_unscored() const {
  return std::min(left_[read_], static_cast<std::uint64_t>(memory_->statements()) - scored_.size());
}

double NearestStatements::nth_best(std::size_t n) const {
  if (n == 0 || scored_.size() < n) return 0;
  charge(4 * scored_.size());
  std::vector<double> scores;
  scores.reserve(scored_.size());
  for (const auto& [e, score] : scored_) scores.push_back(score);
  const auto nth = scores.begin() + static_cast<std::ptrdiff_t>(n - 1);
  std::nth_element(scores.begin(), nth, scores.end(), std::greater<>());
  return *nth;
}

bool Cue::is_empty() const {
  bool is_empty = true;
  activation.each([&](std::uint32_t, double) { is_empty = false; });
  return is_empty;
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
  return Cue(SparseVector(static_cast<Index>(memory.graph().size()), std::move(names)), term);
}

}  // namespace engram::core
