// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_set_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace engram::experiments {

Names::Names(const std::string& prefix, std::size_t count, core::Rng& rng)
    : prefix_(prefix), number_(rng.permutation(static_cast<std::uint32_t>(count))) {}

std::string Names::pair(std::size_t a, std::size_t b) const {
  return "(" + (*this)(a) + " * " + (*this)(b) + ")";
}

std::string inheritance_text(const std::string& subject, const std::string& predicate) {
  return "<" + subject + " --> " + predicate + ">";
}

std::string rule_text(const std::string& a, const std::string& b, const std::string& c) {
  return "<(<($1 * #2) --> " + a + "> && <(#2 * $3) --> " + b + ">) ==> <($1 * $3) --> " + c + ">>";
}

void say(ProofSet& set, std::string term, std::string truth) {
  set.statements.push_back(std::move(term));
  set.truths.push_back(std::move(truth));
}

void shuffle(ProofSet& set, core::Rng& rng) {
  const auto order = rng.permutation(static_cast<std::uint32_t>(set.statements.size()));
  std::vector<std::size_t> place(order.size());
  std::vector<std::string> statements(order.size()), truths(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    statements[i] = std::move(set.statements[order[i]]);
    truths[i] = std::move(set.truths[order[i]]);
  }
  set.statements = std::move(statements);
  set.truths = std::move(truths);
  for (ProvenQuestion& question : set.questions) {
    for (std::size_t& id : question.needed) id = place[id];
    std::ranges::sort(question.needed);
  }
}

void LinkGraph::add(std::uint32_t from, std::uint32_t to, std::size_t statement) {
  links_[from].push_back({to, statement});
}

std::vector<std::uint32_t> LinkGraph::reached(std::uint32_t from) const {
  std::set<std::uint32_t> known{from};
  std::vector<std::uint32_t> waiting{from};
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    for (const Link& link : links_[node])
      if (known.insert(link.to).second) waiting.push_back(link.to);
  }
  return {known.begin(), known.end()};
}

std::vector<LinkGraph::Way> LinkGraph::single_ways(std::uint32_t from, std::size_t length) const {
  struct Step {
    std::uint32_t before = 0;
    std::size_t statement = 0, depth = 0;
    bool single = true;
  };
  std::map<std::uint32_t, Step> steps{{from, {}}};
  std::vector<std::uint32_t> layer{from};
  for (std::size_t depth = 1; depth <= length; ++depth) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t node : layer)
      for (const Link& link : links_[node]) {
        const auto [place, fresh] =
            steps.try_emplace(link.to, Step{node, link.statement, depth, steps.at(node).single});
        if (fresh) next.push_back(link.to);
        // A second way as short: whatever lies behind has two as well.
        else if (place->second.depth == depth)
          place->second.single = false;
      }
    layer = std::move(next);
  }
  std::vector<Way> ways;
  for (const auto& [end, last] : steps) {
    if (last.depth != length || !last.single) continue;
    Way way{end, {}};
    for (std::uint32_t node = end; node != from; node = steps.at(node).before)
      way.statements.push_back(steps.at(node).statement);
    std::ranges::reverse(way.statements);
    ways.push_back(std::move(way));
  }
  return ways;
}

void ask_ways(ProofSet& set, const LinkGraph& graph, std::span<const std::uint32_t> starts,
              const WayQuestions& wanted, core::Rng& rng,
              const std::function<std::string(std::uint32_t, const LinkGraph::Way&)>& text) {
  constexpr std::size_t patience = 50;  // chosen: tries until the next length has its turn
  const std::size_t lengths = wanted.longest - wanted.shortest + 1;
  std::set<std::string> asked;
  std::size_t turn = 0, failed = 0;
  for (std::size_t tries = 0; set.questions.size() < wanted.count && tries < 200 * wanted.count; ++tries) {
    if (failed == patience) {
      failed = 0;
      ++turn;
    }
    ++failed;
    const std::uint32_t start = starts[rng.below(starts.size())];
    const auto ways = graph.single_ways(start, wanted.shortest + turn % lengths);
    if (ways.empty()) continue;
    const LinkGraph::Way& way = ways[rng.below(ways.size())];
    const std::string term = text(start, way);
    if (term.empty() || !asked.insert(term).second) continue;
    set.questions.push_back({term, term, way.statements});
    failed = 0;
    ++turn;
  }
}

}  // namespace engram::experiments
