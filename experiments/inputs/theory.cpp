// SPDX-License-Identifier: MIT
#include "experiments/inputs/theory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace engram::experiments {
namespace {

class TheoryDraft {
 public:
  TheoryDraft(std::size_t depth, core::Rng& rng) : rng_(rng) {
    state_.unused = rng_.permutation(Theory::words);
    const std::size_t size =
        Theory::least_statements + rng_.below(Theory::most_statements - Theory::least_statements + 1);
    while (!grow(depth, size)) {
    }
    for (int tries = 0; tries < 10; ++tries) grow(1 + rng_.below(3), size);
    distract(size - state_.facts.size() - state_.rules.size());
  }

  Theory theory() const { return {facts(), state_.rules}; }

 private:
  struct State {
    std::set<TheoryAtom> facts;
    std::vector<TheoryRule> rules;
    std::vector<std::uint32_t> unused;  // words not used so far
    std::vector<int> told, derived;     // words of facts, and of conclusions
  };

  std::vector<TheoryAtom> facts() const { return {state_.facts.begin(), state_.facts.end()}; }
  bool chance(std::uint64_t percent) { return rng_.below(100) < percent; }
  int below(std::size_t bound) { return static_cast<int>(rng_.below(bound)); }
  template <typename T>
  const T& any(const std::vector<T>& all) {
    return all[rng_.below(all.size())];
  }

  // Adds a proof of this depth. Returns false if there are too few words, or no room for two distractors.
  bool grow(std::size_t depth, std::size_t size) {
    const State before = state_;
    if (prove(new_atom(below(Theory::individuals), state_.derived), depth, depth > 1) &&
        state_.facts.size() + state_.rules.size() + 2 <= size)
      return true;
    state_ = before;
    return false;
  }

  TheoryAtom with_word(int word, int name) {
    if (word < Theory::attributes) return {word, name};
    return {word, name, (name + 1 + below(Theory::names - 1)) % Theory::names};
  }

  // An atom with an unused word, which is added to `words`. If all words are used, its word is `none`.
  TheoryAtom new_atom(int name, std::vector<int>& words) {
    if (state_.unused.empty()) return {TheoryAtom::none};
    words.push_back(static_cast<int>(state_.unused.back()));
    state_.unused.pop_back();
    return with_word(words.back(), name);
  }

  // A stated atom: an existing fact about the name, a new one with a word of other facts, or one with a new word.
  TheoryAtom told_atom(int name) {
    std::vector<TheoryAtom> known;
    std::ranges::copy_if(state_.facts, std::back_inserter(known),
                         [&](const TheoryAtom& fact) { return fact.a == name; });
    if (!known.empty() && chance(30)) return any(known);
    return state_.told.empty() || chance(60) ? new_atom(name, state_.told)
                                             : with_word(any(state_.told), name);
  }

  // Adds a proof of the goal. Returns false if words run out. `branches`: at least two conditions are derived.
  bool prove(const TheoryAtom& goal, std::size_t depth, bool branches) {
    if (goal.word == TheoryAtom::none) return false;
    const std::size_t derived = depth == 1 ? 0 : branches || chance(25) ? 2 : 1;
    const std::size_t count = std::max<std::size_t>(derived, 1 + rng_.below(4));
    std::vector<int> names{goal.a};  // individuals that conditions may be about
    std::set<TheoryAtom> conditions;
    for (std::size_t i = 0; i < count; ++i) {
      const int name = i == 0 ? goal.a : any(names);
      const TheoryAtom condition = i < derived ? new_atom(name, state_.derived) : told_atom(name);
      if (condition.word == TheoryAtom::none) return false;
      if (condition.b >= 0 && condition.b < Theory::individuals) names.push_back(condition.b);
      conditions.insert(condition);
      if (i >= derived)
        state_.facts.insert(condition);
      else if (!prove(condition, i == 0 ? depth - 1 : 1 + rng_.below(depth - 1), false))
        return false;
    }
    state_.rules.push_back(generalised({{conditions.begin(), conditions.end()}, goal}));
    return true;
  }

  // Replaces names by variables in four of five rules. Names that occur once are mostly kept.
  TheoryRule generalised(TheoryRule rule) {
    if (chance(20)) return rule;
    std::map<int, int> times;
    for (const TheoryAtom& condition : rule.conditions)
      for (const int name : {condition.a, condition.b}) ++times[name];
    TheoryBinding variable;
    for (const auto& [name, count] : times)
      if (name >= 0 &&
          (name == rule.conclusion.a || chance(count + (name == rule.conclusion.b) > 1 ? 70 : 30)))
        variable[name] = TheoryAtom::first_variable - static_cast<int>(variable.size());
    for (TheoryAtom& condition : rule.conditions) condition = bound(condition, variable);
    rule.conclusion = bound(rule.conclusion, variable);
    return rule;
  }

  // Adds `count` distractors, at least one fact and one rule, with the words of proofs and one unused word.
  void distract(std::size_t count) {
    const std::size_t rules = std::max<std::size_t>(1, count / 3);
    std::vector<int> words = state_.told;
    words.insert(words.end(), state_.derived.begin(), state_.derived.end());
    if (!state_.unused.empty()) words.push_back(static_cast<int>(state_.unused.back()));
    const TheoryClosure known(facts(), state_.rules);
    for (const std::size_t last = state_.facts.size() + count - rules; state_.facts.size() < last;)
      if (const TheoryAtom fact = with_word(any(words), below(Theory::individuals)); !known.holds(fact))
        state_.facts.insert(fact);
    const TheoryClosure all(facts(), state_.rules);
    for (const std::size_t last = state_.rules.size() + rules; state_.rules.size() < last;) {
      const int name = below(Theory::individuals);
      const TheoryBinding variable{{name, TheoryAtom::first_variable}};
      std::set<TheoryAtom> conditions;
      for (std::size_t i = 2 + rng_.below(3); i > 0; --i)
        conditions.insert(bound(with_word(any(words), name), variable));
      const TheoryRule rule{{conditions.begin(), conditions.end()},
                            bound(with_word(any(words), name), variable)};
      if (!conditions.contains(rule.conclusion) && all.matches(rule).empty() &&
          std::ranges::find(state_.rules, rule) == state_.rules.end())
        state_.rules.push_back(rule);
    }
  }

  core::Rng& rng_;
  State state_;
};

}  // namespace

Theory draw_theory(std::size_t depth, core::Rng& rng) { return TheoryDraft(depth, rng).theory(); }

TheoryAtom bound(TheoryAtom atom, const TheoryBinding& binding) {
  const auto name = [&](int n) { return binding.contains(n) ? binding.at(n) : n; };
  return {atom.word, name(atom.a), name(atom.b)};
}

TheoryClosure::TheoryClosure(const std::vector<TheoryAtom>& told, const std::vector<TheoryRule>& rules) {
  for (const TheoryAtom& atom : told) add(atom, 0);
  for (std::size_t level = 1, before = 0; before != atoms_.size(); ++level) {
    before = atoms_.size();
    std::vector<TheoryAtom> found;
    for (const TheoryRule& rule : rules)
      for (const TheoryBinding& binding : matches(rule)) found.push_back(bound(rule.conclusion, binding));
    for (const TheoryAtom& atom : found) add(atom, level);
  }
}

std::vector<TheoryBinding> TheoryClosure::matches(const TheoryRule& rule) const {
  std::vector<TheoryBinding> found;
  match(rule, 0, {}, found);
  return found;
}

void TheoryClosure::add(const TheoryAtom& atom, std::size_t level) {
  const auto number = static_cast<std::uint32_t>(atoms_.size());
  if (!numbers_.emplace(atom, number).second) return;
  by_word_[atom.word].push_back(number);
  atoms_.push_back(atom);
  levels_.push_back(level);
}

void TheoryClosure::match(const TheoryRule& rule, std::size_t next, const TheoryBinding& so_far,
                          std::vector<TheoryBinding>& found) const {
  if (next == rule.conditions.size()) return found.push_back(so_far);
  const TheoryAtom condition = bound(rule.conditions[next], so_far);
  if (condition.a >= 0 && condition.b >= TheoryAtom::none) {
    if (holds(condition)) match(rule, next + 1, so_far, found);
    return;
  }
  const auto with_word = by_word_.find(condition.word);
  if (with_word == by_word_.end()) return;
  for (const std::uint32_t number : with_word->second) {
    const TheoryAtom& atom = atoms_[number];
    TheoryBinding binding = so_far;
    if (condition.a < TheoryAtom::none) binding[condition.a] = atom.a;
    if (condition.b < TheoryAtom::none) binding.emplace(condition.b, atom.b);
    if (bound(condition, binding) == atom) match(rule, next + 1, binding, found);
  }
}

}  // namespace engram::experiments
