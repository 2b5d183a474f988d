// SPDX-License-Identifier: MIT
#include "core/methods/walked_links.hpp"

namespace engram::core {

std::vector<NamedValue<std::optional<LinkRule>>> walked_link_names() {
  std::vector<NamedValue<std::optional<LinkRule>>> names;
  for (const auto& row : link_rules) names.push_back({row.value, row.name});
  names.push_back({std::nullopt, "learnt"});
  return names;
}

const SparseRows& walked_links(const Readings& memory, std::optional<LinkRule> rule, SparseRows& weighed) {
  if (rule == LinkRule::hebb) return memory.links;
  if (!rule && !memory.has_learner) throw NoLearner();
  if (!rule) return memory.learnt;
  return weighed = link_weights(*rule, memory.links, memory.activity, memory.total);
}

}  // namespace engram::core
