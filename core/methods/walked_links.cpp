// SPDX-License-Identifier: MIT
#include "core/methods/walked_links.hpp"

namespace engram::core {

std::vector<std::pair<std::string, std::optional<LinkRule>>> walked_link_names() {
  std::vector<std::pair<std::string, std::optional<LinkRule>>> names;
  for (const LinkRuleFacts& facts : link_rules) names.emplace_back(facts.name, facts.rule);
  names.emplace_back("learnt", std::nullopt);
  return names;
}

const SparseRows& walked_links(const Readings& memory, std::optional<LinkRule> rule, SparseRows& weighed) {
  if (rule == LinkRule::hebb) return memory.links;
  if (!rule && !memory.has_learner) throw NoLearner();
  if (!rule) return memory.learnt;
  return weighed = link_weights(*rule, memory.links, memory.activity, memory.total);
}

}  // namespace engram::core
