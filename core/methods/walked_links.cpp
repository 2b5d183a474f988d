// SPDX-License-Identifier: MIT
#include "core/methods/walked_links.hpp"

namespace engram::core {

std::vector<NamedValue<std::optional<LinkRule>>> walked_link_names() {
  std::vector<NamedValue<std::optional<LinkRule>>> names;
  for (const auto& row : link_rules) names.push_back({row.value, row.name});
  names.push_back({std::nullopt, "learnt"});
  return names;
}

const SparseRows& walked_links(const MemoryIndex& memory, std::optional<LinkRule> rule, SparseRows& weighed) {
  if (rule == LinkRule::hebb) return memory.links();
  if (!rule && !memory.has_learner()) throw NoLearner();
  if (!rule) return memory.learnt();
  return weighed = link_weights(*rule, memory.links(), memory.activity(), memory.total());
}

LinkRows walked_rows(const MemoryIndex& memory, std::optional<LinkRule> rule) {
  if (!rule && !memory.has_learner()) throw NoLearner();
  if (!rule) return rows_of(memory.learnt());
  return [&memory, rule = *rule](Index i) {
    std::vector<SparseVector::Entry> row = memory.links_of(i);
    for (auto& [j, weight] : row)
      weight = link_weight(rule, weight, memory.activity(i), memory.activity(j), memory.total());
    std::erase_if(row, [](const auto& entry) { return entry.second == 0; });
    return row;
  };
}

LinkCounts walked_counts(const MemoryIndex& memory, std::optional<LinkRule> rule) {
  if (rule)
    return [&memory](Index i) { return memory.memory().graph().links_of(static_cast<ConceptId>(i)).size(); };
  if (!memory.has_learner()) throw NoLearner();
  return [&learnt = memory.learnt()](Index i) { return learnt.columns_of(i).size(); };
}

}  // namespace engram::core
