// SPDX-License-Identifier: MIT
// Facts and rules of a theory as numbers, what follows from them, and a theory that is drawn.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/numbers/random.hpp"

namespace engram::experiments {

/// <a --> [word]> if b is `none`, otherwise <(*, a, b) --> word>. Numbers from 0 on are names, numbers from
/// `first_variable` downwards variables.
struct TheoryAtom {
  static constexpr int none = -1, first_variable = -2;
  int word = 0, a = 0, b = none;
  friend auto operator<=>(const TheoryAtom&, const TheoryAtom&) = default;
};

/// Conditions that imply a conclusion. Variables of the conclusion occur in the conditions.
struct TheoryRule {
  std::vector<TheoryAtom> conditions;
  TheoryAtom conclusion;
  friend bool operator==(const TheoryRule&, const TheoryRule&) = default;
};

/// The names that variables stand for.
using TheoryBinding = std::map<int, int>;
/// The atom with the names of `binding` in place of its variables. A binding may also replace names.
TheoryAtom bound(TheoryAtom atom, const TheoryBinding& binding);

/// Ground atoms that are told or follow, in the order of their levels. The level is the least depth of an
/// atom's proofs, 0 if it is told.
class TheoryClosure {
 public:
  /// Cost  for each level, all matches of all rules
  TheoryClosure(const std::vector<TheoryAtom>& told, const std::vector<TheoryRule>& rules);
  const std::vector<TheoryAtom>& atoms() const { return atoms_; }
  std::size_t level(std::uint32_t atom) const { return levels_[atom]; }
  bool holds(const TheoryAtom& atom) const { return numbers_.contains(atom); }
  /// Index into atoms(), of an atom that holds.
  std::uint32_t number(const TheoryAtom& atom) const { return numbers_.at(atom); }
  /// All bindings for which the rule's conditions hold.
  std::vector<TheoryBinding> matches(const TheoryRule& rule) const;

 private:
  void add(const TheoryAtom& atom, std::size_t level);
  void match(const TheoryRule& rule, std::size_t next, const TheoryBinding& so_far,
             std::vector<TheoryBinding>& found) const;

  std::map<TheoryAtom, std::uint32_t> numbers_;
  std::map<int, std::vector<std::uint32_t>> by_word_;
  std::vector<TheoryAtom> atoms_;
  std::vector<std::size_t> levels_;
};

/// A theory that is drawn. Of its names the first are individuals, of its words the first attributes.
struct Theory {
  static constexpr int individuals = 4, things = 2, names = individuals + things;
  static constexpr int attributes = 12, relations = 8, words = attributes + relations;
  static constexpr std::size_t least_statements = 15, most_statements = 20;
  std::vector<TheoryAtom> facts;
  std::vector<TheoryRule> rules;
};

/// Draws a theory. It draws proofs from their conclusions downwards. One of them has this depth and, if the depth is at least
/// 2, a rule with two derived conditions. It then adds distractors: facts that state of other names what the proofs state, and
/// rules that no fact satisfies. The shares of the forms of rules and facts are chosen, not derived.
Theory draw_theory(std::size_t depth, core::Rng& rng);

}  // namespace engram::experiments
