// SPDX-License-Identifier: MIT
#include "core/budgets/budget_allocator.hpp"

#include <algorithm>

namespace engram::core {
namespace {

double evidence_to_durability(double evidence) { return evidence / (evidence + narsese::evidential_horizon); }

template <class Durability, class Quality>
std::vector<Allocation> allocate(const Vector& scores, std::size_t capacity, Durability durability,
                                 Quality quality) {
  std::vector<Allocation> allocations;
  for (const std::uint32_t id : rank(scores, capacity)) {
    const double best = allocations.empty() ? scores[id] : scores[allocations.front().id];
    allocations.push_back({id, {scores[id] / best, durability(id), quality(id)}});
  }
  return allocations;
}

double quality_of(const Memory& memory, std::uint32_t statement) {
  return truth_to_quality(memory.statements()[statement].sentence.truth_or_default());
}

}  // namespace

std::vector<std::uint32_t> rank(const Vector& scores, std::size_t capacity) {
  std::vector<std::uint32_t> ids;
  for (Index i = 0; i < scores.size(); ++i)
    if (scores[i] > 0) ids.push_back(static_cast<std::uint32_t>(i));
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(capacity, ids.size()));
  std::partial_sort(ids.begin(), ids.begin() + kept, ids.end(), better);
  ids.resize(static_cast<std::size_t>(kept));
  return ids;
}

std::vector<Allocation> allocate_concepts(const Memory& memory, const Readings& readings,
                                          const Recall& recall, std::size_t capacity) {
  Vector worth(readings.statements());
  for (Index e = 0; e < worth.size(); ++e)
    worth[e] = readings.evidence[e] * quality_of(memory, static_cast<std::uint32_t>(e));
  const Vector summed = readings.concept_scores(worth);
  return allocate(
      recall.concepts, capacity,
      [&](std::uint32_t id) { return evidence_to_durability(readings.activity[id]); },
      [&](std::uint32_t id) {
        return readings.activity[id] > 0 ? std::min(summed[id] / readings.activity[id], 1.0) : 0.0;
      });
}

std::vector<Allocation> allocate_statements(const Memory& memory, const Readings& readings,
                                            const Recall& recall, std::size_t capacity) {
  return allocate(
      recall.statements, capacity,
      [&](std::uint32_t id) { return evidence_to_durability(readings.evidence[id]); },
      [&](std::uint32_t id) { return quality_of(memory, id); });
}

}  // namespace engram::core
