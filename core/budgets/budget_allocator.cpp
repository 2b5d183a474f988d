// SPDX-License-Identifier: MIT
#include "core/budgets/budget_allocator.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

double evidence_to_durability(double evidence) { return evidence / (evidence + narsese::evidential_horizon); }

const Vector& evidence_of(const MemoryIndex& index, AllocationOf of) {
  return of == AllocationOf::concepts ? index.activity() : index.evidence();
}
double evidence_of(const MemoryIndex& index, AllocationOf of, std::uint32_t id) {
  return of == AllocationOf::concepts ? index.activity(id) : index.evidence(id);
}

SparseVector normalised(const SparseVector& p) {
  const double total = sum(p);
  return total > 0 ? p / total : SparseVector::zero(p.size());
}

SparseVector not_below_zero(const SparseVector& scores) {
  std::vector<SparseVector::Entry> entries;
  scores.each([&](std::uint32_t id, double x) {
    if (x > 0) entries.emplace_back(id, x);
  });
  return {scores.size(), std::move(entries)};
}

// --- quality

double truth_of(const Memory& memory, std::uint32_t statement) {
  return truth_to_quality(memory.statements().truth_or_default(statement));
}

// Accumulates a weighted mean, which is unknown until it has weight.
class RunningMean {
 public:
  void add(double value, double weight) {
    sum_ += value * weight;
    weight_ += weight;
  }
  std::optional<double> value() const {
    return weight_ > 0 ? std::optional(std::min(sum_ / weight_, 1.0)) : std::nullopt;
  }

 private:
  double sum_ = 0, weight_ = 0;
};

// Adds the confidence of the link between i and j, weighted by its positive evidence `together`. The link's
// evidence is that of every episode of i or j. A denial of both counts as an episode of each alone.
void add_link(const MemoryIndex& index, Index i, std::uint32_t j, double together, RunningMean& confidence) {
  const double either = std::max(index.activity(i) + index.activity(j) - together, together);
  confidence.add(std::min(evidence_to_durability(either), narsese::greatest_confidence), together);
}

std::optional<double> links_of_concept(const MemoryIndex& index, std::uint32_t id) {
  RunningMean confidence;
  const auto links = index.links_of(id);
  charge(16 * links.size());
  for (const auto& [other, together] : links) add_link(index, id, other, together, confidence);
  return confidence.value();
}

std::optional<double> links_of_statement(const MemoryIndex& index, std::uint32_t id) {
  RunningMean confidence;
  const auto active = index.episode(id);
  charge(32 * active.size() * active.size());
  for (std::size_t a = 0; a < active.size(); ++a)
    for (std::size_t b = a + 1; b < active.size(); ++b)
      if (const double together = index.link(active[a], active[b]); together > 0)
        add_link(index, active[a], active[b], together, confidence);
  return confidence.value();
}

std::optional<double> basin_of_concept(const Recall& recall, std::uint32_t id) {
  return recall.depths.size() > 0 ? std::optional(recall.depths[id]) : std::nullopt;
}

std::optional<double> basin_of_statement(const MemoryIndex& index, const Recall& recall, std::uint32_t id) {
  RunningMean depth;
  if (recall.depths.size() > 0)
    for (const ConceptId c : index.episode(id)) depth.add(recall.depths[c], 1);
  return depth.value();
}

double mean_of_known(double truth, std::optional<double> links, std::optional<double> basin) {
  RunningMean mean;
  mean.add(truth, 1);
  if (links) mean.add(*links, 1);
  if (basin) mean.add(*basin, 1);
  return *mean.value();
}

// --- shares

// The items that share a budget with a prior: all that have evidence or activation.
std::vector<Index> candidates(const Vector& evidence, const Vector& scores) {
  std::vector<Index> ids;
  for (Index i = 0; i < scores.size(); ++i)
    if (evidence[i] > 0 || scores[i] > 0) ids.push_back(i);
  return ids;
}

Vector at(const std::vector<Index>& ids, const Vector& all) {
  Vector some(static_cast<Index>(ids.size()));
  for (std::size_t k = 0; k < ids.size(); ++k)
    some[static_cast<Index>(k)] = ids[k] < all.size() ? all[ids[k]] : 0.0;
  return some;
}

Vector spread_out(const std::vector<Index>& ids, const Vector& some, Index size) {
  Vector all = Vector::Zero(size);
  for (std::size_t k = 0; k < ids.size(); ++k) all[ids[k]] = some[static_cast<Index>(k)];
  return all;
}

Vector durability_of(const std::vector<Index>& ids, const Vector& evidence,
                     const std::optional<double>& of_all) {
  Vector durability = at(ids, evidence);
  for (double& d : durability) d = of_all ? *of_all : evidence_to_durability(d);
  return durability;
}

Vector with_prior(const Vector& scores, const Vector& evidence, const Vector& previous,
                  const AllocationOptions& options, TransferLog* log) {
  const std::vector<Index> ids = candidates(evidence, scores);
  const double best = scores.size() > 0 ? max(scores) : 0.0;
  const Vector before = at(ids, previous);
  if (!(best > 0) && !(sum(before) > 0)) return Vector::Zero(scores.size());
  const Vector faded = faded_budget(before, durability_of(ids, evidence, options.durability), options.fresh);
  Vector relevance = at(ids, scores);
  for (double& s : relevance) s = s > 0 ? s / best : 0.0;
  Vector p = spread_out(ids, updated_budget(faded, relevance, options.update), scores.size());
  if (log != nullptr) {
    const bool had = sum(before) > 0;
    const Vector start = spread_out(ids, normalised(before), scores.size());
    const Vector shares = spread_out(ids, faded, scores.size());
    log->add_changes(start, shares, had ? TransferReason::decay : TransferReason::first);
    log->add_changes(shares, p, TransferReason::similarity);
  }
  return p;
}

// Whether every term that the memory can activate holds budget, so that no term needs a look.
bool lets_all_hold(const TermPolicy& policy, const ActivationPolicy& memory) {
  const auto holds = [&](TermClass of) { return policy[of] == Role::holds; };
  return holds(TermClass::atom) && holds(TermClass::op) && (!memory.self || holds(TermClass::self)) &&
         (!memory.compounds || holds(TermClass::compound)) &&
         (!memory.statements || holds(TermClass::statement));
}

SparseVector by_policy(const MemoryIndex& index, const TermPolicy& policy, const SparseVector& p,
                       TransferLog* log) {
  if (lets_all_hold(policy, index.memory().options().activation)) return p;
  std::vector<Role> roles(static_cast<std::size_t>(p.size()), Role::ignored);
  bool all_hold = true;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (!(index.activity(static_cast<Index>(i)) > 0)) continue;
    roles[i] = policy[class_of(index.term(static_cast<Index>(i)))];
    all_hold = all_hold && roles[i] == Role::holds;
  }
  if (all_hold) return p;
  return conduct_to_holders(normalised(p), roles, index.links(), log);
}

}  // namespace

SparseVector allot(const MemoryIndex& index, const Recall& recall, const SparseVector& previous,
                   const AllocationOptions& options, TransferLog* log) {
  const bool of_concepts = options.of == AllocationOf::concepts;
  const SparseVector& scores = of_concepts ? recall.concepts : recall.statements;
  require_size("the recalled scores", scores.size(), of_concepts ? index.concepts() : index.statements());
  SparseVector p = not_below_zero(scores);
  if (options.prior)
    p = with_prior(scores, evidence_of(index, options.of), previous, options, log);
  else if (log != nullptr)
    log->add_changes(Vector::Zero(p.size()), normalised(p), TransferReason::similarity);
  if (of_concepts) p = by_policy(index, options.policy, p, log);
  SparseVector kept = cut_to_capacity(p, options.cut);
  if (log != nullptr) log->add_changes(normalised(p), normalised(kept), TransferReason::capacity);
  return kept;
}

std::vector<Allocation> allocations(const Memory& memory, const MemoryIndex& index, const Recall& recall,
                                    AllocationOf of, const SparseVector& allotted) {
  const bool of_concepts = of == AllocationOf::concepts;
  const auto summed = [&](std::uint32_t id) {  // quality of its statements, weighted by evidence
    double sum = 0;
    charge(8 * index.mentions(id).size());
    for (const StatementId e : index.mentions(id)) sum += index.evidence(e) * truth_of(memory, e);
    return sum;
  };
  const auto quality = [&](std::uint32_t id) {
    if (!of_concepts)
      return mean_of_known(truth_of(memory, id), links_of_statement(index, id),
                           basin_of_statement(index, recall, id));
    const double activity = index.activity(id);
    return mean_of_known(activity > 0 ? std::min(summed(id) / activity, 1.0) : 0.0,
                         links_of_concept(index, id), basin_of_concept(recall, id));
  };
  std::vector<Allocation> all;
  for (const std::uint32_t id : rank(allotted, static_cast<std::size_t>(allotted.size()))) {
    const double best = all.empty() ? allotted[id] : allotted[all.front().id];
    all.push_back(
        {id, {allotted[id] / best, evidence_to_durability(evidence_of(index, of, id)), quality(id)}});
  }
  return all;
}

namespace {

std::vector<Allocation> best_of(const Memory& memory, const MemoryIndex& index, const Recall& recall,
                                AllocationOf of, std::size_t capacity) {
  const SparseVector& scores = of == AllocationOf::concepts ? recall.concepts : recall.statements;
  return allocations(memory, index, recall, of, cut_to_capacity(scores, {.capacity = capacity}));
}

}  // namespace

std::vector<Allocation> allocate_concepts(const Memory& memory, const MemoryIndex& index,
                                          const Recall& recall, std::size_t capacity) {
  return best_of(memory, index, recall, AllocationOf::concepts, capacity);
}

std::vector<Allocation> allocate_statements(const Memory& memory, const MemoryIndex& index,
                                            const Recall& recall, std::size_t capacity) {
  return best_of(memory, index, recall, AllocationOf::statements, capacity);
}

}  // namespace engram::core
