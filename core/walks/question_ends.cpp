// SPDX-License-Identifier: MIT
#include "core/walks/question_ends.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace engram::core {

bool is_operator(const MemoryIndex& memory, ConceptId id) {
  return memory.term(id).kind() == narsese::TermKind::op;
}

std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue,
                                       const std::function<bool(Position)>& is_open) {
  constexpr std::size_t most_ends = 16;  // chosen: pairs grow with the square
  std::vector<QuestionEnd> all, open, things;
  const std::vector<Leaf> asked = cue.term ? leaves(cue.term) : std::vector<Leaf>();
  for (const ConceptId id : cue.names()) {
    if (all.size() == most_ends) break;
    all.push_back({id, {}});
    const auto leaf = std::ranges::find(asked, memory.term(id), &Leaf::term);
    if (leaf == asked.end()) continue;
    all.back().place = leaf->position;
    if (is_open(leaf->position)) open.push_back(all.back());
  }
  if (open.size() >= 2) return open;
  std::ranges::copy_if(all, std::back_inserter(things),
                       [&](const QuestionEnd& e) { return !is_operator(memory, e.id); });
  return things.size() >= 2 ? things : all;
}

std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue) {
  std::set<Position> places;
  const auto add_open = [&](narsese::Term part) {
    for (const Leaf& leaf : leaves(part))
      if (leaf.term.kind() == narsese::TermKind::variable) places.insert(leaf.position);
  };
  std::vector<RulePattern> rules;
  for (const StatementId e : memory.rules()) add_rule_patterns(e, memory.statement_term(e), rules);
  for (const RulePattern& rule : rules) {
    std::ranges::for_each(rule.premises, add_open);
    add_open(rule.conclusion);
  }
  return question_ends(memory, cue, [&](Position p) { return places.contains(p); });
}

}  // namespace engram::core
