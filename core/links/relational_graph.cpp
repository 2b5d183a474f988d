// SPDX-License-Identifier: MIT
#include "core/links/relational_graph.hpp"

#include <numeric>

#include "core/numbers/shapes.hpp"

namespace engram::core {

RelationalGraph::RelationalGraph(std::uint32_t entities, std::uint32_t relations, std::span<const Fact> facts)
    : relations_(2 * relations), first_(std::size_t{entities} + 1, 0), edges_(2 * facts.size()) {
  for (const Fact& fact : facts) {
    require(fact.head < entities && fact.tail < entities, "an entity must be below their number");
    require(fact.relation < relations, "a relation must be below their number", fact.relation);
    ++first_[fact.head + 1];
    ++first_[fact.tail + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const Fact& fact : facts) {
    edges_[next[fact.head]++] = {fact.relation, fact.tail};
    edges_[next[fact.tail]++] = {fact.relation + relations, fact.head};
  }
}

}  // namespace engram::core
