// SPDX-License-Identifier: MIT
#include "experiments/imports/cycles.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <unordered_map>
#include <unordered_set>

namespace engram::experiments {
namespace {

// Claims by subject, within groups that contain a cycle.
using ClaimsOf = std::unordered_map<NameId, std::vector<std::size_t>>;

// Shortest cycle that begins with claim `first`, by breadth-first search.
std::vector<std::size_t> way_round(const std::vector<Claim>& claims, const ClaimsOf& claims_of,
                                   std::size_t first) {
  const NameId start = claims[first].subject;
  std::unordered_map<NameId, std::size_t> reached_by{{claims[first].object, first}};
  std::vector<NameId> waiting{claims[first].object};
  for (std::size_t next = 0; next < waiting.size() && !reached_by.contains(start); ++next)
    if (const auto of = claims_of.find(waiting[next]); of != claims_of.end())
      for (const std::size_t claim : of->second)
        if (reached_by.try_emplace(claims[claim].object, claim).second)
          waiting.push_back(claims[claim].object);
  std::vector<std::size_t> way;
  for (NameId name = start; way.empty() || way.back() != first; name = claims[way.back()].subject)
    way.push_back(reached_by.at(name));
  std::ranges::reverse(way);
  return way;
}

}  // namespace

std::vector<std::vector<std::size_t>> inheritance_cycles(const Knowledge& knowledge) {
  const std::vector<Claim>& claims = knowledge.claims();
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(knowledge.names().size());
  const auto counts = [&](const Claim& claim) {
    return claim.kind == ClaimKind::inheritance && claim.subject != claim.object;
  };
  for (const Claim& claim : claims)
    if (counts(claim)) add_edge(claim.subject, claim.object, graph);
  std::vector<std::size_t> group(knowledge.names().size());
  boost::strong_components(graph,
                           boost::make_iterator_property_map(group.begin(), get(boost::vertex_index, graph)));

  ClaimsOf claims_of;
  std::vector<std::size_t> firsts;
  std::unordered_set<std::size_t> seen;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (!counts(claims[i]) || group[claims[i].subject] != group[claims[i].object]) continue;
    claims_of[claims[i].subject].push_back(i);
    if (seen.insert(group[claims[i].subject]).second) firsts.push_back(i);
  }
  std::vector<std::vector<std::size_t>> cycles;
  for (const std::size_t first : firsts) cycles.push_back(way_round(claims, claims_of, first));
  return cycles;
}

}  // namespace engram::experiments
