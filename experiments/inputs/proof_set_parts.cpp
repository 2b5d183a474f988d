// SPDX-License-Identifier: MIT
#include "experiments/inputs/proof_set_parts.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/numbers/shapes.hpp"

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

std::string relation_text(const std::string& a, const std::string& b, const std::string& relation) {
  return inheritance_text("(*, " + a + ", " + b + ")", relation);
}

std::string rule_text(const std::vector<std::string>& conditions, const std::string& conclusion) {
  std::string text = conditions.front();
  if (conditions.size() > 1) {
    text = "(&&";
    for (const std::string& condition : conditions) text += ", " + condition;
    text += ")";
  }
  return "<" + text + " ==> " + conclusion + ">";
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

std::vector<LinkGraph::Path> LinkGraph::unique_paths(std::uint32_t from, std::size_t length) const {
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
        // The node has a second shortest path, so all nodes reached through it have several.
        else if (place->second.depth == depth)
          place->second.single = false;
      }
    layer = std::move(next);
  }
  std::vector<Path> paths;
  for (const auto& [end, last] : steps) {
    if (last.depth != length || !last.single) continue;
    Path path{end, {}};
    for (std::uint32_t node = end; node != from; node = steps.at(node).before)
      path.statements.push_back(steps.at(node).statement);
    std::ranges::reverse(path.statements);
    paths.push_back(std::move(path));
  }
  return paths;
}

void ask_in_turn(ProofSet& set, std::size_t count, std::size_t turns, std::size_t patience,
                 const std::function<std::optional<ProvenQuestion>(std::size_t turn)>& draw) {
  std::set<std::string> asked;
  std::size_t turn = 0, failed = 0;
  for (std::size_t tries = 0; set.questions.size() < count && tries < 4 * patience * count; ++tries) {
    if (failed == patience) {
      failed = 0;
      ++turn;
    }
    ++failed;
    std::optional<ProvenQuestion> question = draw(turn % turns);
    if (!question || !asked.insert(question->question).second) continue;
    set.questions.push_back(*std::move(question));
    failed = 0;
    ++turn;
  }
}

void ask_paths(ProofSet& set, const LinkGraph& graph, std::span<const std::uint32_t> starts,
               std::size_t count, core::Rng& rng,
               const std::function<std::string(std::uint32_t, const LinkGraph::Path&)>& text) {
  constexpr std::size_t shortest = 2, longest = 5;
  const auto draw = [&](std::size_t turn) -> std::optional<ProvenQuestion> {
    const std::uint32_t start = starts[rng.below(starts.size())];
    const auto paths = graph.unique_paths(start, shortest + turn);
    if (paths.empty()) return {};
    const LinkGraph::Path& path = paths[rng.below(paths.size())];
    const std::string term = text(start, path);
    return term.empty() ? std::optional<ProvenQuestion>() : ProvenQuestion{term, term, path.statements};
  };
  ask_in_turn(set, count, longest - shortest + 1, 50, draw);
}

namespace {

using Premises = ProofGraph::Premises;

Premises united(const Premises& a, const Premises& b) {
  Premises all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

// Best-first search over sets of premises. The priority is a lower bound on the size of a proof of the goal.
class ProofSearch {
 public:
  ProofSearch(const std::vector<RuleUse>& uses, std::vector<char> relevant, std::size_t most,
              const std::vector<Premises>& beside)
      : uses_(uses), relevant_(std::move(relevant)), beside_(beside), layers_(most + 1) {}

  void offer(std::uint32_t atom, Premises premises) {
    if (relevant_[atom] == 0) return;
    const std::size_t size = beside_.empty() ? premises.size() : united(premises, beside_[atom]).size();
    if (size < layers_.size()) layers_[size].push_back({atom, std::move(premises)});
  }

  // Returns the unique shortest proof of `goal`, or an empty list.
  // `used_in`  for each atom: indices of the rule uses that have the atom as a condition
  Premises run(std::uint32_t goal, const std::vector<std::vector<std::size_t>>& used_in) {
    constexpr std::size_t bound = 3'000;  // most sets to visit: some hundredths of a second
    std::size_t kept = 0;
    for (std::size_t size = 1; size < layers_.size(); ++size) {
      for (std::size_t i = 0; i < layers_[size].size(); ++i) {
        const Found found = std::move(layers_[size][i]);
        std::vector<Premises>& known = proofs_[found.atom];
        if (std::ranges::any_of(known,
                                [&](const Premises& p) { return std::ranges::includes(found.premises, p); }))
          continue;
        if (++kept > bound) return {};
        known.push_back(found.premises);
        for (const std::size_t use : used_in[found.atom])
          if (relevant_[uses_[use].conclusion] != 0) extend(uses_[use], found.atom, 0, found.premises);
      }
      if (const auto proven = proofs_.find(goal); proven != proofs_.end())
        return proven->second.size() == 1 ? proven->second.front() : Premises();
    }
    return {};
  }

 private:
  struct Found {
    std::uint32_t atom = 0;
    Premises premises;
  };

  // Applies a rule: combines `premises`, which prove `atom`, with every known proof of the other conditions from index
  // `next` on.
  void extend(const RuleUse& use, std::uint32_t atom, std::size_t next, const Premises& premises) {
    if (premises.size() >= layers_.size()) return;
    if (next == use.conditions.size()) return offer(use.conclusion, united(premises, {use.rule}));
    if (use.conditions[next] == atom) return extend(use, atom, next + 1, premises);
    const auto known = proofs_.find(use.conditions[next]);
    if (known == proofs_.end()) return;
    for (const Premises& others : known->second) extend(use, atom, next + 1, united(premises, others));
  }

  const std::vector<RuleUse>& uses_;
  std::vector<char> relevant_;  // for each atom: whether a proof of the goal can use it
  const std::vector<Premises>& beside_;
  std::vector<std::vector<Found>> layers_;  // candidates by lower bound on the size of a proof
  std::map<std::uint32_t, std::vector<Premises>> proofs_;
};

}  // namespace

void ProofGraph::add(RuleUse use) {
  concluded_by_[use.conclusion].push_back(uses_.size());
  for (const std::uint32_t condition : use.conditions) used_in_[condition].push_back(uses_.size());
  uses_.push_back(std::move(use));
}

std::vector<char> ProofGraph::relevant_to(std::uint32_t goal) const {
  std::vector<char> relevant(told_.size());
  std::vector<std::uint32_t> waiting{goal};
  relevant[goal] = 1;
  while (!waiting.empty()) {
    const std::uint32_t atom = waiting.back();
    waiting.pop_back();
    for (const std::size_t use : concluded_by_[atom])
      for (const std::uint32_t condition : uses_[use].conditions)
        if (std::exchange(relevant[condition], 1) == 0) waiting.push_back(condition);
  }
  return relevant;
}

Premises ProofGraph::only_shortest_proof(std::uint32_t goal, std::size_t most,
                                         const std::vector<Premises>& beside) const {
  ProofSearch search(uses_, relevant_to(goal), most, beside);
  for (std::uint32_t atom = 0; atom < told_.size(); ++atom)
    for (const std::size_t statement : told_[atom]) search.offer(atom, {statement});
  return search.run(goal, used_in_);
}

ProofShape ProofGraph::shape(std::uint32_t goal, const Premises& premises) const {
  const std::vector<char> relevant = relevant_to(goal);
  std::map<std::uint32_t, ProofShape> shapes;
  for (std::uint32_t atom = 0; atom < told_.size(); ++atom)
    if (relevant[atom] != 0 && std::ranges::find_first_of(told_[atom], premises) != told_[atom].end())
      shapes[atom] = {};
  while (!shapes.contains(goal)) {
    std::map<std::uint32_t, ProofShape> found;
    for (const RuleUse& use : uses_) {
      if (relevant[use.conclusion] == 0 || shapes.contains(use.conclusion) ||
          !std::ranges::binary_search(premises, use.rule) ||
          !std::ranges::all_of(use.conditions, [&](std::uint32_t c) { return shapes.contains(c); }))
        continue;
      ProofShape shape{1, false};
      std::size_t derived = 0;
      for (const std::uint32_t condition : use.conditions) {
        const ProofShape& part = shapes.at(condition);
        shape.depth = std::max(shape.depth, part.depth + 1);
        shape.branches |= part.branches;
        derived += part.depth > 0 ? 1 : 0;
      }
      shape.branches |= derived >= 2;
      found.try_emplace(use.conclusion, shape);
    }
    core::require(!found.empty(), "the premises must suffice for the goal");
    shapes.merge(found);
  }
  return shapes.at(goal);
}

}  // namespace engram::experiments
